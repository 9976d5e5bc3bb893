"""
One function per arguments class that takes JSON of exactly its types, and nothing else.

cattrs generates the function, around checks of ours: by itself it converts (`5` to "5", "false" to True, 3.9 to 3).
It is fast because it has no words for what is wrong; `repairs` finds those.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, assert_never

from attrs import frozen

from mmtools.arguments import json_text, validation_messages
from mmtools.errors import DefinitionError
from mmtools.schema import declarations
from mmtools.schema.shapes import (
    LARGEST_INTEGER,
    Anything,
    Array,
    Boolean,
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

__all__ = ["MISFITS", "Builder", "compiled"]

#: What `Builder.build` raises: for a wrong type, a missing key, and whatever the class's own validators raise.
MISFITS = (KeyError, TypeError, ValueError)


@frozen
class Builder:
    """
    A builder of instances of one arguments class.

    Args:
        build: A dict → an instance; raises one of `MISFITS`.
        exact: Whether every value is checked to its last leaf; not where anything may stand.
    """

    build: Callable[[Any], Any]
    exact: bool


@functools.cache
def compiled(arguments: type) -> Builder:
    """
    Return the builder of an arguments class; it is kept per class.

    Raises:
        DefinitionError: The class cannot be declared.
    """
    record = declarations.read(arguments)
    return Builder(_record(record), not _holds_anything(record))


#: Takes a JSON value and, because cattrs passes one, a type that it does not need; returns the field's value.
_Build: TypeAlias = Callable[..., Any]


class _MisfitError(ValueError):
    """A value that is not of its exact type; the walk finds the words."""


def _holds_anything(shape: Shape) -> bool:
    match shape:
        case Anything():
            return True
        case Array(inner) | Table(inner):
            return _holds_anything(inner)
        case Record(members=members):
            return any(_holds_anything(member.shape) for member in members.values())
        case OneOf(alternatives):
            return any(map(_holds_anything, alternatives))
        case _:
            return False


def _build(shape: Shape) -> _Build:
    match shape:
        case Text():
            return _text
        case Integer():
            return _integer
        case Number():
            return _number
        case Boolean():
            return _boolean
        case Null():
            return _null
        case Choice(values):
            return _choice(values)
        case Array(items):
            return _array(_build(items))
        case Table(values):
            return _table(_build(values))
        case Record():
            return _record(shape)
        case OneOf(alternatives):
            return _one_of([_build(alternative) for alternative in alternatives])
        case Anything():
            return _anything
        case _:
            assert_never(shape)


def _text(value: Any, _: Any = None) -> str:
    if type(value) is str:
        return value
    raise _MisfitError


def _integer(value: Any, _: Any = None) -> int:
    if type(value) is int and -LARGEST_INTEGER <= value <= LARGEST_INTEGER:
        return value
    raise _MisfitError


def _number(value: Any, _: Any = None) -> float:
    if type(value) is float and math.isfinite(value):
        return value
    return float(_integer(value))


def _boolean(value: Any, _: Any = None) -> bool:
    if type(value) is bool:
        return value
    raise _MisfitError


def _null(value: Any, _: Any = None) -> None:
    if value is not None:
        raise _MisfitError


def _anything(value: Any, _: Any = None) -> Any:
    return json_text.normal(value)


def _choice(values: Mapping[str | int, Any]) -> _Build:
    def build(value: Any, _: Any = None) -> Any:
        if type(value) in (str, int) and value in values:
            return values[value]
        raise _MisfitError

    return build


def _array(item: _Build) -> _Build:
    def build(value: Any, _: Any = None) -> tuple[Any, ...]:
        if type(value) is list:
            return tuple([item(each) for each in value])
        raise _MisfitError

    return build


def _table(entry: _Build) -> _Build:
    def build(value: Any, _: Any = None) -> dict[str, Any]:
        if type(value) is dict:
            return {_text(key): entry(each) for key, each in value.items()}
        raise _MisfitError

    return build


def _one_of(alternatives: list[_Build]) -> _Build:
    def build(value: Any, _: Any = None) -> Any:
        for alternative in alternatives:
            try:
                return alternative(value)
            except MISFITS:
                continue
        raise _MisfitError

    return build


def _record(record: Record) -> _Build:
    from cattrs import Converter  # here, for it costs more to import than all of mmtools
    from cattrs.gen import make_dict_structure_fn, override

    overrides: dict[str, Any] = {
        member.attribute: override(rename=wire, struct_hook=_build(member.shape))
        for wire, member in record.members.items()
    }
    if reserved := overrides.keys() & {"cl", "converter"}:
        raise DefinitionError(
            f"{record.type.__qualname__}: cattrs keeps {validation_messages.listed(sorted(reserved))} for itself; "
            "name the attribute otherwise, and give it Named(…)"
        )
    structure: _Build = make_dict_structure_fn(record.type, Converter(), _cattrs_detailed_validation=False, **overrides)
    keys = frozenset(record.members)

    def build(value: Any, _: Any = None) -> Any:
        if type(value) is dict and value.keys() <= keys:
            return structure(value, record.type)
        raise _MisfitError

    return build
