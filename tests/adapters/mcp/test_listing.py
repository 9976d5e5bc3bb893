"""Lists of tools: those that can be offered are, as they are; each other one has a reason."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.mcp.listing import read_tools
from mmtools.ports.remote_tools import McpServer, RemoteTool

SERVER = McpServer("s", ["x"])
NESTED = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "properties": {"q": {"$ref": "#/$defs/Q"}, "t": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
    "required": ["q"],
    "$defs": {
        "Q": {
            "type": "object",
            "properties": {"n": {"type": "integer"}, "kids": {"type": "array", "items": {"$ref": "#/$defs/Q"}}},
        }
    },
    "additionalProperties": False,
}


def deep(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def offered(schema: object) -> RemoteTool:
    [tool], left_out = read_tools(SERVER, [{"name": "a", "inputSchema": schema}])
    assert left_out == []
    return tool


def refused(**entry: Any) -> str:
    tools, [left_out] = read_tools(SERVER, [entry])
    assert tools == []
    return left_out.reason


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(60_000)}},
        {"type": "object", "$defs": {f"p{n}": {"allOf": [{}, {}]} for n in range(20_000)}},
        {"type": "object", "properties": {"a": {"enum": [{"v": n} for n in range(20_000)]}}},
        {"type": "object", "description": "x" * 3_000_000},
        {"type": "object", "required": [f"p{n}" for n in range(60_000)]},
        {"type": "object", "properties": {f"p{n}": {"$ref": "#/a" + "/b" * 500} for n in range(400)}},
    ],
)
def test_a_schema_without_measure_is_left_out_before_it_is_checked(schema: dict[str, Any]) -> None:
    assert "its arguments' schema is too large" in refused(name="a", inputSchema=schema)


def test_what_is_not_checked_in_time_is_left_out() -> None:
    tools, [left_out] = read_tools(SERVER, [{"name": "a", "inputSchema": NESTED}], until=0.0)
    assert tools == []
    assert left_out.reason == "its arguments' schema could not be checked in the time for the server's start"


keys = st.sampled_from(
    ["name", "inputSchema", "type", "properties", "$ref", "a", "object", "description", "#/a", "\ud800"]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | keys,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


@given(
    st.lists(
        values | st.fixed_dictionaries({"name": st.sampled_from("abc")}, optional={"inputSchema": values}), max_size=6
    )
)
def test_every_entry_is_offered_or_has_a_reason_and_what_is_offered_can_be_sent(listed: list[Any]) -> None:
    tools, left_out = read_tools(SERVER, listed)
    assert len(tools) + len(left_out) == len(listed)
    assert len({tool.name for tool in tools}) == len(tools)
    for tool in tools:
        json.dumps([tool.name, tool.description, tool.schema], ensure_ascii=False).encode()
        assert tool.schema["type"] == "object"
    for each in left_out:
        str(each).encode()
        assert each.reason


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        NESTED,
        {"type": "object", "properties": {"$ref": {"type": "string"}, "a/b~c": {}, "x": {"$ref": "#/properties/a~1b~0c"}}},
        {"type": "object", "allOf": [{}, {"$ref": "#/allOf/0"}]},
        {"type": "object", "properties": {"a": {"const": {"$ref": "#/nowhere"}}}},
        {"type": "object", "properties": {"a": {"$id": "http://x/y", "$ref": "#/nowhere"}}},
        {"type": "object", "properties": {"a": {"$ref": "http://elsewhere/schema"}}},
        deep(40),
    ],
    ids=lambda schema: json.dumps(schema)[:60],
)  # fmt: skip
def test_a_schema_is_passed_on_as_it_is(schema: dict[str, Any]) -> None:
    assert json.dumps(offered(schema).schema) == json.dumps(schema)


def test_a_missing_schema_or_type_is_that_of_an_object() -> None:
    assert offered(None).schema == {"type": "object", "properties": {}}
    assert offered({}).schema == {"type": "object"}
    assert offered({"properties": {"a": {}}}).schema == {"type": "object", "properties": {"a": {}}}


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ("text", 'its arguments\' schema is no object but "text"'),
        ([], "its arguments' schema is no object but []"),
        ({"type": "string"}, 'its arguments\' schema is of type "string", not object'),
        ({"type": ["object", "null"]}, 'its arguments\' schema is of type ["object", "null"], not object'),
        (
            {"type": "object", "properties": 3},
            "its arguments' schema is wrong at properties: 3 is not of type 'object'",
        ),
        ({"type": "object", "required": "a"}, "its arguments' schema is wrong at required: 'a' is not of type 'array'"),
        (
            {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}},
            "its arguments' schema refers to #/$defs/A, which is not there",
        ),
        ({"type": "object", "title": "\ud800"}, "its arguments' schema holds half of a character"),
        (deep(60), "its arguments' schema is nested deeper than 100 levels"),
    ],
)
def test_a_broken_schema_has_its_reason(schema: object, reason: str) -> None:
    assert refused(name="a", inputSchema=schema) == reason


def test_a_broken_tool_costs_no_other() -> None:
    listed = [
        {"name": "a"},
        {"name": ""},
        7,
        {"name": 5},
        {"name": "b", "inputSchema": 1},
        {"name": "a"},
        {"name": "c"},
    ]
    tools, left_out = read_tools(SERVER, listed)
    assert [tool.name for tool in tools] == ["a", "c"]
    assert [(each.tool, each.reason) for each in left_out] == [
        ("number 2", "it has no name"),
        ("number 3", "it has no name"),
        ("number 4", "it has no name"),
        ("b", "its arguments' schema is no object but 1"),
        ("a", "the server lists that name twice; the first one is offered"),
    ]


def test_a_name_that_nobody_can_send_is_left_out() -> None:
    _, [left_out] = read_tools(SERVER, [{"name": "a\ud800"}])
    assert (left_out.tool, left_out.reason) == ("a?", "its name holds half of a character")


@pytest.mark.parametrize(
    ("entry", "description"),
    [
        ({"description": "Do it.", "title": "T"}, "Do it."),
        ({"description": " ", "title": "T"}, "T"),
        ({"annotations": {"title": "A"}}, "A"),
        ({"annotations": 3, "description": 4}, ""),
        ({"description": "half \ud800"}, "half ?"),
    ],
)
def test_the_description_is_the_servers(entry: dict[str, Any], description: str) -> None:
    [tool], _ = read_tools(SERVER, [{"name": "a", **entry}])
    assert tool.description == description


@pytest.mark.parametrize("hint", [True, False, None, "true", 1])
def test_only_a_trusted_server_is_believed_to_read(hint: object) -> None:
    entry = {"name": "a", "annotations": {"readOnlyHint": hint}}
    trusted = McpServer("s", ["x"], trusted_reads=True)
    assert not read_tools(SERVER, [entry])[0][0].reads
    assert read_tools(trusted, [entry])[0][0].reads == (hint is True)
