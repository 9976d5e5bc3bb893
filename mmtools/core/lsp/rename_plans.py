"""What a rename makes of one file's bytes, or why it must not be made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, assert_never

from attrs import field, frozen

from mmtools.core import edits as splicing
from mmtools.core.edits import Applied, NotText
from mmtools.core.lsp import renames, text_edits
from mmtools.core.lsp.code_units import Units
from mmtools.core.lsp.positions import Document, LineColumn
from mmtools.core.lsp.renames import Misplaced, Rename
from mmtools.core.lsp.text_edits import Placed, Refusal, Unchanged
from mmtools.core.lsp.workspace_edits import TextEdit
from mmtools.core.text import Binary, LegacyText, Text, decode

__all__ = ["Astray", "Flaw", "Outdated", "Plan", "Planned", "plan"]


@frozen(kw_only=True)
class Plan:
    """
    What one file becomes.

    Args:
        after: Its bytes; those that no edit changes are the old ones.
        edits: How many the server sent for it.
        line: 1-based, of the first change.
    """

    decoded: Text | LegacyText = field(repr=False)
    after: bytes = field(repr=False)
    edits: int
    line: int


@frozen
class Outdated:
    """A file that is not what the server was sent."""


@frozen
class Astray:
    """
    An edit that is not about the name.

    Args:
        place: Where it starts.
        found, left: The words it changes, and what would stand there.
    """

    place: LineColumn
    found: str
    left: str


#: Why one file cannot be renamed in. A closed union.
Flaw: TypeAlias = Binary | NotText | Outdated | Astray | Refusal
#: What comes of a file's edits. A closed union.
Planned: TypeAlias = Plan | Unchanged | Flaw


def plan(
    data: bytes,
    edits: Sequence[TextEdit],
    rename: Rename,
    *,
    units: Units,
    sent: str | None = None,
    encodings: Sequence[str] = (),
) -> Planned:
    """
    Make a server's edits of one file, or say why they are not the rename that was asked for.

    Args:
        edits: In the server's order; at least one.
        units: What its positions count.
        sent: The text that the server was sent; None for a file that it read itself.
        encodings: Codecs' names, tried in order, for what is not UTF-8.
    """
    decoded = decode(data, encodings)
    if isinstance(decoded, Binary):
        return decoded
    if sent is not None and sent != _readable(decoded):
        return Outdated()
    placed = _placed(decoded, edits, units)
    if not isinstance(placed, Placed):
        return placed
    stray = renames.misplaced(placed, rename)
    if stray is not None:
        return _astray(decoded, stray)
    match placed.applied():
        case Applied() as applied:
            after = splicing.splice(data, decoded, applied)
            return Plan(decoded=decoded, after=after, edits=len(edits), line=applied.first_line)
        case Unchanged() as unchanged:
            return unchanged
        case never:
            assert_never(never)


def _readable(decoded: Text | LegacyText) -> str:
    return decoded.content if isinstance(decoded, Text) else decoded.shown()


def _placed(decoded: Text | LegacyText, edits: Sequence[TextEdit], units: Units) -> Placed | Refusal | NotText:
    if isinstance(decoded, Text):
        return text_edits.place(decoded.content, edits, units=units, encoding=decoded.encoding)
    return text_edits.place_legacy(decoded, edits, units=units)


def _astray(decoded: Text | LegacyText, stray: Misplaced) -> Astray:
    place = Document(decoded.content).line_column(stray.offset)
    return Astray(place, stray.found, stray.left)
