"""
An arguments class as JSON Schema, 2020-12: one inline object, no references, closed, every field described.

Small on purpose, for it is paid at every request: no titles, no empty lists, no null where leaving out says the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from attrs import NOTHING

from mmtools.schema import declarations
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

__all__ = ["of"]


def of(arguments: type | Mapping[str, Any]) -> dict[str, Any]:
    """
    Return the schema of an arguments class, or a copy of a ready schema.

    Args:
        arguments: An attrs class with `Annotated[T, Doc("…")]` fields, or a JSON Schema as it is to be sent.

    Returns:
        A fresh dict at every call. An optional field shows its default unless that is None, and never
        shows null: null is read as absent.

    Raises:
        DefinitionError: The class has a field without a description, or of a type that cannot be declared.
    """
    if isinstance(arguments, Mapping):
        return {key: _copied(value) for key, value in arguments.items()}
    return _rendered(declarations.read(arguments))


def _copied(value: Any) -> Any:
    match value:
        case Mapping():
            return {key: _copied(item) for key, item in value.items()}
        case list() | tuple():
            return [_copied(item) for item in value]
        case _:
            return value


def _rendered(shape: Shape) -> dict[str, Any]:
    match shape:
        case Text(bounds):
            return {"type": "string"} | _limits(bounds, "minLength", "maxLength")
        case Integer(bounds):
            return {"type": "integer"} | _limits(bounds, "minimum", "maximum")
        case Number(bounds):
            return {"type": "number"} | _limits(bounds, "minimum", "maximum")
        case Boolean():
            return {"type": "boolean"}
        case Null():
            return {"type": "null"}
        case Choice(values):
            return _type_of_all(values) | {"enum": list(values)}
        case Array(items, bounds):
            return {"type": "array", "items": _rendered(items)} | _limits(bounds, "minItems", "maxItems")
        case Table(values, bounds):
            return {"type": "object", "additionalProperties": _rendered(values)} | _limits(
                bounds, "minProperties", "maxProperties"
            )
        case Record(members=members):
            required = [wire for wire, member in members.items() if member.required]
            return {
                "type": "object",
                "properties": {wire: _property(member) for wire, member in members.items()},
                **({"required": required} if required else {}),
                "additionalProperties": False,
            }
        case OneOf(alternatives):
            return {"anyOf": [_rendered(alternative) for alternative in alternatives]}
        case Anything():
            return {}
        case _:
            assert_never(shape)


def _property(member: Member) -> dict[str, Any]:
    rendered = _rendered(member.shape) | {"description": member.description}
    if member.default is None or member.default is NOTHING:
        return rendered
    return rendered | {"default": declarations.plain(member.default)}


def _limits(bounds: Bounds, low: str, high: str) -> dict[str, Any]:
    return {keyword: limit for keyword, limit in ((low, bounds.low), (high, bounds.high)) if limit is not None}


def _type_of_all(values: Mapping[str | int, Any]) -> dict[str, Any]:
    match {type(value) for value in values}:
        case kinds if kinds == {str}:
            return {"type": "string"}
        case kinds if kinds == {int}:
            return {"type": "integer"}
        case _:
            return {}
