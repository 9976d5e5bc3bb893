"""
What a rename makes of one file's bytes, or why it must not be made.

Some servers count columns in another way than they say; their edits would cut through words next to the name.
So each edit must touch the old name, and leave the new one behind, whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from attrs import field, frozen

from mmtools.core import edits as splicing
from mmtools.core.lsp import text_edits
from mmtools.core.lsp.names import Names
from mmtools.core.lsp.positions import Document, LineColumn, Units
from mmtools.core.lsp.text_edits import Piece, Placed, Refusal
from mmtools.core.lsp.workspace_edits import TextEdit
from mmtools.core.text import Binary, LegacyText, Text, decode

__all__ = ["Astray", "Flaw", "Outdated", "Plan", "Rename", "astray", "plan"]


@frozen
class Rename:
    """The identifier that becomes another one, and what identifiers are in the language."""

    old: str
    new: str
    names: Names


@frozen(kw_only=True)
class Plan:
    """
    What one file becomes.

    Args:
        after: Its bytes; those that no edit changes are the old ones.
        edits: How many the server sent for it.
        line: 1-based, of the first change.
        words: Raw offsets, from and to, of the words that change.
    """

    decoded: Text | LegacyText = field(repr=False)
    after: bytes = field(repr=False)
    edits: int
    line: int
    words: tuple[tuple[int, int], ...] = field(default=(), repr=False)

    def touches(self, offset: int) -> bool:
        """Whether a place is in a word that changes."""
        return any(start <= offset < end for start, end in self.words)


@frozen
class Outdated:
    """A file that is not what the server was sent."""


@frozen
class Astray:
    """An edit that is not about the name: where it starts, the words it changes, and what would stand there."""

    place: LineColumn
    found: str
    left: str


#: Why one file cannot be renamed in. A closed union.
Flaw: TypeAlias = Binary | Outdated | Astray | Refusal


def plan(
    data: bytes,
    edits: Sequence[TextEdit],
    rename: Rename,
    *,
    units: Units,
    sent: str | None = None,
    encodings: Sequence[str] = (),
) -> Plan | Flaw | None:
    """
    Make a server's edits of one file, or say why they are not the rename that was asked for.

    Args:
        edits: In the server's order; at least one.
        units: What its positions count.
        sent: The text that the server was sent; None for a file that it read itself.
        encodings: Codecs' names, tried in order, for what is not UTF-8.

    Returns:
        None for edits that leave the file as it is.
    """
    decoded = decode(data, encodings)
    if isinstance(decoded, Binary):
        return decoded
    if sent is not None and sent != (decoded.content if isinstance(decoded, Text) else decoded.shown()):
        return Outdated()
    placed = text_edits.place(decoded, edits, units)
    if not isinstance(placed, Placed):
        return placed
    if stray := astray(placed, rename):
        return stray
    applied = placed.applied()
    if applied is None:
        return None
    after = splicing.splice(data, decoded, applied)
    words = tuple((start, end) for start, end, _ in _clusters(placed, _bare(rename.names)))
    return Plan(decoded=decoded, after=after, edits=len(edits), line=applied.first_line, words=words)


def astray(placed: Placed, rename: Rename) -> Astray | None:
    """
    Find the first edit that does not turn the old name into the new one; None when all do.

    Text may come with the new name (`{ name }` → `{ name: title }`), and several edits may share a name.
    """
    names = _bare(rename.names)
    old, new = rename.names.core(rename.old), rename.names.core(rename.new)
    for start, end, pieces in _clusters(placed, names):
        found = placed.text[start:end]
        left, kept = "", start
        for piece in pieces:
            left += placed.text[kept : piece.start] + piece.new
            kept = piece.end
        left += placed.text[kept:end]
        if not (_holds(found, old, names) and _holds(left, new, names)):
            return Astray(Document(placed.text).line_column(pieces[0].start), found, left)
    return None


def _bare(names: Names) -> Names:
    """Leave out what belongs before or after a name, as an edit may: the `@` of a variable, the `?` of a predicate."""
    return Names(within=names.within, first=names.first)


def _clusters(placed: Placed, names: Names) -> Iterator[tuple[int, int, list[Piece]]]:
    """Yield the bounds of words, and the pieces that change them together."""
    start = end = 0
    together: list[Piece] = []
    for piece in placed.pieces:
        first, last = names.widened(placed.text, piece.start, piece.end)
        if together and first < end:
            end = max(end, last)
        else:
            if together:
                yield start, end, together
            start, end, together = first, last, []
        together.append(piece)
    if together:
        yield start, end, together


def _holds(text: str, name: str, names: Names) -> bool:
    return any(True for _ in names.places(text, name))
