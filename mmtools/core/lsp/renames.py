"""
Whether edits are the rename that was asked for.

Some servers count columns in another way than they say; their edits would cut through words next to the name.
So each edit must touch the old name, and leave the new one behind, whole.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from mmtools.core.lsp.names import Names, holds
from mmtools.core.lsp.text_edits import Piece, Placed

__all__ = ["Misplaced", "Rename", "misplaced"]


@frozen
class Rename:
    """
    What becomes what.

    Args:
        old, new: Identifiers.
        names: What identifiers are in the language.
    """

    old: str
    new: str
    names: Names


@frozen
class Misplaced:
    """
    An edit that is not about the name.

    Args:
        index: Of the edit.
        offset: Raw, where it starts.
        found: The words it changes.
        left: What would stand there.
    """

    index: int
    offset: int
    found: str
    left: str


@frozen
class _Cluster:
    """
    Pieces that change the same words.

    Args:
        start, end: Raw offsets of whole words.
    """

    start: int
    end: int
    pieces: tuple[Piece, ...]


def misplaced(placed: Placed, rename: Rename) -> Misplaced | None:
    """
    Find the first edit that does not turn the old name into the new one; None when all do.

    Text may come with the new name (`{ name }` → `{ name: title }`), and several edits may share a name.
    """
    # An edit may leave out what belongs before or after a name: the `@` of a variable, the `?` of a predicate.
    names = Names(within=rename.names.within, first=rename.names.first)
    old, new = rename.names.core(rename.old), rename.names.core(rename.new)
    for cluster in _clusters(placed, names):
        found = placed.text[cluster.start : cluster.end]
        left = _changed(placed.text, cluster)
        if not (holds(found, old, names) and holds(left, new, names)):
            first = cluster.pieces[0]
            return Misplaced(first.index, first.start, found, left)
    return None


def _clusters(placed: Placed, names: Names) -> Iterator[_Cluster]:
    found: _Cluster | None = None
    for piece in placed.pieces:
        start, end = _widened(placed.text, piece, names)
        if found and start < found.end:
            found = _Cluster(found.start, max(end, found.end), (*found.pieces, piece))
        else:
            if found:
                yield found
            found = _Cluster(start, end, (piece,))
    if found:
        yield found


def _widened(text: str, piece: Piece, names: Names) -> tuple[int, int]:
    """Return the bounds of the words that a piece touches."""
    start, end = piece.start, piece.end
    while start and names.continues(text[start - 1]):
        start -= 1
    while end < len(text) and names.continues(text[end]):
        end += 1
    return start, end


def _changed(text: str, cluster: _Cluster) -> str:
    kept = cluster.start
    parts: list[str] = []
    for piece in cluster.pieces:
        parts += text[kept : piece.start], piece.new
        kept = piece.end
    return "".join([*parts, text[kept : cluster.end]])
