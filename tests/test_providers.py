"""The tool lists that model APIs take, in their shapes, with names they take."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mmtools import providers
from mmtools.call import ToolKind
from mmtools.errors import DefinitionError
from mmtools.tool import ToolSpec
from tests.arguments.zoo import EDIT, READ, TOOLS, spec_of

PROVIDERS = [
    providers.anthropic,
    providers.gemini,
    providers.mcp,
    providers.openai_chat,
    providers.openai_responses,
]

READY = {"type": "object", "properties": {"q": {"$ref": "#/$defs/Q"}}, "$defs": {"Q": {"type": "string"}}}


def closed(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


TEXT = {"type": "string"}
SCHEMA = {"type": "object", "required": ["type", "properties"]}

#: What each API's reference says that its `tools` hold, strictly.
SHAPES: dict[Callable[..., Any], dict[str, Any]] = {
    providers.anthropic: closed(name=TEXT, description=TEXT, input_schema=SCHEMA),
    providers.openai_chat: closed(
        type={"const": "function"}, function=closed(name=TEXT, description=TEXT, parameters=SCHEMA)
    ),
    providers.openai_responses: closed(
        type={"const": "function"}, name=TEXT, description=TEXT, parameters=SCHEMA, strict={"const": False}
    ),
    providers.gemini: closed(
        functionDeclarations={
            "type": "array",
            "minItems": 1,
            "items": closed(name=TEXT, description=TEXT, parametersJsonSchema=SCHEMA),
        }
    ),
    providers.mcp: closed(
        name=TEXT,
        description=TEXT,
        inputSchema=SCHEMA,
        annotations={
            "type": "object",
            "properties": {
                hint: {"type": "boolean"}
                for hint in ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
            },
            "additionalProperties": False,
        },
    ),
}


def flat(tools: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the record that holds each tool's name."""
    if tools and "functionDeclarations" in tools[0]:
        return list(tools[0]["functionDeclarations"])
    return [tool.get("function", tool) for tool in tools]


def schema_in(tool: dict[str, Any]) -> dict[str, Any]:
    keys = ("input_schema", "parameters", "parametersJsonSchema", "inputSchema")
    (found,) = [tool[key] for key in keys if key in tool]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("provider", PROVIDERS)
def test_every_tool_has_the_shape_that_the_api_documents(provider: Callable[..., list[dict[str, Any]]]) -> None:
    named = [evolve(spec, name=f"tool_{n}") for n, spec in enumerate(TOOLS.values())]
    tools = provider([READ, EDIT, *named])
    for tool in tools:
        Draft202012Validator(SHAPES[provider]).validate(tool)
    assert json.loads(json.dumps(tools)) == tools


@pytest.mark.parametrize("provider", PROVIDERS)
def test_tools_keep_their_order_names_descriptions_and_schemas(
    provider: Callable[..., list[dict[str, Any]]],
) -> None:
    specs = (READ, evolve(EDIT, description="Edit it."), spec_of(READY, name="remote__ask"))
    tools = flat(provider(iter(specs)))
    assert [(tool["name"], tool["description"], schema_in(tool)) for tool in tools] == [
        (spec.name, spec.description, spec.arguments_schema) for spec in specs
    ]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_no_tools_are_an_empty_list(provider: Callable[..., list[dict[str, Any]]]) -> None:
    assert provider([]) == []


@pytest.mark.parametrize("provider", PROVIDERS)
def test_each_call_returns_fresh_dicts(provider: Callable[..., list[dict[str, Any]]]) -> None:
    ready = spec_of(READY)
    before = json.dumps(provider([READ, ready]))
    for tool in flat(provider([READ, ready])):
        schema_in(tool)["properties"].clear()
        tool.clear()
    assert json.dumps(provider([READ, ready])) == before


LONG = "a" * 64


