"""
Arguments that almost fit, made to fit: the written repairs, and no others.

| wanted | sent | taken as |
| --- | --- | --- |
| array, object, integer, number, boolean | a string that is JSON for one (`"[1]"`, `"2"`, `"true"`) | that JSON |
| array of objects | one object | an array of it |
| integer | a float without a fraction (`2.0`) | the integer |
| optional field | `null` | absent |
| a field | one of the tool's documented aliases, the field itself absent | the field |
| nothing | an unknown key beside the fields | left out |

One may follow another: a string that holds one object is an array of objects.

Never repaired: what a string field holds (a number there is refused); `true` for 1; `"2x"`, `3.9`; text that is almost JSON.

Which unknown keys are left out, and which are refused: `unknown_keys`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, assert_never

from attrs import Factory, define

from mmtools.arguments import json_text, unknown_keys, validation_messages
from mmtools.arguments.json_text import JsonTextError
from mmtools.arguments.validation_messages import Complaints
from mmtools.errors import ArgumentsRefused
from mmtools.schema.shapes import (
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
from mmtools.tool import ToolSpec

__all__ = ["repaired"]


def repaired(arguments: object, record: Record, spec: ToolSpec) -> dict[str, Any]:
    """
    Return arguments of exactly the record's types, as JSON has them.

    Args:
        arguments: A JSON value as decoded, or a host's mapping.

    Raises:
        ArgumentsRefused: One line that names every place that does not fit.
    """
    repair = _Repair(spec)
    value: dict[str, Any] = repair.fit(arguments, record, "")
    if repair.validation_messages.texts:
        raise ArgumentsRefused(repair.validation_messages.line())
    return value


@define
class _Repair:
    """The walk of a value along its shape: the value comes back repaired, or, after a complaint, as anything."""

    spec: ToolSpec
    validation_messages: Complaints = Factory(Complaints)
    changed: bool = False

    def fit(self, value: object, shape: Shape, place: str) -> Any:
        if isinstance(shape, OneOf):
            return self._one_of(value, shape, place)
        if isinstance(shape, Anything):
            return self._anything(value, place)
        meant = _meant(value, shape)
        if not _is(meant, shape):
            return self._wrong(value, shape, place)
        self.changed |= meant is not value
        if problem := validation_messages.out_of_bounds(shape, meant):
            self.validation_messages.add(f"{place} {problem}")
        match shape:
            case Record():
                return self._record(meant, shape, place)
            case Array(items):
                return [
                    self.fit(item, items, f"{place}[{n}]")
                    for n, item in enumerate(meant)
                    if not self.validation_messages.full
                ]
            case Table(values):
                return {key: self._entry(key, item, values, place) for key, item in meant.items()}
            case _:
                return meant

    def _wrong(self, value: object, shape: Shape, place: str) -> None:
        text = f"{place or 'arguments'} must be {validation_messages.noun(shape)}"
        if isinstance(value, str) and value.lstrip()[:1] in ("[", "{") and isinstance(shape, Array | Table | Record):
            try:
                json_text.decode(value)
            except JsonTextError as error:
                self.validation_messages.add(f"{text}; its text is not valid JSON: {error}")
                return
        self.validation_messages.add(f"{text}, not {validation_messages.described(value)}")

    def _entry(self, key: object, value: object, shape: Shape, place: str) -> Any:
        if not isinstance(key, str):
            self.validation_messages.add(f"{validation_messages.place(place, key)} has a key that is not a string")
        return None if self.validation_messages.full else self.fit(value, shape, validation_messages.place(place, key))

    def _anything(self, value: object, place: str) -> Any:
        try:
            return json_text.normal(value)
        except JsonTextError as error:
            self.validation_messages.add(f"{place} must be a JSON value: {error}")

    def _one_of(self, value: object, shape: OneOf, place: str) -> Any:
        """Prefer an alternative of the value's own type, so that a string stays one where a string may stand."""
        own = [alternative for alternative in shape.alternatives if _is(_exact(value), alternative)]
        repaired: list[Any] = []
        for alternative in own or shape.alternatives:
            attempt = _Repair(self.spec)
            meant = attempt.fit(value, alternative, place)
            if not attempt.validation_messages.texts:
                if not attempt.changed:
                    return meant
                repaired.append(meant)
        if repaired:
            self.changed = True
            return repaired[0]
        return self.fit(value, own[0], place) if len(own) == 1 else self._wrong(value, shape, place)

    def _record(self, sent: Mapping[Any, Any], record: Record, place: str) -> dict[str, Any]:
        keys = unknown_keys.settle(sent, record, self.spec, place, self.validation_messages)
        self.changed |= bool(keys.renamed)
        prefix = f"{place}." if place else ""
        members: dict[str, Any] = {}
        missing = False
        for wire, member in record.members.items():
            if wire in keys.named and (member.required or keys.named[wire] is not None):
                members[wire] = self.fit(keys.named[wire], member.shape, prefix + wire)
            elif wire in keys.named:
                self.changed = True
            elif member.required and wire not in keys.misplaced:
                self.validation_messages.add(f"{prefix}{wire} is missing")
                missing = True
        if missing and keys.ignored:
            are = "is not an argument" if len(keys.ignored) == 1 else "are not arguments"
            self.validation_messages.add(f"{validation_messages.listed(keys.ignored)} {are} of {self.spec.name}")
        return members


def _meant(value: object, shape: Shape) -> Any:
    """Return what `value` is taken as where `shape` is wanted, its members not looked at."""
    meant = _exact(value)
    if isinstance(meant, str) and not _takes_text(shape):
        try:
            meant = json_text.decode(meant)
        except JsonTextError:
            return meant
    match shape, meant:
        case Integer() | Choice(), float() if meant.is_integer():
            return int(meant)
        case Array(), tuple():
            return list(meant)
        case Array(Record() | Table()), Mapping():
            return [meant]
        case _:
            return meant


def _exact(value: object) -> object:
    """Return the content of a host's subclass of a JSON type: a member of a `StrEnum`, a float of numpy."""
    if type(value) in _EXACT:
        return value
    match value:
        case str():
            return str.__str__(value)
        case int():
            return int.__int__(value)
        case float():
            return float.__float__(value)
        case _:
            return value


_EXACT = frozenset({str, int, float, bool, dict, list})


def _takes_text(shape: Shape) -> bool:
    match shape:
        case Text() | Null():
            return True
        case Choice(values):
            return any(isinstance(value, str) for value in values)
        case _:
            return False


def _is(value: object, shape: Shape) -> bool:
    """Whether an exact value is of the shape's type, its members and its size not looked at."""
    match shape:
        case Text():
            return isinstance(value, str)
        case Integer():
            return type(value) is int
        case Number():
            return type(value) is int or (isinstance(value, float) and math.isfinite(value))
        case Boolean():
            return isinstance(value, bool)
        case Null():
            return value is None
        case Choice(values):
            return type(value) in (str, int) and value in values
        case Array():
            return isinstance(value, list | tuple)
        case Record() | Table():
            return isinstance(value, Mapping)
        case OneOf(alternatives):
            return any(_is(value, alternative) for alternative in alternatives)
        case Anything():
            return True
        case _:
            assert_never(shape)
