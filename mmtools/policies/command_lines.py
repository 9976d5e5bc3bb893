"""
A command line as far as rules can read it: whether it is one plain command, and what it may start.

The two err on opposite sides. `plain` says no whenever a shell might do more than run one program with the words that
stand there. `starts` finds too much rather than too little, and says where only the shell can know.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import define, field, frozen

from mmtools.core.shell import reader
from mmtools.core.shell.cursor import Trouble, Why
from mmtools.core.shell.words import Command, Word
from mmtools.policies import starting_programs
from mmtools.policies.inside import Doubt, DoubtKind

__all__ = ["Started", "Starts", "plain", "starts"]

#: A word, or a part of one, in which no shell sees more than its letters. Braces without a comma or two dots stay as they
#: are, and a `!` means something only to a shell that somebody types into.
_LETTER = r"""[^ \t'"\\;&|<>$`(){}*?\[\]~#\x00-\x1f\x7f]"""
_PLAIN = rf"""{_LETTER}+|(?<=[\w^@])[~#]|\{{(?![^{{}}]*(?:,|\.\.)){_LETTER}*\}}|'[^']*'|"[^"$`\\]*\""""

_PLAIN_PART = re.compile(rf"(?P<blank>[ \t]+)|(?:{_PLAIN})+")
_QUOTED = re.compile(r"""'(?P<single>[^']*)'|"(?P<double>[^"]*)\"""")
_ASSIGNMENT = re.compile(r"\w+\+?=")

#: At the end of a line: output that goes nowhere, or where other output of the command goes. A quote that is open
#: there is open before it, too.
_HARMLESS_END = re.compile(r"(?:[ \t]+[12]?>(?:&[12]|[ \t]*/dev/null))+[ \t]*\Z")

#: Words that open, join or end commands: alone on a line they are no program.
_RESERVED = frozenset(
    {"!", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in", "select", "then",
     "until", "while"}
)  # fmt: skip

#: Texts in a line that are lines themselves, one inside another or side by side.
_MOST_TEXTS = 256

#: Characters of those texts, and words of the commands in them, together.
_MOST_READ = 150_000

#: How much of a text a doubt shows.
_NEAR_CHARS = 40


@frozen
class Started:
    """
    A command that a line may start.

    Args:
        text: Its words without quotes, one space between them, up to the first that only the shell can know.
        is_whole: Whether that is all of them.
    """

    text: str
    is_whole: bool


@frozen
class Starts:
    """
    Everything that a line may start.

    Args:
        doubt: Given, it may start other commands, too.
    """

    commands: frozenset[Started]
    doubt: Doubt | None = None


def plain(line: str) -> tuple[str, ...] | None:
    """
    Split a line that is surely one plain command into its words; None when it may be anything else.

    Redirections at its end that write nothing (`2>&1`, `2>/dev/null`) count for nothing.
    """
    line = _HARMLESS_END.sub("", line)
    words: list[str] = []
    at = 0
    while at < len(line):
        part = _PLAIN_PART.match(line, at)
        if part is None:
            return None
        if not part["blank"]:
            words.append(_QUOTED.sub(lambda quoted: quoted["single"] or quoted["double"] or "", part[0]))
        at = part.end()
    if not words or not words[0] or words[0] in _RESERVED or _ASSIGNMENT.match(line.lstrip()):
        return None
    return tuple(words)


def starts(line: str) -> Starts:
    """Find every command that a line may start."""
    search = _Search()
    search.read(line)
    return Starts(frozenset(search.found), search.doubt)


@define
class _Search:
    """The commands found so far, and the texts that are still to be read."""

    found: set[Started] = field(factory=set)
    doubt: Doubt | None = None
    _left: int = _MOST_READ
    _texts: set[tuple[str, bool]] = field(factory=set)
    _commands: set[tuple[Command, bool]] = field(factory=set)

    def read(self, line: str) -> None:
        """Read a text that a shell would read as a line, and all those in it; what is only a guess raises no doubt."""
        todo = [(line, True)]
        while todo:
            text, sure = todo.pop()
            if {(text, True), (text, sure)} & self._texts:
                continue
            self._left -= len(text)
            if len(self._texts) >= _MOST_TEXTS or self._left < 0:
                self.doubt = self.doubt or Doubt(DoubtKind.TOO_MUCH, text[:_NEAR_CHARS])
                return
            self._texts.add((text, sure))
            reading = reader.read(text)
            if reading.trouble and sure:
                self.doubt = self.doubt or _trouble_doubt(reading.trouble, text)
            todo += self._follow([(command, sure) for command in reading.commands])
        if self._left < 0:
            self.doubt = self.doubt or Doubt(DoubtKind.TOO_MUCH, line[:_NEAR_CHARS])

    def _follow(self, commands: list[tuple[Command, bool]]) -> list[tuple[str, bool]]:
        """Take note of what commands start; returns the texts in them that are lines themselves."""
        texts: list[tuple[str, bool]] = []
        while commands and self._left >= 0:
            command, sure = commands.pop()
            self._left -= len(command.words)
            if {(command, True), (command, sure)} & self._commands:
                continue
            self._commands.add((command, sure))
            inside = starting_programs.inside(command)
            commands += [
                *((each, sure) for each in inside.commands),
                *((each, False) for each in inside.other_commands),
            ]
            for text in inside.expanded:
                commands += self._expand(text, sure=sure)
            texts += [*((text, sure) for text in inside.lines), *((text, False) for text in inside.guesses)]
            doubt = inside.doubt or self._note(command.words)
            self.doubt = self.doubt or (doubt if sure else None)
        return texts

    def _expand(self, text: str, *, sure: bool) -> list[tuple[Command, bool]]:
        reading = reader.expanded(text)
        if reading.trouble and sure:
            self.doubt = self.doubt or _trouble_doubt(reading.trouble, text)
        return [(command, sure) for command in reading.commands]

    def _note(self, words: Sequence[Word]) -> Doubt | None:
        """Take note of a command; returns the doubt when only the shell can know its program."""
        if not words:
            return None
        first, arguments = words[0], words[1:]
        if first.program is None:
            return Doubt(DoubtKind.PROGRAM, first.raw)
        for name in {first.program, first.program if first.value is None else first.value}:
            self.found.add(_started(name, arguments))
        if first.program == "git":
            self.found.add(_started("git", starting_programs.git_command(arguments)))
        return None


def _trouble_doubt(trouble: Trouble, text: str) -> Doubt:
    kind = DoubtKind.TOO_MUCH if trouble.why in (Why.TOO_LONG, Why.TOO_DEEP) else DoubtKind.UNREADABLE
    return Doubt(kind, trouble.near or text[:_NEAR_CHARS])


def _started(name: str, arguments: Sequence[Word]) -> Started:
    texts = [name]
    for word in arguments:
        if word.value is None:
            return Started(" ".join(texts) + " ", is_whole=False)
        texts.append(word.value)
    return Started(" ".join(texts), is_whole=True)
