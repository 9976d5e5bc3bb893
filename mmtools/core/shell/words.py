"""One word of a command line, and what is known of it before the shell expands it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

__all__ = ["Command", "Word"]

_ASSIGNED = re.compile(r"(?P<name>[A-Za-z_]\w*)(?:\[.*?\])?\+?=", re.DOTALL)


@frozen
class Word:
    """
    A word as it stands in a line.

    Args:
        raw: As written, quotes included.
        value: What the program gets; None when only the shell can know.
        splits: Whether the shell may make several words of it, or none.
        ending: What surely stands at its end, from the last unknown character on; empty when `value` is known.
    """

    raw: str
    value: str | None
    splits: bool = False
    ending: str = ""

    @property
    def text(self) -> str:
        """The value, or else what was written."""
        return self.raw if self.value is None else self.value

    @property
    def program(self) -> str | None:
        """The name of the program that the word starts, without its directory; None when only the shell can know."""
        if self.value is not None:
            return self.value.rpartition("/")[2]
        return self.ending.rpartition("/")[2] or None if "/" in self.ending and not self.splits else None

    @property
    def joined(self) -> str:
        """What bash compares with its reserved words and names: all that is written, but for the breaks of continued lines."""
        return self.raw.replace("\\\n", "")

    @property
    def assigned(self) -> str | None:
        """The variable that the word sets when it stands before a command; None when it sets none."""
        match = _ASSIGNED.match(self.joined)
        return match["name"] if match else None


@frozen(kw_only=True)
class Command:
    """
    One simple command.

    Args:
        words: The program and its arguments.
        assignments: Variables set for it, or by the line: `NAME=value`.
        input: What it reads, where that is written in the line (a here-document, a here-string).
    """

    words: tuple[Word, ...] = ()
    assignments: tuple[Word, ...] = ()
    input: Word | None = None

    def beginning_at(self, first: int) -> Command:
        """Return the command that a program starts with its arguments from `first` on."""
        return Command(words=self.words[first:], input=self.input)

    def known(self) -> Iterator[str]:
        """Iterate over the arguments that are known."""
        return (word.value for word in self.words[1:] if word.value is not None)
