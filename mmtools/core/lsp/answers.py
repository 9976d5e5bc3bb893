"""
What servers answer to `definition`, `references`, `hover` and `prepareRename`, in all their shapes.

The order of each decoding is the protocol's; what cannot be read is counted, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from attrs import frozen

from mmtools.core.lsp import wire
from mmtools.core.lsp.code_units import Units
from mmtools.core.lsp.positions import Document, Position, Range

__all__ = [
    "MAX_SOURCE",
    "NotRenamable",
    "Opened",
    "Prepared",
    "Renamable",
    "Row",
    "Target",
    "Targets",
    "hover",
    "locations",
    "prepared",
    "rows",
]

#: Characters of a source line beside its place (ours).
MAX_SOURCE = 200

_BACKTICKS = re.compile("`+")


@frozen
class Target:
    """
    A stretch of some file, as the server pointed at it.

    Args:
        uri: As received.
    """

    uri: str
    range: Range


@frozen
class Targets:
    """
    The places that a server named.

    Args:
        found: In its order.
        unread: How many more it named in a form that says nothing.
    """

    found: tuple[Target, ...]
    unread: int = 0


@frozen
class Opened:
    """
    What is known of a file that a server pointed at.

    Args:
        shown: Its path for the model.
        document: None when it cannot be read.
    """

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
    """
    The answer that a rename may be asked for.

    Args:
        range: What would be renamed, where the server says it.
    """

    range: Range | None = None


@frozen
class NotRenamable:
    """The answer that there is nothing to rename."""


#: What `prepareRename` can answer. A closed union.
Prepared: TypeAlias = Renamable | NotRenamable


def locations(answer: object) -> Targets:
    """Decode a `Location`, a `LocationLink`, a list of both, or null."""
    entries = [answer] if isinstance(answer, dict) else wire.sequence(answer)
    found = [target for target in map(_target, entries) if target]
    unread = len(entries) - len(found) if isinstance(answer, dict | list | tuple | None) else 1
    return Targets(tuple(found), unread)


def rows(targets: Iterable[Target], files: Mapping[str, Opened], name: str = "") -> tuple[Row, ...]:
    """
    Say where targets start, sorted by path and place, each place once.

    Args:
        files: By URI as received. Of a file that is not there, the URI is shown and its numbers are taken
            for characters.
        name: The identifier asked about. Some servers count characters whatever they announce: where the name
            stands so and not else, that is the place.
    """
    found = {(row.path, row.line, row.column): row for row in (_row(target, files, name) for target in targets)}
    return tuple(sorted(found.values()))


def hover(answer: object) -> str:
    """Return a hover's text as the server sent it, several parts with a blank line between; empty for nothing."""
    contents = answer["contents"] if isinstance(answer, dict) and "contents" in answer else answer
    parts = wire.sequence(contents) or (contents,)
    told = [part for part in map(_marked, parts) if part.strip()]
    return told[0] if len(told) == 1 else "\n\n".join(part.strip("\r\n") for part in told)


def prepared(answer: object) -> Prepared:
    """Decode a range, a range with a placeholder, `defaultBehavior`, or null."""
    members = wire.object_(answer)
    range_ = wire.range_(members) or wire.range_(members.get("range"))
    return Renamable(range_) if range_ or members.get("defaultBehavior") is True else NotRenamable()


def _target(entry: object) -> Target | None:
    members = wire.object_(entry)
    uri = wire.text(members.get("targetUri")) or wire.text(members.get("uri"))
    ranges = (wire.range_(members.get(name)) for name in ("targetSelectionRange", "targetRange", "range"))
    range_ = next(filter(None, ranges), None)
    return Target(uri, range_) if uri and range_ else None


def _row(target: Target, files: Mapping[str, Opened], name: str) -> Row:
    opened = files.get(target.uri) or Opened(target.uri, None)
    start, document = target.range.start, opened.document
    if document is None:
        return Row(opened.shown, max(start.line, 0) + 1, max(start.character, 0) + 1, "")
    place = document.line_column(_offset(start, document, name))
    source = document.line_text(place.line).strip()
    if len(source) > MAX_SOURCE:
        source = source[: MAX_SOURCE - 1] + "…"
    return Row(opened.shown, place.line, place.column, source)


def _offset(start: Position, document: Document, name: str) -> int:
    offset, text = document.offset(start), document.text
    if not text.isascii() and not text.startswith(name, offset):
        by_characters = Document(text, Units.UTF32).offset(start)
        if text.startswith(name, by_characters):
            return by_characters
    return offset


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
