"""
An arguments class, read once from its annotations.

| annotation | shape |
| --- | --- |
| `str`, `int`, `float`, `bool`, `None` | `Text`, `Integer`, `Number`, `Boolean`, `Null` |
| `Literal["a", "b"]`, an enum of strings | `Choice`, in the written order |
| `tuple[T, ...]` | `Array` |
| `dict[str, T]`, `Mapping[str, T]` | `Table` |
| an attrs class | `Record` |
| `A \\| B` | `OneOf` |
| `Any`, `object` | `Anything` |

Nothing else can be declared: a type that JSON Schema would describe loosely would be checked loosely.
Every field says what it is for: `Annotated[T, Doc("…")]`. The limits of attrs' own validators are read too:
`ge`, `gt`, `le`, `lt`, `min_len`, `max_len`, alone, in `and_`, or in `optional`.
"""

from __future__ import annotations

import functools
import re
import types
import typing
from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, Literal, Union

import attrs
from attrs import frozen, validators
from typing_extensions import Doc

from mmtools.errors import DefinitionError
from mmtools.schema.shapes import (
    Anything,
    Array,
    Boolean,
    Bounds,
    Choice,
    Integer,
    Member,
    Null,
    Number,
    OneOf,
    Record,
    Shape,
    Table,
    Text,
)

__all__ = ["Named", "plain", "read"]


@frozen
class Named:
    """A field's wire name that is no Python name: `Annotated[bool, Doc("…"), Named("-i")]`."""

    wire: str


@functools.cache
def read(arguments: type) -> Record:
    """
    Read an arguments class; the answer is kept per class.

    Raises:
        DefinitionError: Names the class, the field, and what cannot be declared.
    """
    return _record(arguments, ())


def plain(value: Any) -> Any:
    """
    Return the JSON value that would be read as `value`; fields at their default are left out.

    Args:
        value: An instance of an arguments class, or the value of one of its fields.
    """
    kind: type[object] = type(value)
    if kind in _SCALARS:
        return value
    match value:
        case Enum():
            return value.value
        case tuple():
            return [plain(item) for item in value]
        case Mapping():
            return {key: plain(item) for key, item in value.items()}
    if not attrs.has(kind):
        return value
    given = {wire: (getattr(value, member.attribute), member.default) for wire, member in read(kind).members.items()}
    return {wire: plain(item) for wire, (item, default) in given.items() if item is not default and item != default}


_SCALARS = frozenset({str, int, float, bool, type(None)})


def _record(arguments: type, enclosing: tuple[type, ...]) -> Record:
    name = arguments.__qualname__
    if not attrs.has(arguments):
        raise DefinitionError(f"{name} is not an attrs class")
    if arguments in enclosing:
        raise DefinitionError(f"{name} contains itself: an inline schema cannot say that")
    try:
        hints = typing.get_type_hints(arguments, include_extras=True)
    except (NameError, TypeError, SyntaxError) as error:
        raise DefinitionError(f"{name}: an annotation cannot be resolved: {error}") from error
    members: dict[str, Member] = {}
    for attribute in attrs.fields(arguments):
        if attribute.init:
            hint = hints.get(attribute.name)
            wire, member = _member(attribute, hint, f"{name}.{attribute.name}", (*enclosing, arguments))
            if wire in members:
                raise DefinitionError(f"{name}: two fields are called {wire!r}")
            members[wire] = member
    return Record(arguments, members)


def _member(attribute: attrs.Attribute[Any], hint: Any, place: str, enclosing: tuple[type, ...]) -> tuple[str, Member]:
    notes = getattr(hint, "__metadata__", ())
    description = next((note.documentation for note in notes if isinstance(note, Doc)), "")
    if not description.strip():
        raise DefinitionError(f'{place} has no description: annotate it as Annotated[…, Doc("…")]')
    wire = next((note.wire for note in notes if isinstance(note, Named)), attribute.alias or attribute.name)
    if not _WIRE_NAME.fullmatch(wire):
        raise DefinitionError(f"{place}: no model API takes {wire!r} as the name of an argument")
    default, required = _default(attribute.default), attribute.default is attrs.NOTHING
    shape = _shape(hint, attribute.validator, place, enclosing)
    if not required and isinstance(shape, OneOf) and Null() in shape.alternatives:
        if default is not None:
            raise DefinitionError(f"{place}: null means absent for an optional field, so its default must be None")
        shape = _one_of([each for each in shape.alternatives if each != Null()])
    member = Member(attribute=attribute.name, description=description, shape=shape, required=required, default=default)
    return wire, member


