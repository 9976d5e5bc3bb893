"""Where in the arguments of a program that runs others their commands stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from mmtools.core.shell.words import Command, Word
from mmtools.policies.inside import MORE, Doubt, DoubtKind, Inside, as_joined, as_line, text_doubt
from mmtools.policies.runner_table import RUNNERS, Runner

__all__ = ["filled", "run"]

#: Words in which a command may stand, of one command.
_MOST_WORDS = 200


def run(name: str, command: Command) -> Inside:
    """Find the command among the arguments; any word may begin it, and the likely one must be known."""
    runner = RUNNERS[name]
    if len(command.words) > _MOST_WORDS:
        return Inside(doubt=Doubt(DoubtKind.TOO_MUCH, name))
    if name == "command" and any(value in ("-v", "-V", "-pv") for value in command.known()):
        return Inside()
    if name == "hash":
        return _hashed(command.words)
    if name == "xargs":
        command = filled(Command(words=(*command.words, MORE)), _placeholder(command))
    words = command.words
    lines = _option_lines(runner, words)
    likely = _likely(runner, words)
    doubt = next((line.doubt for line in lines if line.doubt), None)
    if likely < len(words) and words[likely] is not MORE:
        doubt = doubt or _unknown_program(words[likely])
        if runner.joins:
            joined = as_joined(words[likely:])
            lines, doubt = [*lines, joined], doubt or joined.doubt
    return Inside(
        commands=[command.beginning_at(likely)] if likely < len(words) and words[likely] is not MORE else [],
        other_commands=[
            *(command.beginning_at(at) for at in range(1, len(words)) if words[at].program is not None),
            *(_split(text) for line in lines for text in line.lines if name == "env"),
        ],
        lines=[text for line in lines for text in line.lines],
        guesses=[command.input.value] if command.input and command.input.value and name != "xargs" else [],
        doubt=doubt,
    )


def _split(text: str) -> Command:
    """Cut a text at blanks alone, as `env -S` does: what ends a command for a shell does not for it."""
    return Command(words=tuple(Word(word, word) for word in text.split()))


def _hashed(words: Sequence[Word]) -> Inside:
    """Find the program that `hash -p` gives a name, with what may follow the name later."""
    given = zip_longest(words[1:], words[2:])
    programs = [after for option, after in given if after and option and re.match(r"-\w*p", option.text)]
    return Inside(commands=[Command(words=(program, MORE)) for program in programs])


def _unknown_program(word: Word) -> Doubt | None:
    unknown = word.program is None or "{}" in word.text
    return Doubt(DoubtKind.PROGRAM, word.raw) if unknown else None


def _likely(runner: Runner, words: Sequence[Word]) -> int:
    """Return which word names the program, as far as the runner's own arguments are known; past the last, none does."""
    at, operands = 1, runner.operands
    while at < len(words):
        word = words[at]
        if word.value is None and word.splits:
            return at
        if word.text.startswith("-") and len(word.text) > 1:
            at += 1 + (word.text in runner.valued or word.text in runner.lines)
            continue
        if not word.assigned:
            if not operands:
                return at
            operands -= 1
        at += 1
    return len(words)


def _option_lines(runner: Runner, words: Sequence[Word]) -> list[Inside]:
    """Find the values of options that a shell reads as lines, glued to them or in the next word."""
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
