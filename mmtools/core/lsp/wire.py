"""The small pieces of a server's JSON, decoded leniently: what is not of the wanted shape is None or empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mmtools.core.lsp.positions import Position, Range

__all__ = ["number", "object_", "one_line", "position", "range_", "sequence", "text"]


def object_(value: object) -> Mapping[str, object]:
    """Return an object's members."""
    return value if isinstance(value, dict) else {}


def sequence(value: object) -> Sequence[object]:
    """Return an array's items."""
    return value if isinstance(value, list | tuple) else ()


def text(value: object) -> str | None:
    """Return a string."""
    return value if isinstance(value, str) else None


def number(value: object) -> int | None:
    """Return a whole number; `2.0` is one, `true` is not."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value if isinstance(value, int) else None


def position(value: object) -> Position | None:
    """Return a `Position`, its numbers as received."""
    members = object_(value)
    line, character = number(members.get("line")), number(members.get("character"))
    return None if line is None or character is None else Position(line, character)


def range_(value: object) -> Range | None:
    """Return a `Range`, its ends as received."""
    members = object_(value)
    start, end = position(members.get("start")), position(members.get("end"))
    return None if start is None or end is None else Range(start, end)


def one_line(words: str) -> str:
    """Fold line breaks, and the blanks around each, to a space."""
    return " ".join(filter(None, map(str.strip, words.splitlines())))
