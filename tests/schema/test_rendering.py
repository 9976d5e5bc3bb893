"""Schemas are valid, closed, small, described, without references, and fresh at every call."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mmtools import schema
from tests.arguments.zoo import ZOO, EditFileArgs, LimitedArgs, PlainArgs


def inner_schemas(rendered: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Walk every schema inside a schema, itself first."""
    yield rendered
    for key in ("properties",):
        for inner in rendered.get(key, {}).values():
            yield from inner_schemas(inner)
    for key in ("items", "additionalProperties"):
        if isinstance(inner := rendered.get(key), dict):
            yield from inner_schemas(inner)
    for inner in rendered.get("anyOf", ()):
        yield from inner_schemas(inner)


@pytest.mark.parametrize("arguments", ZOO)
def test_every_schema_is_valid_by_the_meta_schema(arguments: type) -> None:
    Draft202012Validator.check_schema(schema.of(arguments))


@pytest.mark.parametrize("arguments", ZOO)
def test_the_root_is_an_inline_object_and_nothing_is_noise(arguments: type) -> None:
    rendered = schema.of(arguments)
    assert rendered["type"] == "object"
    assert not {"$ref", "$defs", "$schema", "title"} & {key for inner in inner_schemas(rendered) for key in inner}
    assert json.loads(json.dumps(rendered, allow_nan=False)) == rendered


@pytest.mark.parametrize("arguments", ZOO)
def test_every_record_is_closed_and_every_member_described(arguments: type) -> None:
    for inner in inner_schemas(schema.of(arguments)):
        if "properties" in inner:
            assert inner["additionalProperties"] is False
            assert set(inner.get("required", ())) <= inner["properties"].keys()
            assert all(member["description"] for member in inner["properties"].values())


@pytest.mark.parametrize("arguments", ZOO)
def test_every_default_is_allowed_by_its_own_schema(arguments: type) -> None:
    for inner in inner_schemas(schema.of(arguments)):
        if "default" in inner:
            Draft202012Validator(inner).validate(inner["default"])


def test_a_tool_of_the_reference_renders_as_this() -> None:
    text = {"type": "string"}
    assert schema.of(EditFileArgs) == {
        "type": "object",
        "properties": {
            "path": text | {"description": "Path of an existing file."},
            "edits": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "old": text | {"description": "Exact text to find."},
                        "new": text | {"description": "Replacement."},
                    },
                    "required": ["old", "new"],
                    "additionalProperties": False,
                },
                "minItems": 1,
                "description": "Replacements.",
            },
            "dry_run": {"type": "boolean", "description": "Write nothing.", "default": False},
        },
        "required": ["path", "edits"],
        "additionalProperties": False,
    }


def test_members_and_choices_stand_in_the_written_order() -> None:
    properties = schema.of(PlainArgs)["properties"]
    assert list(properties)[:3] == ["text", "whole", "ratio"]
    assert properties["colour"]["enum"] == ["red", "blue", "amber"]
    assert properties["level"] == {"type": "integer", "enum": [3, 1, 2], "description": "A literal.", "default": 1}


def test_defaults_are_shown_as_json() -> None:
    properties = schema.of(PlainArgs)["properties"]
    assert properties["colour"]["default"] == "blue"
    assert properties["names"]["default"] == ["a", "b"]
    assert properties["counts"]["default"] == {}
    assert properties["edit"]["default"] == {"old": "a", "new": "b"}


def test_an_optional_null_is_not_shown_and_a_required_one_is() -> None:
    properties = schema.of(LimitedArgs)["properties"]
    assert properties["context"] == {"type": "integer", "minimum": 0, "description": "Lines around."}
    assert properties["parent"]["anyOf"] == [{"type": "integer"}, {"type": "null"}]


def test_wire_names_are_the_declared_ones() -> None:
    assert {"-i", "hidden"} < schema.of(LimitedArgs)["properties"].keys()


@pytest.mark.parametrize("arguments", ZOO)
def test_each_call_returns_a_fresh_schema(arguments: type) -> None:
    before = json.dumps(schema.of(arguments))
    for inner in list(inner_schemas(schema.of(arguments))):
        for value in inner.values():
            if isinstance(value, list | dict):
                value.clear()
        inner.clear()
    assert json.dumps(schema.of(arguments)) == before


def test_a_ready_schema_is_copied_to_its_last_leaf_and_otherwise_left_alone() -> None:
    ready = MappingProxyType(
        {"type": "object", "$defs": {"Q": {"enum": [1, (2,)]}}, "properties": {"q": {"$ref": "#/$defs/Q"}}}
    )
    copy = schema.of(ready)
    assert copy == {"type": "object", "$defs": {"Q": {"enum": [1, [2]]}}, "properties": {"q": {"$ref": "#/$defs/Q"}}}
    copy["$defs"]["Q"]["enum"].clear()
    copy["properties"]["q"]["$ref"] = ""
    assert ready["properties"] == {"q": {"$ref": "#/$defs/Q"}}
    assert ready["$defs"] == {"Q": {"enum": [1, (2,)]}}
