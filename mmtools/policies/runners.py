"""Where in the arguments of a program that runs others their commands stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from attrs import evolve, frozen

from mmtools.core.shell.words import Command, Word
from mmtools.policies.inside import MORE, Doubt, DoubtKind, Inside, as_joined, as_line, text_doubt, together
from mmtools.policies.runner_table import RUNNERS, Runner
from mmtools.policies.subcommand_table import SUBCOMMANDS

__all__ = ["Place", "filled", "places", "run"]

#: A word that sets a variable for the command.
_SETS = re.compile(r"[\"']?[A-Za-z_]\w*(?:\[.*?\])?\+?=", re.DOTALL)

#: Words in which a command may stand, of one command.
_MOST_WORDS = 200


@frozen
class Place:
    """
    Where a runner's command begins.

    Args:
        first: The first word behind the runner's own name and subcommands.
        program: The word that names the command; past the last, none does.
        sure: Whether the runner's subcommands surely are what they look like.
        certain: Whether no other word can name the command, and no word behind it goes to the runner.
        looks: Whether the runner's own options say that it starts nothing.
    """

    runner: Runner
    first: int
    program: int
    sure: bool
    certain: bool
    looks: bool


@frozen
class _Behind:
    """
    What stands behind a runner's subcommands.

    Args:
        first: The first word there.
        sure: Whether they surely are its subcommands.
        certain: Whether no option before them may take one for its value.
    """

    first: int
    sure: bool = True
    certain: bool = True


def places(name: str, words: Sequence[Word]) -> Iterator[Place]:
    """Iterate over the places where a program's command may begin."""
    for runner in SUBCOMMANDS.get(name, ()):
        if behind := _behind(runner, words):
            yield _place(runner, words, behind)
    if name in RUNNERS:
        yield _place(RUNNERS[name], words, _Behind(1))


def run(name: str, command: Command) -> Inside:
    """Find the command among the arguments; any word may begin it, and the likely one must be known."""
    if name == "hash":
        return _hashed(command.words)
    if name == "xargs":
        command = filled(Command(words=(*command.words, MORE)), _placeholder(command))
    if any(runner.after == ("-m",) for runner in SUBCOMMANDS.get(name, ())):
        command = evolve(command, words=tuple(_unglued(command.words)))
    return together(_at(place, name, command) for place in places(name, command.words))


def _unglued(words: Sequence[Word]) -> Iterator[Word]:
    """Iterate over the words with the module cut off from the option before it: `-mpip`."""
    for word in words:
        if word.value and re.match(r"-[a-zA-Z]*m\w", word.value):
            option, _, module = word.value.partition("m")
            yield from (Word(f"{option}m", "-m"), Word(module, module))
        else:
            yield word


def _at(place: Place, name: str, command: Command) -> Inside:
    runner, words, program = place.runner, command.words, place.program
    if len(words) > _MOST_WORDS and not (place.certain and program < _MOST_WORDS):
        return Inside(doubt=Doubt(DoubtKind.TOO_MUCH, name))
    if place.looks:
        return Inside()
    lines = _option_lines(runner, words)
    named = program < len(words) and words[program] is not MORE
    if named and runner.joins:
        lines.append(as_joined(words[program:]))
    doubts = [*(line.doubt for line in lines), *_unknown_programs(place, words)] if place.sure else []
    likely = [command.beginning_at(program)] if named else []
    texts = [text for line in lines for text in line.lines]
    # Where a long command surely begins there is no need to guess.
    maybe = range(place.first, len(words)) if len(words) <= _MOST_WORDS else range(0)
    return Inside(
        commands=likely if place.sure else [],
        other_commands=[
            *(command.beginning_at(at) for at in maybe if words[at].program),
            *(_split(text) for text in texts if name == "env"),
        ],
        lines=texts if place.sure else [],
        guesses=[
            *([] if place.sure else texts),
            *([command.input.value] if command.input and command.input.value and name != "xargs" else []),
        ],
        doubt=next(filter(None, doubts), None),
    )


def _unknown_programs(place: Place, words: Sequence[Word]) -> Iterator[Doubt]:
    """Iterate over the doubts about the word that names the command, or about all that may."""
    last = len(words) if place.runner.operands is None else place.program + 1
    for word in words[place.program : last]:
        if word is not MORE and (word.program is None or "{}" in word.text):
            yield Doubt(DoubtKind.PROGRAM, word.raw)