@pytest.mark.parametrize(
    ("provider", "taken", "refused"),
    [
        (providers.anthropic, [LONG * 2, "-a", "1", "a_-9"], [LONG * 2 + "a", "a.b"]),
        (providers.openai_chat, [LONG, "-a", "1"], [LONG + "a", "a.b"]),
        (providers.openai_responses, [LONG, "-a", "1"], [LONG + "a", "a.b"]),
        (providers.gemini, [LONG, "_a", "a.b-c"], [LONG + "a", "-a", "1", ".a"]),
        (providers.mcp, [LONG * 2, "a.b", "1"], [LONG * 2 + "a"]),
    ],
)
def test_a_name_that_the_api_would_refuse_is_refused_here(
    provider: Callable[..., list[dict[str, Any]]], taken: list[str], refused: list[str]
) -> None:
    for name in taken:
        assert flat(provider([evolve(READ, name=name)]))[0]["name"] == name
    for name in [*refused, "", "a b", "a/b", "a:b", "é", "a\n", "\na", "a\x00", "１"]:
        with pytest.raises(DefinitionError, match="as a tool's name"):
            provider([evolve(READ, name=name)])


@pytest.mark.parametrize("provider", PROVIDERS)
def test_two_tools_with_one_name_are_refused(provider: Callable[..., list[dict[str, Any]]]) -> None:
    with pytest.raises(DefinitionError, match="two tools are called 'read_file'"):
        provider([READ, EDIT, evolve(EDIT, name="read_file")])


def hints_of(kind: ToolKind, *also: ToolKind) -> dict[str, bool]:
    spec: ToolSpec = evolve(READ, kind=kind, also=also)
    (tool,) = providers.mcp([spec])
    given: dict[str, bool] = tool["annotations"]
    # The protocol's defaults, for what is left out.
    return {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": True} | given


@pytest.mark.parametrize("kind", ToolKind)
def test_mcp_hints_never_promise_more_than_the_kind_does(kind: ToolKind) -> None:
    hints = hints_of(kind)
    reads = kind in {ToolKind.READ, ToolKind.SEARCH, ToolKind.THINK, ToolKind.FETCH}
    destroys = kind in {ToolKind.EDIT, ToolKind.DELETE, ToolKind.MOVE, ToolKind.EXECUTE, ToolKind.OTHER}
    reaches_out = kind in {ToolKind.FETCH, ToolKind.EXECUTE, ToolKind.OTHER}
    assert hints["readOnlyHint"] == reads
    assert (hints["destructiveHint"] and not reads) == destroys
    assert hints["openWorldHint"] == reaches_out


@pytest.mark.parametrize("kind", ToolKind)
@pytest.mark.parametrize("other", ToolKind)
def test_mcp_hints_promise_no_more_than_any_kind_of_a_tools_calls(kind: ToolKind, other: ToolKind) -> None:
    one, two, both = hints_of(kind), hints_of(other), hints_of(kind, other)
    assert both["readOnlyHint"] == (one["readOnlyHint"] and two["readOnlyHint"])
    assert both["openWorldHint"] == (one["openWorldHint"] or two["openWorldHint"])
    for each in (one, two):
        destroys = each["destructiveHint"] and not each["readOnlyHint"]
        assert both["destructiveHint"] or not destroys


TEXT_A, TEXT_B = {"properties": {"a": TEXT}, "required": ["a"]}, {"properties": {"b": TEXT}, "required": ["b"]}
#: The functions for APIs that refuse a whole request for one schema.
STRICT = [provider for provider in PROVIDERS if provider is not providers.mcp]

#: Roots that some API refuses, and the arguments of them that must stay sendable.
FOLDED: list[tuple[dict[str, Any], list[dict[str, Any]]]] = [
    ({"type": "object", "anyOf": [TEXT_A, TEXT_B]}, [{"a": "x"}, {"b": "x"}]),
    ({"type": "object", "oneOf": [TEXT_A, TEXT_B]}, [{"a": "x"}, {"b": "x"}]),
    ({"oneOf": [TEXT_A, {"type": "null"}]}, [{"a": "x"}]),
    ({"type": "object", "allOf": [TEXT_A, TEXT_B]}, [{"a": "x", "b": "y"}]),
    ({"$ref": "#/$defs/A", "$defs": {"A": {"type": "object", **TEXT_A}}}, [{"a": "x"}]),
    ({"type": "object", "properties": {"a": TEXT}, "if": TEXT_A, "then": TEXT_B}, [{"a": "x", "b": "y"}, {}]),
    ({"type": "object", "properties": {"a": TEXT}, "not": {"required": ["a"]}}, [{}]),
    ({"type": ["object", "null"], **TEXT_A}, [{"a": "x"}]),
    ({"type": "object"}, [{}, {"free": 1}]),
    ({"type": "object", "enum": [{"a": 1}, {}]}, [{"a": 1}, {}]),
    (
        {"type": "object", "properties": {"t": {"type": "array", "items": [TEXT, {"type": "integer"}]}}},
        [{"t": ["x", 1]}],
    ),
    (
        {"type": "object", "properties": {"n": {"type": "number", "minimum": 0, "exclusiveMinimum": True}}},
        [{"n": 1}],
    ),
    ({"type": "object", "properties": {"k": TEXT}, "anyOf": [{"required": ["k"]}, TEXT_A]}, [{"k": "x"}, {"a": "x"}]),
]


@pytest.mark.parametrize("provider", STRICT)
@pytest.mark.parametrize(("schema", "sendable"), FOLDED)
def test_a_root_that_apis_refuse_is_folded_into_one_object_beside_ordinary_tools(
    provider: Callable[..., list[dict[str, Any]]], schema: dict[str, Any], sendable: list[dict[str, Any]]
) -> None:
    ordinary, folded = flat(provider([READ, spec_of(schema, name="remote__odd")]))
    assert ordinary["name"] == "read_file"
    root = schema_in(folded)
    assert root["type"] == "object"
    assert isinstance(root["properties"], dict)
    assert not {"anyOf", "oneOf", "allOf", "not", "enum", "const", "$ref", "if", "then", "else"} & root.keys()
    Draft202012Validator.check_schema(root)
    for arguments in sendable:
        Draft202012Validator(root).validate(arguments)


@pytest.mark.parametrize("provider", STRICT)
@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": TEXT},
        {"type": "string"},
        {"$ref": "#"},
        {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}},
        {"$ref": "#/$defs/missing"},
        {"$ref": "https://example.com/schema.json"},
        {"type": "object", "properties": {"a": {"$ref": "https://example.com/schema.json"}}},
        {"type": "object", "properties": {"a": {"$ref": "#/anyOf/0/properties/b"}}, "anyOf": [TEXT_B]},
        {"oneOf": [{"type": "string"}, {"type": "null"}]},
    ],
)
def test_a_tool_that_cannot_be_folded_is_left_out_with_a_warning_that_names_it(
    provider: Callable[..., list[dict[str, Any]]], schema: dict[str, Any]
) -> None:
    with pytest.warns(UserWarning, match="tool remote__odd is left out"):
        (only,) = flat(provider([READ, spec_of(schema, name="remote__odd")]))
    assert only["name"] == "read_file"


