"""
A server's edits on one text: found out where they are, then made to change no more than they must.

The rules
    *   All ranges are of the text before any edit. No two may share a character; what is inserted at the same
        place stays in the order sent, and before what replaces the characters behind it.
    *   A range may end past the end of a line or of the text: it ends there. It must start in the text, whose
        end may be written as the line after the last one.
    *   What old and new text share stays as it is in the file, to the byte. A line break that stays keeps its
        ending; a new one takes that of the first line break at or after it, else of the last one before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import TypeAlias

from attrs import evolve, field, frozen

from mmtools.core.alignment import Gap, gaps
from mmtools.core.changes import reduce
from mmtools.core.edits import Applied, NotText, Overlapping, Span, Unencodable
from mmtools.core.lsp.positions import Document, Range, Units
from mmtools.core.lsp.workspace_edits import TextEdit
from mmtools.core.text import LegacyText, Text, unencodable, view

__all__ = ["Piece", "Placed", "Refusal", "StartsOutside", "place"]

#: Line breaks, words, and single other characters.
_TOKENS = re.compile(r"\r\n|[\w$]+|.", re.DOTALL)


@frozen
class Piece:
    """
    Which characters give way to what.

    Args:
        start, end: Raw offsets; equal for an insertion.
        new: With `\\n` for each `\\r\\n`.
        index: Which edit it serves, 0-based.
    """

    start: int
    end: int
    new: str
    index: int


@frozen
class Placed:
    """
    Edits that can be made together.

    Args:
        text: Raw, the one before.
        pieces: In order of place, disjoint. Of an edit over many words, those that differ; one over a word or
            nothing is here even if nothing differs.
    """

    text: str = field(repr=False)
    pieces: tuple[Piece, ...]

    def applied(self) -> Applied | None:
        """Return the change, ready to be shown and spliced; None for a text that stays the same."""
        spans = tuple(self._spans())
        return Applied(self.text, spans) if spans else None

    def _spans(self) -> Iterator[Span]:
        for piece in self.pieces:
            raw = self.text[piece.start : piece.end]
            seen = view(raw)
            # With a lone return in it, the text is compared as it stands.
            change = reduce(self.text, piece.start, raw if "\r" in seen else seen, piece.new)
            if not change.is_empty:
                yield Span(change.changed_start, change.changed_end, change.new, piece.index)


@frozen
class StartsOutside:
    """An edit that starts where there is no text: a line as received, 0-based, of so many as the wire counts."""

    index: int
    line: int
    lines: int


#: Why a server's edits cannot be made. A closed union.
Refusal: TypeAlias = NotText | StartsOutside | Overlapping | Unencodable


def place(source: Text | LegacyText, edits: Sequence[TextEdit], units: Units = Units.UTF16) -> Placed | Refusal:
    """
    Find where edits are, or say of the first bad one why it is bad.

    In a text of unknown encoding they can be where every ASCII-compatible one agrees: nothing but ASCII comes before
    their end on their lines, and in them.

    Args:
        edits: In the server's order.
        units: What its positions count.
    """
    document = Document(source.content, units)
    if isinstance(source, LegacyText):
        foreign = (index for index, edit in enumerate(edits) if not _is_ascii(document, edit))
        if indexes := tuple(foreign):
            return NotText(indexes)
    whole: list[Piece] = []
    for index, edit in enumerate(edits):
        character = unencodable(edit.new_text, source.encoding if isinstance(source, Text) else "ascii")
        if character is not None:
            return Unencodable(index, character)
        piece = _piece(document, index, edit)
        if isinstance(piece, StartsOutside):
            return piece
        whole.append(piece)
    whole.sort(key=lambda piece: (piece.start, piece.end))
    for before, piece in pairwise(whole):
        if piece.start < before.end:
            return Overlapping(max(before.index, piece.index), other=min(before.index, piece.index))
    return Placed(source.content, tuple(part for piece in whole for part in _parts(source.content, piece)))


def _is_ascii(document: Document, edit: TextEdit) -> bool:
    start, end = _offsets(document, edit.range)
    line_start = document.text.rfind("\n", 0, start) + 1
    return edit.new_text.isascii() and document.text[line_start:end].isascii()


def _offsets(document: Document, range_: Range) -> tuple[int, int]:
    return document.offset(range_.start), document.offset(range_.end)


def _piece(document: Document, index: int, edit: TextEdit) -> Piece | StartsOutside:
    at, lines = edit.range.start, document.wire_lines
    is_end = at.line == lines and at.character == 0
    if at.line < 0 or at.character < 0 or (at.line >= lines and not is_end):
        return StartsOutside(index, at.line, lines)
    start, end = _offsets(document, edit.range)
    return Piece(start, end, edit.new_text, index)


def _parts(text: str, piece: Piece) -> Iterator[Piece]:
    """Part an edit into the words that differ: a whole file may be sent for a few names."""
    raw = text[piece.start : piece.end]
    old, new = _TOKENS.findall(raw), _TOKENS.findall(piece.new)
    kept, come = _keys(old), _keys(new)
    if kept == come and len(old) <= 1:
        # An edit that does nothing where it is may belong elsewhere: it must be seen.
        yield evolve(piece, new=raw)
    at, passed = piece.start, 0
    for gap in _gaps(kept, come):
        at += len("".join(old[passed : gap.old_start]))
        end = at + len("".join(old[gap.old_start : gap.old_end]))
        yield Piece(at, end, view("".join(new[gap.new_start : gap.new_end])), piece.index)
        at, passed = end, gap.old_end


def _keys(tokens: list[str]) -> list[str]:
    """Make all line breaks equal: a server may write them in its own way."""
    return ["\n" if token in ("\r\n", "\r") else token for token in tokens]


def _gaps(old: Sequence[str], new: Sequence[str]) -> Iterable[Gap]:
    """Find which words stand against which. Few words on one line stay together: `greet` → `greet as salute`."""
    if len(old) != len(new):
        return gaps(old, new) if "\n" in old else (Gap(0, len(old), 0, len(new)),)
    stretches = groupby(range(len(old)), key=lambda number: old[number] != new[number])
    differing = (list(numbers) for differs, numbers in stretches if differs)
    return (Gap(numbers[0], numbers[-1] + 1, numbers[0], numbers[-1] + 1) for numbers in differing)