#: Source: the pattern for property keys in the Anthropic API's error text; the others take more.
_WIRE_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")


def _default(default: Any) -> Any:
    if not isinstance(default, attrs.Factory):  # type: ignore[arg-type]  # the stub calls this class a function
        return default
    return attrs.NOTHING if default.takes_self else default.factory()


def _shape(hint: Any, validator: Any, place: str, enclosing: tuple[type, ...]) -> Shape:
    """Read one annotation; `validator` limits its outermost shape."""
    inner = functools.partial(_shape, validator=None, place=place, enclosing=enclosing)
    match typing.get_origin(hint), typing.get_args(hint):
        case (origin, (annotated, *_)) if origin is Annotated:
            return _shape(annotated, validator, place, enclosing)
        case (origin, values) if origin is Literal and all(type(value) in (str, int) for value in values):
            return Choice({value: value for value in values})
        case (origin, alternatives) if origin in (Union, types.UnionType):
            return _one_of([_shape(each, validator, place, enclosing) for each in alternatives])
        case (origin, (items, end)) if origin is tuple and end is Ellipsis:
            return Array(inner(items), _bounds(validator))
        case (origin, (key, values)) if origin in (dict, Mapping) and key is str:
            return Table(inner(values), _bounds(validator))
        case (None, _):
            return _plain_shape(hint, validator, place, enclosing)
    raise _undeclarable(hint, place)


def _plain_shape(hint: Any, validator: Any, place: str, enclosing: tuple[type, ...]) -> Shape:
    if hint is str:
        return Text(_bounds(validator))
    if hint is int:
        return Integer(_bounds(validator, step=1))
    if hint is float:
        return Number(_bounds(validator))
    if hint is bool:
        return Boolean()
    if hint is types.NoneType:
        return Null()
    if hint is Any or hint is object:
        return Anything()
    if isinstance(hint, type):
        if issubclass(hint, Enum):
            members = {member.value: member for member in hint}
            if members and all(isinstance(value, str) for value in members):
                return Choice(members)
            raise _undeclarable(hint, place)
        if attrs.has(hint):
            return _record(hint, enclosing)
    raise _undeclarable(hint, place)


def _one_of(alternatives: list[Shape]) -> Shape:
    return alternatives[0] if len(alternatives) == 1 else OneOf(tuple(alternatives))


def _undeclarable(hint: Any, place: str) -> DefinitionError:
    shown = hint.__qualname__ if isinstance(hint, type) and not typing.get_args(hint) else str(hint)
    return DefinitionError(
        f"{place}: {shown} cannot be declared; there are str, int, float, bool, Literal of str or int, an enum of str, "
        "tuple[T, ...], dict[str, T], an attrs class, unions of these, None, and Any"
    )


#: The classes behind attrs' functions: Any, for the stubs know only the functions.
_NUMERIC: Any = type(validators.ge(0))
_AT_LEAST: Any = type(validators.min_len(0))
_AT_MOST: Any = type(validators.max_len(0))
_ALL: Any = type(validators.and_(validators.ge(0)))
_OPTIONAL: Any = type(validators.optional(validators.ge(0)))


def _bounds(validator: Any, *, step: int = 0) -> Bounds:
    """
    Read what attrs' own validators say; others still run when the value is made, with their own text.

    Args:
        step: What an exclusive limit is moved by; 0 where it cannot be said with inclusive ones.
    """
    match validator:
        case _NUMERIC(bound=limit, compare_op=">="):
            return Bounds(low=limit)
        case _NUMERIC(bound=limit, compare_op="<="):
            return Bounds(high=limit)
        case _NUMERIC(bound=limit, compare_op=">") if step:
            return Bounds(low=limit + step)
        case _NUMERIC(bound=limit, compare_op="<") if step:
            return Bounds(high=limit - step)
        case _AT_LEAST(min_length=length):
            return Bounds(low=length)
        case _AT_MOST(max_length=length):
            return Bounds(high=length)
        case _OPTIONAL(validator=inner):
            return _bounds(inner, step=step)
        case _ALL(_validators=parts):
            each = [_bounds(part, step=step) for part in parts]
            lows = [bounds.low for bounds in each if bounds.low is not None]
            highs = [bounds.high for bounds in each if bounds.high is not None]
            return Bounds(max(lows, default=None), min(highs, default=None))
    return Bounds()
