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
from mmtools.core.shell.words import Command, Word
from mmtools.policies import starting_programs
from mmtools.policies.starting_programs import Doubt, DoubtKind

__all__ = ["Started", "Starts", "plain", "starts"]

#: An operator or an expansion before any quote: how most lines show that they are not plain.
_NOT_PLAIN = re.compile(r"[^'\"]*[;&|<>$`\\(){}*?\[\]~!#\n]")

#: What a shell may act on although it is no operator, inside double quotes.
_ACTIVE_IN_DOUBLE = re.compile(r"[$`\\!]")
_DOUBLE_QUOTED = re.compile(r"'[^']*'|\"(?P<text>[^\"]*)\"")

#: At the end of a line: output that goes nowhere, or where other output of the command goes. A quote that is open
#: there is open before it, too.
_HARMLESS_END = re.compile(r"(?:[ \t]+[12]?>(?:&[12]|[ \t]*/dev/null))+[ \t]*\Z")

#: Words that open, join or end commands: alone on a line they are no program.
_RESERVED = frozenset(
    {"!", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in", "select", "then",
     "time", "until", "while"}
)  # fmt: skip

#: Texts in a line that are lines themselves, one inside another or side by side.
_MOST_TEXTS = 256


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
    if _NOT_PLAIN.match(line) or any(
        _ACTIVE_IN_DOUBLE.search(quoted["text"] or "") for quoted in _DOUBLE_QUOTED.finditer(line)
    ):
        return None
    reading = reader.read(line)
    if reading.trouble or len(reading.commands) != 1:
        return None
    command = reading.commands[0]
    words = tuple(word.value for word in command.words if word.value is not None)
    sure = words and len(words) == len(command.words) and not command.assignments and words[0] not in _RESERVED
    return words if sure and words[0] and line.isprintable() | ("\t" in line) else None


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
    _seen: set[str] = field(factory=set)

    def read(self, line: str) -> None:
        """Read a text that a shell would read as a line, and all those in it."""
        todo = [line]
        while todo:
            text = todo.pop()
            if text in self._seen:
                continue
            if len(self._seen) >= _MOST_TEXTS:
                self._doubt(Doubt(DoubtKind.TOO_MUCH, text[:40]))
                return
            self._seen.add(text)
            reading = reader.read(text)
            if reading.trouble and text == line:
                self._doubt(Doubt(DoubtKind.UNREADABLE, reading.trouble.near))
            for command in reading.commands:
                todo += self._follow(command)

    def _follow(self, command: Command) -> list[str]:
        """Take note of what a command starts; returns the texts in it that are lines themselves."""
        texts: list[str] = []
        commands, seen = [command], 0
        while commands:
            command = commands.pop()
            seen += 1
            found = starting_programs.inside(command)
            texts += found.texts
            commands += found.commands
            if found.doubt:
                self._doubt(found.doubt)
            if command.words:
                self._note(command.words)
        return texts

    def _note(self, words: Sequence[Word]) -> None:
        first = words[0]
        if first.program is None:
            self._doubt(Doubt(DoubtKind.PROGRAM, first.raw))
            return
        names = {first.program, first.value if first.value is not None else first.program}
        for name in names:
            self.found.add(_started(name, words[1:]))
        if first.program == "git":
            self.found.add(_started("git", starting_programs.git_command(words[1:])))

    def _doubt(self, doubt: Doubt) -> None:
        self.doubt = self.doubt or doubt


def _started(name: str, arguments: Sequence[Word]) -> Started:
    texts = [name]
    for word in arguments:
        if word.value is None:
            return Started(" ".join(texts) + " ", is_whole=False)
        texts.append(word.value)
    return Started(" ".join(texts), is_whole=True)
