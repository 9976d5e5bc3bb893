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
from itertools import groupby
from typing import TypeAlias

from attrs import evolve, field, frozen

from mmtools.core.alignment import Gap, gaps
from mmtools.core.changes import reduce
from mmtools.core.edits import Applied, NotText, Overlapping, Span, Unencodable
from mmtools.core.lsp.code_units import Units
from mmtools.core.lsp.positions import Document, Range
from mmtools.core.lsp.workspace_edits import TextEdit
from mmtools.core.text import LegacyText, unencodable, view

__all__ = ["Piece", "Placed", "Refusal", "StartsOutside", "Unchanged", "place", "place_legacy"]

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
class Unchanged:
    """A text that is the same after the edits."""


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

    def applied(self) -> Applied | Unchanged:
        """Return the change, ready to be shown and spliced."""
        spans = tuple(self._spans())
        return Applied(self.text, spans) if spans else Unchanged()

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
    """
    An edit that starts where there is no text.

    Args:
        line: As received, 0-based.
        lines: How many there are, as the wire counts.
    """

    index: int
    line: int
    lines: int


#: Why a server's edits cannot be made. A closed union.
Refusal: TypeAlias = StartsOutside | Overlapping | Unencodable


def place(
    text: str, edits: Sequence[TextEdit], *, units: Units = Units.UTF16, encoding: str = "utf-8"
) -> Placed | Refusal:
    """
    Find where edits are, or say of the first bad one why it is bad.

    Args:
        text: Raw: line ends as found, without a BOM.
        edits: In the server's order.
        units: What its positions count.
        encoding: What the new text must be encodable in.
    """
    document = Document(text, units)
    whole: list[Piece] = []
    for index, edit in enumerate(edits):
        character = unencodable(edit.new_text, encoding)
        if character is not None:
            return Unencodable(index, character)
        piece = _piece(document, index, edit)
        if isinstance(piece, StartsOutside):
            return piece
        whole.append(piece)
    whole.sort(key=lambda piece: (piece.start, piece.end))
    return _overlap(whole) or Placed(text, tuple(part for piece in whole for part in _parts(text, piece)))


def place_legacy(
    legacy: LegacyText, edits: Sequence[TextEdit], *, units: Units = Units.UTF16
) -> Placed | Refusal | NotText:
    """
    Find where edits are in a text of unknown encoding, where every ASCII-compatible one agrees: nothing but ASCII
    comes before their end on their lines, and in them.
    """
    document = Document(legacy.content, units)
    foreign = (index for index, edit in enumerate(edits) if not _is_ascii(document, edit))
    if indexes := tuple(foreign):
        return NotText(indexes)
    return place(legacy.content, edits, units=units, encoding="ascii")


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


def _overlap(pieces: Sequence[Piece]) -> Overlapping | None:
    """
    Find the first two pieces that share a character.

    Args:
        pieces: By start, then by end.
    """
    farthest: Piece | None = None
    for piece in pieces:
        if farthest and piece.start < farthest.end:
            earlier, later = sorted((farthest.index, piece.index))
            return Overlapping(later, other=earlier)
        if farthest is None or piece.end > farthest.end:
            farthest = piece
    return None


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
    differing = [number for number, (one, other) in enumerate(zip(old, new, strict=True)) if one != other]
    # A number less its rank is the same for those that follow one another.
    stretches = (list(pairs) for _, pairs in groupby(enumerate(differing), key=lambda pair: pair[1] - pair[0]))
    bounds = ((stretch[0][1], stretch[-1][1] + 1) for stretch in stretches)
    return (Gap(start, end, start, end) for start, end in bounds)
