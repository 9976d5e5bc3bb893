"""
What servers answer to `definition`, `references`, `hover` and `prepareRename`, in all their shapes.

The order of each decoding is the protocol's; what cannot be read is counted, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from attrs import frozen

from mmtools.core.lsp import wire
from mmtools.core.lsp.positions import Document, Range
from mmtools.core.truncation import shortened

__all__ = ["MAX_SOURCE", "Opened", "Renamable", "Row", "Target", "Targets", "hover", "locations", "prepared", "rows"]

#: Characters of a source line beside its place (ours).
MAX_SOURCE = 200

_BACKTICKS = re.compile("`+")


@frozen
class Target:
    """A stretch of some file, as the server pointed at it, with the URI as received."""

    uri: str
    range: Range


@frozen
class Targets:
    """The places that a server named, in its order, and how many more it named in a form that says nothing."""

    found: tuple[Target, ...]
    unread: int = 0


@frozen
class Opened:
    """A file that a server pointed at: its path for the model, and its text where it can be read."""

    shown: str
    document: Document | None


@frozen(order=True)
class Row:
    """
    One place, for reading.

    Args:
        path: As shown.
        line, column: 1-based, in characters.
        source: The line, stripped, at most `MAX_SOURCE` characters; empty when it is not known.
    """

    path: str
    line: int
    column: int
    source: str


@frozen
class Renamable:
    """The answer that a rename may be asked for, with what would be renamed where the server says it."""

    range: Range | None = None


def locations(answer: object) -> Targets:
    """Decode a `Location`, a `LocationLink`, a list of both, or null."""
    entries = [answer] if isinstance(answer, dict) else wire.sequence(answer)
    found = [target for target in map(_target, entries) if target]
    unread = len(entries) - len(found) if isinstance(answer, dict | list | tuple | None) else 1
    return Targets(tuple(found), unread)


def rows(targets: Iterable[Target], files: Mapping[str, Opened]) -> tuple[Row, ...]:
    """
    Say where targets start, sorted by path and place, each place once.

    Args:
        files: By URI as received. Of a file that is not there, the URI is shown and its numbers are taken
            for characters.
    """
    found = {(row.path, row.line, row.column): row for row in (_row(target, files) for target in targets)}
    return tuple(sorted(found.values()))


def hover(answer: object) -> str:
    """Return a hover's text as the server sent it, several parts with a blank line between; empty for nothing."""
    contents = answer["contents"] if isinstance(answer, dict) and "contents" in answer else answer
    parts = wire.sequence(contents) or (contents,)
    told = [part for part in map(_marked, parts) if part.strip()]
    return told[0] if len(told) == 1 else "\n\n".join(part.strip("\r\n") for part in told)


def prepared(answer: object) -> Renamable | None:
    """Decode a range, a range with a placeholder, `defaultBehavior`, or null; None where nothing can be renamed."""
    members = wire.object_(answer)
    range_ = wire.range_(members) or wire.range_(members.get("range"))
    return Renamable(range_) if range_ or members.get("defaultBehavior") is True else None


def _target(entry: object) -> Target | None:
    members = wire.object_(entry)
    uri = wire.text(members.get("targetUri")) or wire.text(members.get("uri"))
    ranges = (wire.range_(members.get(name)) for name in ("targetSelectionRange", "targetRange", "range"))
    range_ = next(filter(None, ranges), None)
    return Target(uri, range_) if uri and range_ else None


def _row(target: Target, files: Mapping[str, Opened]) -> Row:
    opened = files.get(target.uri) or Opened(target.uri, None)
    start, document = target.range.start, opened.document
    if document is None:
        return Row(opened.shown, max(start.line, 0) + 1, max(start.character, 0) + 1, "")
    place = document.line_column(document.offset(start))
    source = shortened(document.line_text(place.line).strip(), MAX_SOURCE)
    return Row(opened.shown, place.line, place.column, source)


def _marked(part: object) -> str:
    """Return the text of a `MarkupContent` or a `MarkedString`; code in a named language is fenced."""
    if isinstance(part, str):
        return part
    members = wire.object_(part)
    value, language = wire.text(members.get("value")) or "", wire.text(members.get("language"))
    if language is None or not value.strip():
        return value
    longest = max(map(len, _BACKTICKS.findall(value)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{value}\n{fence}"
