"""
Programs that start others: where in their arguments, their input or their environment a command stands.

For rules that deny, so it finds too much rather than too little; a program that is not named here starts nothing that
a line shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from mmtools.core.shell.words import Command, Word
from mmtools.policies import runners
from mmtools.policies.inside import MORE, Doubt, DoubtKind, Inside, as_input, as_joined, as_line, text_doubt, together
from mmtools.policies.runner_table import (
    EXEC_OPTIONS,
    INTERPRETERS,
    RUN_OPTIONS,
    RUNNERS,
    SHELLS,
    TEXT_KEEPERS,
    known_name,
)
from mmtools.policies.subcommand_table import SUBCOMMANDS

__all__ = ["git_command", "inside"]


#: Options of shells whose value is the next word, and those that only say something.
_SHELL_VALUED = frozenset(["-o", "+o", "-O", "+O", "--rcfile", "--init-file"])
_SAYING = frozenset(["--help", "--version"])

#: Programs that read a command from their input when their arguments hold none.
_READ_INPUT = frozenset(["at", "batch", "parallel"])

#: Commands of bash that run what stands in a subscript, even in quotes: `test -v 'a[$(rm f)]'`.
_EVALUATING = frozenset(
    ["[", "[[", "declare", "export", "getopts", "let", "local", "printf", "read", "readonly", "test", "typeset", "unset",
     "wait"]
)  # fmt: skip

#: Variables that make a shell read a file, or run a text, before or after what is asked.
_READ_FROM = frozenset(["BASH_ENV", "ENV", "PROMPT_COMMAND"])

#: Variables whose value other programs run.
_RUN_VARIABLE = re.compile(r"\w*(?:ASKPASS|BROWSER|CMD|COMMAND|DIFF|EDITOR|LESSCLOSE|LESSOPEN|PAGER|SSH|VISUAL)")

#: Global options of `git` whose value is the next word.
_GIT_VALUED = frozenset({"-c", "-C", "--config-env", "--exec-path", "--git-dir", "--namespace", "--work-tree"})

#: What may be the option in front of a text: `-c`, `--command=`, `alias.x=!`.
_GLUED = re.compile(r"-{0,2}[\w.-]+=!?|-\w")

#: What a text in another language than the shell's says before a command.
_STARTING = re.compile(
    r"(?:\b(?:exec\w*|popen|run-shell|shell(?:[- ](?:command|script))?|spawn\w*|system)\b|!)[\s:('\"\[]*", re.IGNORECASE
)

#: The option of `git` before a text for people.
_MESSAGE = re.compile(r"-[a-zA-Z]*m|--message")

_VARIABLE = re.compile(r"(?P<name>[\w%.-]+(?:\[.*?\])?)\+?=(?P<value>.*)", re.DOTALL)
_ALIAS = re.compile(r"[^=]*=(?P<value>.*)", re.DOTALL)

_PROCESS = re.compile(r"[<>]\(")
_STANDARD_INPUT = re.compile(r"-|/dev/(?:stdin|fd/\d+|tcp/.*|udp/.*)|/proc/(?:self|\d+)/fd/\d+")

_ACTIVE_AWK = re.compile(r"[|@]|system|getline")
_AWK_TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
_AWKS = frozenset(["awk", "gawk", "mawk", "nawk"])
_RUNNING_SED = re.compile(r"(?:^|[;\n{}\d$/ !])e(?:\s|$)|[/|,#@!]\s*[gIip0-9mM]*e[gIip0-9mM]*(?:\s*[;}\n]|\s*$)")

#: Commands that texts in other languages start, of one program.
_MOST_STARTING = 50

#: Commands of one `find`.
_MOST_EXECUTED = 20


def git_command(arguments: Sequence[Word]) -> Sequence[Word]:
    """Return the arguments of `git` from its subcommand on."""
    first = 0
    while first < len(arguments) and arguments[first].text.startswith("-"):
        first += 2 if arguments[first].text in _GIT_VALUED else 1
    return arguments[first:]


def inside(command: Command) -> Inside:
    """Find what a command starts beside its own program."""
    parts = [_assigned(command.assignments)]
    name = command.words[0].program if command.words else None
    if name is not None:
        parts += _started(known_name(name, RUNNERS, SUBCOMMANDS, INTERPRETERS, SHELLS, TEXT_KEEPERS), command)
    return together(parts)


def _started(name: str, command: Command) -> Iterator[Inside]:
    if name in RUNNERS or name in SUBCOMMANDS:
        yield runners.run(name, command)
    if name in SHELLS:
        yield _shell(command)
    if name in ("source", "."):
        yield _sourced(command)
    if name in ("eval", "trap", "alias"):
        yield _builtin_text(name, command.words[1:])
    if name in ("find", "fd"):
        yield _executed(name, command)
    if name in TEXT_KEEPERS or name in RUN_OPTIONS:
        yield _kept(name, command)
    if name in TEXT_KEEPERS or name in INTERPRETERS:
        found = (value[match.end() :] for value in command.known() for match in _STARTING.finditer(value))
        yield Inside(guesses=[text.rstrip("'\")];") for text in islice(found, _MOST_STARTING)])
    yield from _evaluated(name, command)


def _evaluated(name: str, command: Command) -> Iterator[Inside]:
    """Find what is no command line and yet may start something."""
    if name in ("declare", "export", "env", "local", "readonly", "typeset"):
        yield _variables(command.words[1:])
    if name in _EVALUATING and (name != "printf" or "-v" in command.known()):
        yield Inside(expanded=[value for value in command.known() if _expands(value)])
    if name in ("compgen", "complete"):
        texts = [value for value in command.known() if _expands(value) or _PROCESS.search(value)]
        yield Inside(
            expanded=texts, doubt=next((Doubt(DoubtKind.TEXT, text) for text in texts if _PROCESS.search(text)), None)
        )
    if name in _READ_INPUT and not any(word.text == ":::" or name != "parallel" for word in command.words[2:]):
        yield as_input(command)
    if name in _AWKS:
        yield _awk(command)
    if name in ("sed", "gsed") and (script := next(filter(_RUNNING_SED.search, command.known()), None)):
        yield Inside(doubt=Doubt(DoubtKind.TEXT, script))


def _assigned(assignments: Sequence[Word]) -> Inside:
    """Find what variables make the shell read first."""
    for word in assignments:
        _, _, value = word.text.partition("=")
        if word.assigned in _READ_FROM and (word.value is None or _STANDARD_INPUT.fullmatch(value)):
            return Inside(doubt=text_doubt(word))
    return _variables(assignments)


def _variables(words: Sequence[Word]) -> Inside:
    """Find what variables make programs run, and what bash expands when it evaluates them."""
    found = [match for word in words if (match := _VARIABLE.fullmatch(word.value or ""))]
    return Inside(
        guesses=[
            each["value"] for each in found if _RUN_VARIABLE.fullmatch(each["name"]) or each["value"].startswith("()")
        ],
        expanded=[each["value"] for each in found if _expands(each["value"])],
    )


def _expands(value: str) -> bool:
    return "$(" in value or "`" in value or "${" in value


def _shell(command: Command) -> Inside:
    """Find the text of `sh -c`, else the input that a shell without a file reads."""
    arguments = command.words[1:]
    if stream := next((word for word in arguments if word.raw.startswith("<(")), None):
        return Inside(doubt=Doubt(DoubtKind.TEXT, stream.raw))
    takes_text = reads_input = False
    at = 0
    while at < len(arguments) and (arguments[at].value or "").startswith(("-", "+")):
        option = arguments[at].text
        if option in _SAYING:
            return Inside()
        cluster = not option.startswith("--")
        takes_text = takes_text or (cluster and "c" in option[1:]) or option == "--command"
        reads_input = reads_input or option == "-" or (cluster and "s" in option[1:])
        at += 2 if option in _SHELL_VALUED or (cluster and option[-1:] in "oO" and len(option) > 1) else 1
    if at >= len(arguments):
        return as_input(command)
    if takes_text:
        return as_line(arguments[at])
    if arguments[at].value is None and arguments[at].splits:
        return Inside(doubt=Doubt(DoubtKind.TEXT, arguments[at].raw))
    if reads_input or _STANDARD_INPUT.fullmatch(arguments[at].text):
        return as_input(command)
    return Inside()


def _executed(name: str, command: Command) -> Inside:
    """Find the commands of `find -exec`."""
    places = list(_after(command, EXEC_OPTIONS))
    if len(places) > _MOST_EXECUTED:
        return Inside(doubt=Doubt(DoubtKind.TOO_MUCH, name))
    return Inside(commands=[runners.filled(_up_to_semicolon(command, at + 1)) for at in places])


def _up_to_semicolon(command: Command, first: int) -> Command:
    words = takewhile(lambda word: word.value != ";", command.words[first:])
    return Command(words=tuple(words), input=command.input)


def _sourced(command: Command) -> Inside:
    for word in command.words[1:2]:
        pattern = word.splits and "$" not in word.raw and "`" not in word.raw
        if word.raw.startswith("<(") or _STANDARD_INPUT.fullmatch(word.text) or (word.value is None and pattern):
            return Inside(doubt=text_doubt(word))
        if word.value is None and command.input and command.input.value:
            return Inside(guesses=[command.input.value])
    return Inside()


def _builtin_text(name: str, words: Sequence[Word]) -> Inside:
    """Find the lines that bash itself keeps or reads."""
    if name == "eval":
        return as_joined(words)
    unknown = next((word for word in words if word.value is None), None)
    if name == "trap":
        operands = [word for word in words if not word.text.startswith("-")][:1]
        return as_line(operands[0]) if operands else Inside()
    values = [match["value"] for word in words if (match := _ALIAS.fullmatch(word.value or ""))]
    doubt = text_doubt(unknown) if unknown else None
    return Inside(lines=[f"{value} {MORE.raw}" for value in values], doubt=doubt)


def _kept(name: str, command: Command) -> Inside:
    """Take arguments for lines, with and without the option in front of them."""
    guesses: list[str] = []
    before = ""
    for word in command.words[1:]:
        value = word.value or ""
        glued = _GLUED.match(value)
        if not _MESSAGE.match(before) and (name not in RUN_OPTIONS or before.startswith("-")):
            guesses.append(value)
        if glued and glued.end() < len(value) and not _MESSAGE.match(value):
            guesses.append(value[glued.end() :])
        before = value
    if name == "git" and "config" in command.known():
        guesses += [value.removeprefix("!") for value in command.known()]
    return Inside(guesses=[guess for guess in guesses if guess])


def _awk(command: Command) -> Inside:
    active = [value for value in command.known() if _ACTIVE_AWK.search(value)]
    texts = [text for value in active for text in _AWK_TEXT.findall(value)]
    return Inside(guesses=texts, doubt=Doubt(DoubtKind.TEXT, active[0]) if active and not texts else None)


def _after(command: Command, options: frozenset[str]) -> Iterator[int]:
    return (at for at, word in enumerate(command.words) if word.text in options)
