"""
A ready schema made fit for model APIs that want one plain object at the root.

They refuse a whole request for one tool whose schema chooses, refers or denies at its root. Choices become one object
whose properties are those of all of them: it is wider than what was meant, so whatever a server takes can still be
sent, and the server checks as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import unquote

from attrs import frozen

__all__ = ["Unfoldable", "fold"]

#: At the root: one of them holds, or some.
_CHOICES = ("anyOf", "oneOf")
#: At the root: no plain object can say them. Leaving them out only widens it.
_UNSAID = frozenset(
    {"$schema", "$dynamicRef", "not", "enum", "const", "if", "dependentSchemas", "unevaluatedProperties"}
)
#: At the root: a reference to it, or what holds further properties.
_FOLDED = frozenset({*_CHOICES, *_UNSAID, "$ref", "allOf", "then", "else"})
#: Members of a schema that hold values, not schemas.
_VALUES = frozenset({"const", "default", "enum", "example", "examples"})
#: Parts that one root may consist of; a choice of choices grows fast.
_MOST_PARTS = 1000


class Unfoldable(ValueError):
    """A schema that cannot be put as one object; says why."""


@frozen(kw_only=True)
class _Object:
    """What some schemas together say of an object's keys; `closed` when there are no others."""

    properties: Mapping[str, Any]
    required: frozenset[str]
    closed: bool


def fold(schema: Mapping[str, Any]) -> dict[str, Any]:
    """
    Put a schema as one object: of type `object`, with `properties`, and with no choice or reference at its root.

    Args:
        schema: A JSON Schema; one that is such an object already comes back as it is.

    Raises:
        Unfoldable: It is no object's, or refers to what is not there.
    """
    if schema.get("type") == "object" and isinstance(schema.get("properties"), Mapping) and not _FOLDED & schema.keys():
        _require_references(schema)
        return dict(schema)
    whole = _Folding(schema).read(schema, ())
    folded: dict[str, Any] = {key: value for key, value in schema.items() if key not in _FOLDED}
    folded |= {"type": "object", "properties": dict(whole.properties)}
    for keyword in ("required", "additionalProperties"):
        folded.pop(keyword, None)
    if whole.required:
        folded["required"] = [name for name in whole.properties if name in whole.required] + sorted(
            whole.required - whole.properties.keys()
        )
    if whole.closed:
        folded["additionalProperties"] = False
    elif isinstance(schema.get("additionalProperties"), Mapping) and not _FOLDED & schema.keys():
        folded["additionalProperties"] = schema["additionalProperties"]
    _require_references(folded)
    return folded


class _Folding:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._parts = 0

    def read(self, schema: Any, followed: tuple[str, ...]) -> _Object:
        """Read one part of the root, and the parts that it consists of."""
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise Unfoldable(f"its root consists of more than {_MOST_PARTS} parts")
        if not isinstance(schema, Mapping):
            return _Object(properties={}, required=frozenset(), closed=False)
        kind = schema.get("type", "object")
        if kind != "object" and not (isinstance(kind, list) and "object" in kind):
            raise Unfoldable(f"its arguments are of type {kind!r}, not object")
        parts = [_own(schema)]
        if (reference := schema.get("$ref")) is not None:
            parts.append(self._referred(reference, followed))
        parts += [self.read(part, followed) for part in _listed(schema, "allOf")]
        for choice in _CHOICES:
            if options := self._objects(_listed(schema, choice), followed):
                parts.append(_one_of(options))
        if "if" in schema:
            parts.append(_one_of([self.read(schema.get(branch, {}), followed) for branch in ("then", "else")]))
        dependent = schema.get("dependentSchemas")
        if isinstance(dependent, Mapping):
            parts += [_one_of([_NOTHING, self.read(each, followed)]) for each in dependent.values()]
        return _all_of(parts)

    def _objects(self, options: Iterable[Any], followed: tuple[str, ...]) -> list[_Object]:
        """Read the options that an object can meet; arguments are one."""
        found, reason = [], None
        for option in options:
            try:
                found.append(self.read(option, followed))
            except Unfoldable as problem:
                reason = problem
        if reason is not None and not found:
            raise reason
        return found

    def _referred(self, reference: Any, followed: tuple[str, ...]) -> _Object:
        if reference in followed or reference == "#":
            raise Unfoldable("its root refers to itself")
        return self.read(_target(self._root, reference), (*followed, reference))


_NOTHING = _Object(properties={}, required=frozenset(), closed=False)


def _own(schema: Mapping[str, Any]) -> _Object:
    properties, required = schema.get("properties"), schema.get("required")
    return _Object(
        properties=dict(properties) if isinstance(properties, Mapping) else {},
        required=frozenset(each for each in required if isinstance(each, str))
        if isinstance(required, list)
        else frozenset(),
        closed=schema.get("additionalProperties") is False and "patternProperties" not in schema,
    )


def _one_of(options: list[_Object]) -> _Object:
    return _Object(
        properties=_merged(options, _either),
        required=frozenset.intersection(*(option.required for option in options)),
        closed=all(option.closed for option in options),
    )


def _all_of(parts: list[_Object]) -> _Object:
    return _Object(
        properties=_merged(parts, _both),
        required=frozenset[str]().union(*(part.required for part in parts)),
        closed=any(part.closed for part in parts),
    )


def _merged(objects: Iterable[_Object], joined: Any) -> dict[str, Any]:
    found: dict[str, list[Any]] = {}
    for each in objects:
        for name, schema in each.properties.items():
            schemas = found.setdefault(name, [])
            if schema not in schemas:
                schemas.append(schema)
    return {name: schemas[0] if len(schemas) == 1 else joined(schemas) for name, schemas in found.items()}


def _either(schemas: list[Any]) -> Any:
    return {"anyOf": schemas}


def _both(schemas: list[Any]) -> Any:
    whole: dict[str, Any] = {}
    for schema in schemas:
        if not isinstance(schema, Mapping) or any(key in whole and whole[key] != schema[key] for key in schema):
            return {"allOf": schemas}
        whole |= schema
    return whole


def _listed(schema: Mapping[str, Any], keyword: str) -> list[Any]:
    value = schema.get(keyword)
    return value if isinstance(value, list) else []


def _require_references(schema: Mapping[str, Any]) -> None:
    """Follow every reference within the document that a fold might have cut."""
    layer: list[Any] = [schema]
    while layer:
        following: list[Any] = []
        for value in layer:
            if isinstance(value, Mapping):
                if "$id" in value and value is not schema:
                    continue
                if isinstance(value.get("$ref"), str):
                    _target(schema, value["$ref"])
                following += (part for key, part in value.items() if key not in _VALUES)
            elif isinstance(value, list):
                following += value
        layer = following


def _target(root: Any, reference: Any) -> Any:
    if not isinstance(reference, str) or not (reference == "#" or reference.startswith("#/")):
        if isinstance(reference, str) and reference.startswith("#"):
            return {}
        raise Unfoldable(f"it refers to another document: {str(reference)[:80]!r}")
    at = root
    for step in reference[2:].split("/") if len(reference) > 1 else ():
        key = unquote(step).replace("~1", "/").replace("~0", "~")
        if isinstance(at, Mapping) and key in at:
            at = at[key]
        elif isinstance(at, list) and key.isdecimal() and int(key) < len(at):
            at = at[int(key)]
        else:
            raise Unfoldable(f"it refers to {reference[:80]!r}, which is not there")
    return at