def test_an_argument_whose_name_an_api_does_not_take_is_left_out_when_it_may_be() -> None:
    named = {"type": "object", "properties": {"a": TEXT, "$filter\x1b[2J": TEXT}}
    with pytest.warns(UserWarning, match=r"without arguments whose names .*'\$filter\\x1b\[2J'"):
        (tool,) = providers.anthropic([spec_of(named)])
    assert list(schema_in(tool)["properties"]) == ["a"]
    with pytest.warns(UserWarning, match="left out: .* requires an argument named"):
        assert providers.anthropic([spec_of({**named, "required": ["$filter\x1b[2J"]})]) == []
    assert schema_in(flat(providers.openai_chat([spec_of(named)]))[0]) == named


leaves = st.sampled_from([TEXT, {"type": "integer"}, {"enum": ["x", 1]}, {}])
objects = st.fixed_dictionaries(
    {
        "type": st.just("object"),
        "properties": st.dictionaries(st.sampled_from("abc"), leaves, max_size=3),
        "additionalProperties": st.just(False),
    },
    optional={"required": st.lists(st.sampled_from("abc"), unique=True, max_size=1)},
)
choices = st.fixed_dictionaries(
    {"type": st.just("object")},
    optional={
        "anyOf": st.lists(objects, min_size=1, max_size=3),
        "oneOf": st.lists(objects, min_size=1, max_size=3),
        "allOf": st.lists(objects, min_size=1, max_size=2),
    },
)
sent = st.dictionaries(st.sampled_from("abcd"), st.sampled_from(["x", 1, None]), max_size=3)


@given(schema=choices, arguments=sent)
def test_whatever_a_server_takes_can_be_sent_by_the_folded_schema(
    schema: dict[str, Any], arguments: dict[str, Any]
) -> None:
    (tool,) = providers.anthropic([spec_of(schema)])
    if Draft202012Validator(schema).is_valid(arguments):
        Draft202012Validator(schema_in(tool)).validate(arguments)
