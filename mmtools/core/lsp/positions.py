"""
Places in a text, in three notations.

    offset       0-based, in characters (code points): what Python counts
    LineColumn   1-based, in characters: what a model and a person see; only `\\n` ends a line
    Position     0-based, in code units: what goes over the wire; `\\n`, `\\r\\n` and a lone `\\r` end a line

What a model says is exact or refused with the count. What a server says is brought into the text: past the
end of a line means its end, inside a character means its start.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias

from attrs import field, frozen

__all__ = ["Document", "LineColumn", "NoSuchColumn", "NoSuchLine", "OutOfText", "Position", "Range", "Units"]


class Units(StrEnum):
    """What a character of a position counts; the values are the protocol's."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"

    def width(self, part: str) -> int:
        """Return how many code units some characters take."""
        codec, size = _CODECS[self]
        return len(part.encode(codec, "replace")) // size

    def fitting(self, line: str, most: int) -> int:
        """Return how many whole characters fit into some code units."""
        codec, size = _CODECS[self]
        # A character takes at least one unit, so the answer is in the first `most` ones.
        return len(line[:most].encode(codec, "replace")[: most * size].decode(codec, "ignore"))


#: How to encode without a BOM, and the bytes of a code unit.
_CODECS = {Units.UTF8: ("utf-8", 1), Units.UTF16: ("utf-16-le", 2), Units.UTF32: ("utf-32-le", 4)}


@frozen(order=True)
class Position:
    """
    A place as a server writes it.

    Args:
        line: 0-based. As received: it may be negative or past the end.
        character: 0-based, in code units. The same.
    """

    line: int
    character: int


@frozen(order=True)
class Range:
    """A stretch as a server writes it, its end exclusive; as received, so that it may end before it starts."""

    start: Position
    end: Position


@frozen(order=True)
class LineColumn:
    """
    A place as a model writes it.

    Args:
        line: 1-based.
        column: 1-based, in characters; one more than the line has stands for its end.
    """

    line: int
    column: int


@frozen
class NoSuchLine:
    """A line that a text of so many lines does not have."""

    lines: int


@frozen
class NoSuchColumn:
    """A column that a line of so many characters, without its line break, does not have."""

    length: int


#: Why a model's place is not in the text. A closed union.
OutOfText: TypeAlias = NoSuchLine | NoSuchColumn


@frozen
class Document:
    """
    A text, and the way to find places in it: after the first search, each takes microseconds, whatever the size.

    Args:
        text: Raw: line ends as found, without a BOM; what the server was sent.
        units: What the server counts.
    """

    text: str = field(repr=False)
    units: Units = Units.UTF16

    @property
    def lines(self) -> int:
        """How many lines a person counts: `"a\\n"` has one, `""` none."""
        return len(self._starts) - (self._starts[-1] == len(self.text))

    @property
    def wire_lines(self) -> int:
        """How many lines the wire counts: `"a\\n"` has two, `""` one."""
        return len(self._wire_starts)

    def line_span(self, line: int) -> tuple[int, int] | NoSuchLine:
        """Return the offsets of the text of a line, 1-based, without its line break."""
        return self._span(self._starts, line - 1) if 1 <= line <= self.lines else NoSuchLine(self.lines)

    def line_text(self, line: int) -> str:
        """Return the text of a line, 1-based, without its line break; empty when there is no such line."""
        span = self.line_span(line)
        return self.text[slice(*span)] if isinstance(span, tuple) else ""

    def offset_at(self, place: LineColumn) -> int | OutOfText:
        """Return where a model's place is, or why it is nowhere."""
        span = self.line_span(place.line)
        if not isinstance(span, tuple):
            return span
        start, end = span
        return start + place.column - 1 if 1 <= place.column <= end - start + 1 else NoSuchColumn(end - start)

    def line_column(self, offset: int) -> LineColumn:
        """Return a place inside the text, or its end, as a model sees it."""
        line = bisect_right(self._starts, offset) - 1
        start, end = self._span(self._starts, line)
        return LineColumn(line + 1, min(offset, end) - start + 1)

    def position(self, offset: int) -> Position:
        """Return the same as a server wants it; what is between a `\\r` and its `\\n` is the end of the line."""
        line = bisect_right(self._wire_starts, offset) - 1
        start, end = self._span(self._wire_starts, line)
        return Position(line, self.units.width(self.text[start : min(offset, end)]))

    def offset(self, position: Position) -> int:
        """Return where a server's place is, or the closest place that there is."""
        if position.line < 0:
            return 0
        if position.line >= self.wire_lines:
            return len(self.text)
        start, end = self._span(self._wire_starts, position.line)
        return start + self.units.fitting(self.text[start:end], max(position.character, 0))

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self.text))]

    @cached_property
    def _wire_starts(self) -> list[int]:
        if self.text.count("\r") == self.text.count("\r\n"):
            return self._starts
        return [0, *(found.end() for found in re.finditer("\r\n?|\n", self.text))]

    def _span(self, starts: list[int], line: int) -> tuple[int, int]:
        """Return where the text of a line, 0-based, starts and ends."""
        start = starts[line]
        if line + 1 == len(starts):
            return start, len(self.text)
        end = starts[line + 1] - 1
        return start, end - (end > start and self.text[end - 1 : end + 1] == "\r\n")
