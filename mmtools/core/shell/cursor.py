"""A place in a text, and what ends the reading of it."""

from __future__ import annotations

import re
from enum import StrEnum

from attrs import define, field, frozen

from mmtools.core.shell.words import Command

__all__ = ["Cursor", "Findings", "Lost", "Trouble", "Why"]

#: 40 levels: deeper than any person writes, and where a text that is made to exhaust a reader stops it.
_MOST_LEVELS = 40

#: How much of the text a trouble shows.
_NEAR_CHARS = 40

#: Characters that may be read twice, since only its end tells arithmetic from groups of commands.
_MOST_READ_TWICE = 262_144

_BLANKS = re.compile(r"(?:[ \t]|\\\n)+")
_CONTINUED = re.compile(r"(?:\\\n)+(?=[<>&|;(])")


class Why(StrEnum):
    """Why a line cannot be followed to its end."""

    TOO_LONG = "too long"
    TOO_DEEP = "too deep"
    UNCLOSED = "not closed"
    UNEXPECTED = "unexpected"
    EVALUATED = "evaluated"


@frozen
class Trouble:
    """
    The place from which a line cannot be followed.

    Args:
        near: What stands there, the first characters of it.
    """

    why: Why
    near: str = ""


class Lost(Exception):
    """The end of what can be followed."""

    def __init__(self, why: Why, near: str = "") -> None:
        super().__init__(why)
        self.trouble = Trouble(why, near[:_NEAR_CHARS])


@define
class Findings:
    """The commands found so far, and how much may still be read twice."""

    commands: list[Command] = field(factory=list)
    left: int = _MOST_READ_TWICE

    def read_twice(self, chars: int) -> None:
        """
        Count characters that are read a second time.

        Raises:
            Lost: They are too many.
        """
        self.left -= chars
        if self.left < 0:
            raise Lost(Why.TOO_LONG)


@define
class Cursor:
    """
    A place in a text.

    Args:
        at: Of the next character.
        level: How many constructs it stands in.
    """

    text: str
    at: int = 0
    level: int = 0

    @property
    def char(self) -> str:
        """The next character; empty at the end."""
        return self.text[self.at : self.at + 1]

    @property
    def after(self) -> str:
        """The character after the next one."""
        return self.text[self.at + 1 : self.at + 2]

    def begins(self, text: str) -> bool:
        """Whether the text stands here."""
        return self.text.startswith(text, self.at)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Pass over what a pattern matches here; None when it does not."""
        if match := pattern.match(self.text, self.at):
            self.at = match.end()
        return match

    def blanks(self) -> None:
        """Pass over spaces, tabs and continued lines."""
        self.take(_BLANKS)

    def comment(self) -> None:
        """Pass over the rest of the line."""
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end < 0 else end

    def document_line(self, *, literal: bool) -> str:
        """Return the rest of the line, and pass over it; unless it is literal, a backslash at its end joins the next."""
        begin = self.at
        while True:
            self.comment()
            line = self.text[begin : self.at]
            self.at += 1
            backslashes = len(line) - len(line.rstrip("\\"))
            if literal or not backslashes % 2 or not self.char:
                break
        return line if literal else line.replace("\\\n", "")

    def operator_ends(self) -> None:
        """
        Make sure that an operator ends here.

        Raises:
            Lost: A continued line stands within it, perhaps.
        """
        if _CONTINUED.match(self.text, self.at):
            raise self.lost(Why.UNEXPECTED)

    def enter(self) -> None:
        """
        Begin a construct inside this one.

        Raises:
            Lost: There are too many.
        """
        self.level += 1
        if self.level > _MOST_LEVELS:
            raise Lost(Why.TOO_DEEP)

    def leave(self) -> None:
        """End it."""
        self.level -= 1

    def lost(self, why: Why, begin: int | None = None) -> Lost:
        """Return what to raise when the reading ends here, or at `begin`."""
        return Lost(why, self.text[self.at if begin is None else begin :])
