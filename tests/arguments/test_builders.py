"""A builder takes what the schema allows, exactly, and nothing else; jsonschema and msgspec are asked for their opinion."""

from __future__ import annotations

import contextlib
import json
import re
import types
import typing
from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, Literal

import attrs
import jsonschema
import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from typing_extensions import Doc

from mmtools.arguments import builders
from mmtools.errors import DefinitionError
from mmtools.schema import Named, declarations
from mmtools.schema.shapes import LARGEST_INTEGER
from mmtools.testing import payloads
from mmtools.tool import ToolSpec
from tests.arguments.zoo import TOOLS, EditFileArgs, LimitedArgs, LooseArgs, PlainArgs, ReadFileArgs, declare, sent_to
from tests.hypothesis_profiles import scaled


def _is_integer(_: object, value: object) -> bool:
    return type(value) is int and abs(value) <= LARGEST_INTEGER


#: Without `Any`: there JSON Schema has nothing to say.
CHECKED = [spec for arguments, spec in TOOLS.items() if arguments is not LooseArgs]


#: JSON Schema takes 2.0 for an integer; here that is a repair. And it knows no largest integer.
Exact = jsonschema.validators.extend(  # type: ignore[no-untyped-call]  # the stubs leave it without types
    jsonschema.Draft202012Validator,
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer).redefine(
        "number", lambda _, value: isinstance(value, float) or _is_integer(_, value)
    ),
)


def built(arguments: Any, payload: object) -> Any:
    """Return the instance, or None when the builder refuses."""
    try:
        return builders.compiled(arguments).build(payload)
    except builders.MISFITS:
        return None


def valid_or_broken(rendered: dict[str, Any]) -> st.SearchStrategy[Any]:
    return payloads.valid_payloads(rendered) | payloads.broken_payloads(rendered) | payloads.json_values()


def is_exactly(value: object, hint: Any) -> bool:
    """Whether a value is of an annotated type, by a walk over the types themselves."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        return is_exactly(value, args[0])
    if origin is Literal:
        return any(type(value) is type(choice) and value == choice for choice in args)
    if origin in (typing.Union, types.UnionType):
        return any(is_exactly(value, each) for each in args)
    if origin is tuple:
        return type(value) is tuple and all(is_exactly(item, args[0]) for item in value)
    if origin in (dict, Mapping):
        return type(value) is dict and all(
            type(key) is str and is_exactly(item, args[1]) for key, item in value.items()
        )
    if hint in (Any, object):
        return True
    if attrs.has(hint):
        hints = typing.get_type_hints(hint, include_extras=True)
        return type(value) is hint and all(is_exactly(getattr(value, name), inner) for name, inner in hints.items())
    return type(value) is hint


@scaled(200)
@given(sent_to(CHECKED, valid_or_broken))
def test_a_payload_is_built_exactly_when_the_schema_allows_it(sent: tuple[Any, ToolSpec]) -> None:
    payload, spec = sent
    assert (built(spec.arguments, payload) is not None) == Exact(spec.arguments_schema).is_valid(payload)


@scaled(200)
@given(sent_to(TOOLS.values(), payloads.hostile_payloads))
def test_what_is_built_is_exactly_of_the_declared_types(sent: tuple[Any, ToolSpec]) -> None:
    payload, spec = sent
    value = built(spec.arguments, payload)
    assert value is None or is_exactly(value, spec.arguments)


@given(sent_to(TOOLS.values(), payloads.valid_payloads))
def test_values_survive_the_way_to_json_and_back(sent: tuple[Any, ToolSpec]) -> None:
    payload, spec = sent
    value = built(spec.arguments, payload)
    as_json = declarations.plain(value)
    assert built(spec.arguments, json.loads(json.dumps(as_json))) == value


@given(sent_to([TOOLS[each] for each in (EditFileArgs, ReadFileArgs, PlainArgs)], valid_or_broken))
def test_msgspec_agrees(sent: tuple[Any, ToolSpec]) -> None:
    """It takes unknown keys and any integer, reads 2.0 as one, and no surrogates: payloads with those are left out."""
    payload, spec = sent
    rendered = spec.arguments_schema
    assume(not re.search(r"\d[.e]|\d{16}|\\ud", json.dumps(payload)) and not _has_unknown_keys(payload, rendered))
    theirs: Any = None
    with contextlib.suppress(msgspec.ValidationError):
        theirs = msgspec.convert(payload, spec.arguments, strict=True)
    assert built(spec.arguments, payload) == theirs


def _has_unknown_keys(payload: object, rendered: Mapping[str, Any]) -> bool:
    if isinstance(payload, list):
        return any(_has_unknown_keys(item, rendered.get("items", {})) for item in payload)
    if isinstance(payload, dict) and "properties" in rendered:
        known = rendered["properties"]
        return any(key not in known or _has_unknown_keys(item, known[key]) for key, item in payload.items())
    return False


def test_a_table_or_list_inside_anything_must_be_json() -> None:
    assert built(LooseArgs, {"value": {"a": [1, None]}}) == LooseArgs(value={"a": [1, None]})
    assert built(LooseArgs, {"value": {1, 2}}) is None
    assert built(LooseArgs, {"value": 1, "named": {"x": float("nan")}}) is None
    assert not builders.compiled(LooseArgs).exact
    assert builders.compiled(LimitedArgs).exact


def test_a_record_is_never_read_out_of_a_string_or_list() -> None:
    inner = declare("Inner", {"x": Annotated[str, Doc("It.")]}, default="")
    outer = declare("Outer", {"inner": Annotated[inner, Doc("It.")]})
    assert built(outer, {"inner": {}}) == outer(inner())
    for odd in ("", "x", "abc", [], ["x"], [["x", "y"]]):
        assert built(outer, {"inner": odd}) is None


def test_a_union_takes_the_first_alternative_that_fits_exactly() -> None:
    base: dict[str, Any] = {"tasks": [], "parent": None}
    assert type(built(LimitedArgs, base | {"size": True}).size) is bool
    assert type(built(LimitedArgs, base | {"size": 1}).size) is int
    assert built(LimitedArgs, base | {"wanted": "[]"}).wanted == "[]"
    assert built(LimitedArgs, base | {"wanted": ["a"]}).wanted == ("a",)


def test_an_integer_stands_for_a_number_and_becomes_a_float() -> None:
    ratio = built(PlainArgs, {"text": "", "whole": 1, "ratio": 2}).ratio
    assert (ratio, type(ratio)) == (2.0, float)


def test_an_enum_is_built_as_its_member() -> None:
    colour = built(PlainArgs, {"text": "", "whole": 1, "colour": "red"}).colour
    assert isinstance(colour, Enum)
    assert colour.name == "RED"


def test_an_attribute_whose_name_cattrs_needs_is_refused_and_can_be_renamed() -> None:
    def args(attribute: str) -> type:
        return declare("Args", {attribute: Annotated[str, Doc("It."), Named("converter")]})

    with pytest.raises(DefinitionError, match="Args: cattrs keeps"):
        builders.compiled(args("converter"))
    assert built(args("converter_"), {"converter": "x"}).converter_ == "x"
