"""Older spellings in a ready schema, put in the words of JSON Schema 2020-12: the only ones that model APIs take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["renew"]

#: Members that hold schemas by names which somebody chose.
_NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
#: Members that hold values, not schemas.
_VALUES = frozenset({"const", "default", "enum", "example", "examples"})
_EXCLUSIVE = (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum"))


def renew(schema: Any) -> Any:
    """
    Put a schema and the schemas in it in new words; one that is new already stays as it is.

    Lists of items, exclusive limits that are booleans, and arrays that do not say their items.
    """
    if isinstance(schema, list):
        return [renew(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    renewed = {key: _member(key, value) for key, value in schema.items()}
    if isinstance(renewed.get("items"), list):
        rest = renewed.pop("additionalItems", None)
        renewed["prefixItems"] = renewed.pop("items")
        renewed["items"] = {} if rest is None else rest
    kind = renewed.get("type")
    if (kind == "array" or (isinstance(kind, list) and "array" in kind)) and "items" not in renewed:
        renewed["items"] = {}
    for limit, exclusive in _EXCLUSIVE:
        if isinstance(renewed.get(exclusive), bool) and renewed.pop(exclusive) and limit in renewed:
            renewed[exclusive] = renewed.pop(limit)
    return renewed


def _member(key: str, value: Any) -> Any:
    if key in _VALUES:
        return value
    if key in _NAMED and isinstance(value, Mapping):
        return {name: renew(each) for name, each in value.items()}
    return renew(value)
