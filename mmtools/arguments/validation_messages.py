"""What is wrong with arguments, said to a model: one line, bounded, however large or odd the arguments are."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeGuard, assert_never

from attrs import Factory, define

from mmtools.schema.shapes import (
    LARGEST_INTEGER,
    Anything,
    Array,
    Boolean,
    Bounds,
    Choice,
    Integer,
    Null,
    Number,
    OneOf,
    Record,
    Shape,
    Table,
    Text,
)

__all__ = ["MAX_CHARS", "Complaints", "described", "listed", "noun", "one_line", "out_of_bounds", "place"]

#: Of a whole refusal; it is read again with every later request of the session.
MAX_CHARS = 500

#: Of something quoted from the arguments.
_MAX_QUOTED = 40

#: Of the choices or keys that one complaint names.
_MAX_LISTED = 12

#: More would not be read, and a list of a million wrong items must not take minutes.
_MAX_COMPLAINTS = 8


@define
class Complaints:
    """What is wrong, in the order found."""

    texts: list[str] = Factory(list)

    def add(self, text: str) -> None:
        """Keep one complaint; beyond the first few they are not kept."""
        if not self.full:
            self.texts.append(text)

    @property
    def full(self) -> bool:
        """Whether looking further is of no use."""
        return len(self.texts) >= _MAX_COMPLAINTS

    def line(self) -> str:
        """Return them as one line of at most `MAX_CHARS`."""
        return one_line("; ".join([*self.texts[:-1], "and more"] if self.full else self.texts))


def one_line(text: str) -> str:
    """Return `text` on one line of printable characters, cut at `MAX_CHARS`."""
    cut = text if len(text) <= MAX_CHARS else text[: MAX_CHARS - 1] + "…"
    return cut if cut.isprintable() else "".join(char if char.isprintable() else " " for char in cut)


def place(parent: str, key: object) -> str:
    """Return the place of `key` in the object at `parent` ("" for the arguments themselves)."""
    shown = key if isinstance(key, str) and len(key) <= _MAX_QUOTED and key.isidentifier() else _quoted(key)
    return f"{parent}.{shown}" if parent else shown


def noun(shape: Shape) -> str:
    """Return what is wanted, with its article."""
    match shape:
        case Text():
            return "a string"
        case Integer():
            return "an integer"
        case Number():
            return "a number"
        case Boolean():
            return "true or false"
        case Null():
            return "null"
        case Choice(values):
            return "one of " + listed(values)
        case Array(Record() | Table()):
            return "a list of objects"
        case Array():
            return "a list"
        case Table() | Record():
            return "an object"
        case OneOf(alternatives):
            return " or ".join(noun(alternative) for alternative in alternatives)
        case Anything():
            return "a JSON value"
        case _:
            assert_never(shape)


def listed(keys: Iterable[object]) -> str:
    """Return values or names, quoted as JSON, the first of them when there are many."""
    shown = [_quoted(key) for key in itertools.islice(keys, _MAX_LISTED + 1)]
    return ", ".join(shown[:_MAX_LISTED]) + (", …" if len(shown) > _MAX_LISTED else "")


def described(value: object) -> str:
    """Return what was sent instead, shortened."""
    match value:
        case str():
            return f"the string {_quoted(value)}"
        case bool() | None:
            return _quoted(value)
        case int() | float():
            return _number(value) if _is_huge(value) else f"the number {_number(value)}"
        case Mapping():
            return "an object"
        case list() | tuple():
            return "a list"
        case _:
            return f"a value of type {_cut(type(value).__name__)}"


def out_of_bounds(shape: Shape, value: Any) -> str:
    """Return what is wrong with the size of a value of the right type: "must be at least 0, not -1"; "" if nothing."""
    match shape:
        case Integer(bounds) | Number(bounds):
            low = -LARGEST_INTEGER if bounds.low is None else bounds.low
            high = LARGEST_INTEGER if bounds.high is None else bounds.high
            return _misses(Bounds(low, high) if isinstance(value, int) else bounds, value, "be", "")
        case Text(bounds):
            return _misses(bounds, len(value), "have", " characters")
        case Array(bounds=bounds):
            return _misses(bounds, len(value), "have", " items")
        case Table(bounds=bounds):
            return _misses(bounds, len(value), "have", " keys")
        case _:
            return ""


def _misses(bounds: Bounds, size: float, verb: str, unit: str) -> str:
    if bounds.low is not None and size < bounds.low:
        return f"must {verb} at least {_counted(bounds.low, unit)}, not {_number(size)}"
    if bounds.high is not None and size > bounds.high:
        return f"must {verb} at most {_counted(bounds.high, unit)}, not {_number(size)}"
    return ""


def _counted(limit: float, unit: str) -> str:
    return f"{limit}{unit.removesuffix('s') if limit == 1 else unit}"


def _number(value: float) -> str:
    return f"a number of {value.bit_length()} bits" if _is_huge(value) else json.dumps(value)


def _is_huge(value: float) -> TypeGuard[int]:
    """Whether a number has more digits than a reader takes in, and perhaps than Python prints."""
    return isinstance(value, int) and value.bit_length() > 64


def _quoted(value: object) -> str:
    """Return a key or scalar as JSON, in printable characters only; something else by its type."""
    if not isinstance(value, str | int | float | None) or (isinstance(value, int) and _is_huge(value)):
        return f"({_cut(type(value).__name__)})"
    exact = _cut(value) if isinstance(value, str) else value
    text = json.dumps(exact, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(exact)


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_QUOTED else text[:_MAX_QUOTED] + "…"
