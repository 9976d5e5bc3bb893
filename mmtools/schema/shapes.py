"""What a declaration of arguments can say: a closed union of small shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from attrs import NOTHING, frozen

__all__ = [
    "LARGEST_INTEGER",
    "Anything",
    "Array",
    "Boolean",
    "Bounds",
    "Choice",
    "Integer",
    "Member",
    "Null",
    "Number",
    "OneOf",
    "Record",
    "Shape",
    "Table",
    "Text",
]

#: What every JSON implementation agrees on. Source: RFC 8259, section 6.
LARGEST_INTEGER = 2**53 - 1


@frozen
class Bounds:
    """The limits of a number, or of the length of a text, array or table; both ends belong to it."""

    low: float | None = None
    high: float | None = None


_UNBOUNDED = Bounds()


@frozen
class Text:
    """A string; bounds are of its characters."""

    bounds: Bounds = _UNBOUNDED


@frozen
class Integer:
    """An integer; `2.0` is none."""

    bounds: Bounds = _UNBOUNDED


@frozen
class Number:
    """A finite number; becomes a float."""

    bounds: Bounds = _UNBOUNDED


@frozen
class Boolean:
    """A boolean: true or false."""


@frozen
class Null:
    """The value null."""


@frozen
class Choice:
    """
    One of some strings or integers.

    Args:
        values: JSON value → Python value (an enum's member), in the written order.
    """

    values: Mapping[str | int, Any]


@frozen
class Array:
    """A list; becomes a tuple."""

    items: Shape
    bounds: Bounds = _UNBOUNDED


@frozen
class Table:
    """An object with any keys."""

    values: Shape
    bounds: Bounds = _UNBOUNDED


@frozen
class Record:
    """
    An object with known keys.

    Args:
        type: The attrs class.
        members: By wire name, in the written order.
    """

    type: type
    members: Mapping[str, Member]


@frozen
class OneOf:
    """A value of one of several shapes."""

    alternatives: tuple[Shape, ...]


@frozen
class Anything:
    """Any JSON value."""


#: A closed union: match it to the end.
Shape: TypeAlias = Text | Integer | Number | Boolean | Null | Choice | Array | Table | Record | OneOf | Anything


@frozen(kw_only=True)
class Member:
    """
    One field of a record.

    Args:
        attribute: Its name in the attrs class.
        shape: Without the null of an optional field: there null means absent.
        default: In Python's terms; `NOTHING` when required, or known only at construction.
    """

    attribute: str
    description: str
    shape: Shape
    required: bool
    default: Any = NOTHING
