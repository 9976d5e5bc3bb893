"""
Places in a text, in three notations.

    offset       0-based, in characters (code points): what Python counts
    LineColumn   1-based, in characters: what a model and a person see; only `\\n` ends a line
    Position     0-based, in code units: what goes over the wire; `\\n`, `\\r\\n` and a lone `\\r` end a line

What a model says is exact or refused with the count. What a server says is brought into the text: past the
end of a line means its end, inside a character means its start.
"""

from __future__ import annotations

from functools import cached_property
from typing import TypeAlias

from attrs import field, frozen

from mmtools.core.lsp import code_units
from mmtools.core.lsp.code_units import Units
from mmtools.core.lsp.line_index import LineIndex

__all__ = [
    "BelowOne",
    "Document",
    "LineColumn",
    "NoSuchColumn",
    "NoSuchLine",
    "OutOfText",
    "Position",
    "Range",
]


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
    """
    A stretch as a server writes it.

    Args:
        end: Exclusive. As received: it may come before `start`.
    """

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
class BelowOne:
    """A line or a column that is zero or negative."""


@frozen
class NoSuchLine:
    """
    A line that the text does not have.

    Args:
        lines: How many there are; none in an empty text.
    """

    lines: int


@frozen
class NoSuchColumn:
    """
    A column that the line does not have.

    Args:
        length: How many characters the line has, without its line break.
    """

    length: int


#: Why a model's place is not in the text. A closed union.
OutOfText: TypeAlias = BelowOne | NoSuchLine | NoSuchColumn


@frozen
class Document:
    """
    A text, and the way to find places in it; each search takes microseconds, whatever the size.

    Args:
        text: Raw: line ends as found, without a BOM; what the server was sent.
        units: What the server counts.
    """

    text: str = field(repr=False)
    units: Units = Units.UTF16

    @cached_property
    def lines(self) -> int:
        """How many lines a person counts: `"a\\n"` has one, `""` none."""
        return self._seen.breaks + (not self.text.endswith("\n") and self.text != "")

    @cached_property
    def wire_lines(self) -> int:
        """How many lines the wire counts: `"a\\n"` has two, `""` one."""
        return self._wire.breaks + 1

    def line_span(self, line: int) -> tuple[int, int] | OutOfText:
        """
        Return the offsets of a line's text, without its line break.

        Args:
            line: 1-based.
        """
        if line < 1:
            return BelowOne()
        return self._seen.span(line - 1) if line <= self.lines else NoSuchLine(self.lines)

    def line_text(self, line: int) -> str:
        """
        Return a line's text without its line break; empty when there is no such line.

        Args:
            line: 1-based.
        """
        span = self.line_span(line)
        return self.text[slice(*span)] if isinstance(span, tuple) else ""

    def offset_at(self, place: LineColumn) -> int | OutOfText:
        """Return where a model's place is, or why it is nowhere."""
        if place.column < 1:
            return BelowOne()
        span = self.line_span(place.line)
        if not isinstance(span, tuple):
            return span
        start, end = span
        return start + place.column - 1 if place.column <= end - start + 1 else NoSuchColumn(end - start)

    def line_column(self, offset: int) -> LineColumn:
        """
        Return a place as a model sees it.

        Args:
            offset: Inside the text or at its end.
        """
        line = self._seen.line_of(offset)
        start, end = self._seen.span(line)
        return LineColumn(line + 1, min(offset, end) - start + 1)

    def position(self, offset: int) -> Position:
        """
        Return a place as a server wants it; what is between a `\\r` and its `\\n` is the end of the line.

        Args:
            offset: Inside the text or at its end.
        """
        line = self._wire.line_of(offset)
        start, end = self._wire.span(line)
        end = min(offset, end)
        return Position(
            line, end - start if self._counts_characters else code_units.width(self.text[start:end], self.units)
        )

    def offset(self, position: Position) -> int:
        """Return where a server's place is, or the closest place that there is."""
        if position.line < 0:
            return 0
        if position.line >= self.wire_lines:
            return len(self.text)
        start, end = self._wire.span(position.line)
        if position.character <= 0:
            return start
        if self._counts_characters:
            return min(start + position.character, end)
        return start + code_units.fitting(self.text[start:end], position.character, self.units)

    @cached_property
    def _counts_characters(self) -> bool:
        """Whether a code unit is a character, wherever in the text."""
        return self.units is Units.UTF32 or self.text.isascii()

    @cached_property
    def _seen(self) -> LineIndex:
        return LineIndex(self.text, self.text)

    @cached_property
    def _wire(self) -> LineIndex:
        if self.text.count("\r") == self.text.count("\r\n"):
            return self._seen
        # Of the same length, so that offsets stay; what stands in for the `\r` of a pair is of no account.
        return LineIndex(self.text, self.text.replace("\r\n", " \n").replace("\r", "\n"))