def _behind(runner: Runner, words: Sequence[Word]) -> _Behind | None:
    """Find what stands behind a runner's subcommands; None when they do not stand in the command."""
    left, at, sure, certain = list(runner.after), 1, True, True
    while at < len(words):
        word = words[at]
        if word.value == left[0]:
            left.pop(0)
        elif word.value is None and sure and not left[0].startswith("-"):
            if word.splits:
                return _Behind(at, certain=False)
            left.pop(0)
            certain = False
        elif _is_option(word.text):
            step, known = _option(runner, word.text)
            at += step
            certain = certain and known
        else:
            sure = certain = False
        at += 1
        if not left:
            return _Behind(at, sure=sure, certain=certain)
    return None


def _is_option(text: str) -> bool:
    """Whether a word looks like an option."""
    return text.startswith("-") and len(text) > 1


def _option(runner: Runner, text: str) -> tuple[int, bool]:
    """Return how many words an option takes for its value, and whether that is known."""
    name, equals, _ = text.partition("=")
    takes = text in runner.valued or text in runner.lines
    known = text in runner.valued or text in runner.flags or bool(equals and name in runner.valued)
    return int(takes), known and name not in runner.lines


def _place(runner: Runner, words: Sequence[Word], behind: _Behind) -> Place:
    """Find the word that names the program, as far as the runner's own arguments are known."""
    at, operands, certain = behind.first, runner.operands or 0, behind.certain
    while at < len(words):
        word = words[at]
        if word.value is None and word.splits:
            certain = False
            break
        if word.text == "--":
            at += 1
        elif _is_option(word.text) or word.text in runner.flags:
            step, known = _option(runner, word.text)
            at += 1 + step
            certain = certain and known
        elif (sets := _SETS.match(word.joined)) or operands:
            operands -= not sets
            at += 1
        else:
            break
    at = min(at, len(words))
    # A plus is an option for some.
    certain = certain and not (at < len(words) and words[at].text.startswith("+"))
    leaves = runner.passes or (at > behind.first and words[at - 1].text == "--")
    certain = certain and behind.sure and runner.operands is not None and not runner.joins and leaves
    own, rest = {word.text for word in words[1:at]}, [word.text for word in words[behind.first : behind.first + 2]]
    looks = bool(own & runner.looks) or rest in (["--help"], ["--version"])
    return Place(runner, behind.first, at, sure=behind.sure, certain=certain, looks=looks)


def _split(text: str) -> Command:
    """Cut a text at blanks alone, as `env -S` does: what ends a command for a shell does not for it."""
    return Command(words=tuple(Word(word, word) for word in text.split()))


def _hashed(words: Sequence[Word]) -> Inside:
    """Find the program that `hash -p` gives a name, with what may follow the name later."""
    given = zip_longest(words[1:], words[2:])
    programs = [after for option, after in given if after and option and re.match(r"-\w*p", option.text)]
    return Inside(commands=[Command(words=(program, MORE)) for program in programs])


def _option_lines(runner: Runner, words: Sequence[Word]) -> list[Inside]:
    """Find the values of options that a shell reads as lines, glued to them or in the next word."""
    if not runner.lines:
        return []
    found: list[Inside] = []
    for word, following in zip_longest(words[1:], words[2:]):
        for option in runner.lines:
            long = option.startswith("--")
            text = word.raw if word.value is None else word.value
            if text == option or (not long and re.fullmatch(rf"-\w*{option[1]}", text)):
                found += [as_line(following)] if following else []
            elif text.startswith(f"{option}=" if long else option):
                rest = text.removeprefix(option).removeprefix("=")
                found.append(Inside(lines=[rest]) if word.value is not None else Inside(doubt=text_doubt(word)))
            elif not long and (glued := re.match(rf"-[a-zA-Z]*{option[1]}(?P<text>.*)", text, re.DOTALL)):
                found.append(Inside(guesses=[glued["text"]]))
    return found


def _placeholder(command: Command) -> str:
    """Return what `xargs` replaces by its input."""
    for word, following in zip_longest(command.words[1:], command.words[2:]):
        text = word.text
        if text in ("-I", "--replace") and following:
            return following.text
        if text.startswith(("-I", "--replace=")):
            return text.removeprefix("-I").removeprefix("--replace=")
    return "{}"


def filled(command: Command, placeholder: str = "{}") -> Command:
    """Return the command with its placeholders unknown."""
    words = [
        Word(word.raw, None) if word.value is not None and placeholder in word.value else word for word in command.words
    ]
    return Command(words=tuple(words), input=command.input)
