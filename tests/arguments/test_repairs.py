"""The written repairs, and no others: a naive reading of the schema is asked for its opinion."""

from __future__ import annotations

import json
import math
from enum import IntEnum, StrEnum
from typing import Annotated, Any

import pytest
from attrs import evolve
from hypothesis import given
from typing_extensions import Doc

from mmtools import arguments
from mmtools.errors import ArgumentsRefused
from mmtools.testing import payloads
from mmtools.tool import ToolSpec
from tests.arguments.test_builders import Exact
from tests.arguments.zoo import (
    EDIT,
    READ,
    TOOLS,
    EditFileArgs,
    LimitedArgs,
    PlainArgs,
    ReadFileArgs,
    declare,
    sent_to,
    spec_of,
)

ITEM = {"old": "a", "new": "x"}


def understood(sent: object, spec: ToolSpec) -> dict[str, Any] | None:
    """Return the arguments as understood, or None after a refusal."""
    try:
        return arguments.parse(sent, spec).sent
    except ArgumentsRefused:
        return None


def refusal(sent: object, spec: ToolSpec) -> str:
    with pytest.raises(ArgumentsRefused) as refused:
        arguments.parse(sent, spec)
    return refused.value.text


@pytest.mark.parametrize(
    "edits",
    [
        [ITEM],
        (ITEM,),
        json.dumps([ITEM]),
        f"\n {json.dumps([ITEM])} ",
        [json.dumps(ITEM)],
        json.dumps([json.dumps(ITEM)]),
        ITEM,
        json.dumps(ITEM),
        [{"old": "a", "new_string": "x"}],
        [{"old_string": "a", "new_string": "x", "new": None}],
        [{"old": "a", "old_string": "b", "new": "x"}],
        [ITEM | {"replace_all": False}],
        [ITEM | {"explanation": None}],
    ],
    ids=str,
)
def test_structures_sent_as_text_or_alone_are_read_as_meant(edits: object) -> None:
    assert understood({"path": "f.txt", "edits": edits}, EDIT) == {"path": "f.txt", "edits": [ITEM]}


@pytest.mark.parametrize(
    ("edits", "text"),
    [
        ("not json", 'edits must be a list of objects, not the string "not json"'),
        ("", 'edits must be a list of objects, not the string ""'),
        ("5", 'edits must be a list of objects, not the string "5"'),
        (None, "edits must be a list of objects, not null"),
        ([], "edits must have at least 1 item, not 0"),
        ("[]", "edits must have at least 1 item, not 0"),
        ([ITEM, {"old": "b"}], "edits[1].new is missing"),
        ([ITEM, {"old": "b", "new": None}], "edits[1].new must be a string, not null"),
        ([ITEM, "b"], 'edits[1] must be an object, not the string "b"'),
        ([[ITEM]], "edits[0] must be an object, not a list"),
        ([{"old": 5, "new": True}], "edits[0].old must be a string, not the number 5; edits[0].new must be a string, not true"),
        ([{"old": {}, "new": ["x"]}], "edits[0].old must be a string, not an object; edits[0].new must be a string, not a list"),
        ({"old": "a"}, "edits[0].new is missing"),
        ([ITEM | {"replace_all": True}], "edits[0].replace_all is not an argument of edit_file; send one edit per place"),
        ([ITEM | {"count": 2}], 'edits[0].count is not an argument of edit_file; edits[0] takes "old", "new"'),
        ('[{"old":"a","new":"x"}', "edits must be a list of objects; its text is not valid JSON: expecting ',' delimiter at line 1 column 23"),
        ('[{"old":"a","old":"b","new":"x"}]', 'edits must be a list of objects; its text is not valid JSON: the key "old" is given twice'),
    ],
    ids=str,
)  # fmt: skip
def test_broken_structures_are_refused_with_the_place(edits: object, text: str) -> None:
    assert refusal({"path": "f.txt", "edits": edits}, EDIT) == text


def test_a_trailing_comma_is_refused_with_the_place_and_never_half_read() -> None:
    text = refusal({"path": "f.txt", "edits": '[{"old":"a","new":"x"},]'}, EDIT)
    assert text.startswith("edits must be a list of objects; its text is not valid JSON: ")
    assert " at line 1 column 2" in text


@pytest.mark.parametrize(
    ("start", "meant"),
    [("2", 2), (" 2 ", 2), (2.0, 2), ("2.0", 2), ("1e3", 1000), (-0.0, 0), (2, 2), (2**53 - 1, 2**53 - 1)],
)
def test_numbers_sent_as_text_or_with_an_empty_fraction_are_read(start: object, meant: int) -> None:
    sent = understood({"path": "f.txt", "start": start}, READ)
    assert sent == {"path": "f.txt", "start": meant}
    assert type(sent["start"]) is int


@pytest.mark.parametrize(
    "start",
    ["2x", "x", "", "+2", "02", "0x2", "1_0", "²", "true", '"2"', "[2]", "NaN", "2.5", "9" * 5000, True, False, 3.9, -1, "-1",
     -1.0, 1e300, float("nan"), float("inf"), 2**53, [2], {"start": 2}, b"2"],
    ids=repr,
)  # fmt: skip
def test_what_is_almost_a_number_is_refused(start: object) -> None:
    assert refusal({"path": "f.txt", "start": start}, READ).startswith("start must be ")


@pytest.mark.parametrize(("numbered", "meant"), [("true", True), ("false", False), (" true", True), (True, True)])
def test_booleans_sent_as_text_are_read(numbered: object, meant: bool) -> None:
    assert understood({"path": "f.txt", "numbered": numbered}, READ) == {"path": "f.txt", "numbered": meant}


@pytest.mark.parametrize("numbered", ["True", "yes", "1", "", 1, 0, 1.0, [], "null", '"true"'])
def test_what_is_almost_a_boolean_is_refused(numbered: object) -> None:
    assert refusal({"path": "f.txt", "numbered": numbered}, READ).startswith("numbered must be true or false, not ")


@given(payloads.odd_strings())
def test_a_string_is_never_read_as_anything_else(text: str) -> None:
    assert understood({"path": text, "start": "1"}, READ) == {"path": text, "start": 1}
    assert understood({"path": text, "edits": {"old": text, "new": text}}, EDIT) == {
        "path": text,
        "edits": [{"old": text, "new": text}],
    }


@given(payloads.json_values().filter(lambda value: not isinstance(value, str)))
def test_nothing_else_is_ever_read_as_a_string(value: object) -> None:
    assert understood({"path": value}, READ) is None


@pytest.mark.parametrize("key", ["start", "end", "numbered"])
def test_null_for_an_optional_field_is_absent(key: str) -> None:
    assert understood({"path": "f.txt", key: None}, READ) == {"path": "f.txt"}


def test_null_is_kept_where_it_is_a_value() -> None:
    sent = {"tasks": [{"title": "x", "rank": None}], "parent": None, "context": None}
    assert understood(sent, spec_of(LimitedArgs)) == {"tasks": [{"title": "x"}], "parent": None}


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ({"wanted": '["a"]'}, '["a"]'),
        ({"wanted": "null"}, "null"),
        ({"wanted": ("a", "b")}, ["a", "b"]),
        ({"size": "2"}, 2),
        ({"size": "true"}, True),
        ({"size": 1}, 1),
        ({"size": 2.0}, 2),
    ],
)
def test_in_a_union_what_fits_as_it_is_comes_before_what_fits_repaired(sent: dict[str, Any], meant: object) -> None:
    understood_as = understood({"tasks": [], "parent": None, "limit": "1"} | sent, spec_of(LimitedArgs))
    assert understood_as is not None
    value = understood_as[next(iter(sent))]
    assert (value, type(value)) == (meant, type(meant))


def test_in_a_union_of_records_too_what_fits_as_it_is_comes_first() -> None:
    null_is_absent: Any = declare("Absent", {"x": Annotated[int, Doc("It.")]}, default=0)
    null_is_a_value: Any = declare("Null", {"x": Annotated[int | None, Doc("It.")]})
    named_y: Any = declare("Y", {"y": Annotated[int, Doc("It.")]})
    number_or_flag: Any = declare("Either", {"z": Annotated[int | bool, Doc("It.")]})
    text: Any = declare("Text", {"z": Annotated[str, Doc("It.")]})
    union = null_is_absent | null_is_a_value | named_y | number_or_flag | text
    args = declare("Args", {"one": Annotated[union, Doc("It.")], "count": Annotated[int, Doc("It.")]})
    spec = evolve(spec_of(args), aliases={"y": "x"})
    for sent, meant in [
        ({"x": None}, null_is_a_value(None)),
        ({"x": 1}, null_is_absent(1)),
        ({"x": "1"}, null_is_absent(1)),
        ({"y": 1}, named_y(1)),
        ({"z": 2}, number_or_flag(2)),
        ({"z": "2"}, text("2")),
    ]:
        assert arguments.parse({"one": sent, "count": "1"}, spec).value.one == meant


class Number(IntEnum):
    TWO = 2


class Name(StrEnum):
    RED = "red"


class Ratio(float):
    pass


def test_a_hosts_subclass_of_a_json_type_is_taken_by_its_content() -> None:
    sent = {"text": Name.RED, "whole": Number.TWO, "ratio": Ratio(0.5), "colour": Name.RED}
    parsed = arguments.parse(sent, spec_of(PlainArgs))
    value = parsed.value
    assert [type(each) for each in (value.text, value.whole, value.ratio)] == [str, int, float]
    assert (value.text, value.whole, value.ratio, value.colour.name) == ("red", 2, 0.5, "RED")
    assert [type(each) for each in parsed.sent.values()] == [str, int, float, str]


def strict(text: str) -> Any:
    """Decode JSON text, or return it when it is doubtful."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError
        return dict(pairs)

    def finite(digits: str) -> float:
        if not math.isfinite(float(digits)):
            raise ValueError
        return float(digits)

    try:
        return json.loads(text, object_pairs_hook=once, parse_float=finite, parse_constant=finite)
    except (ValueError, RecursionError):
        return text


def naive(value: Any, rendered: dict[str, Any], *, top: bool = True) -> Any:
    """Read a value along a JSON Schema without unions as the written repairs say, without checking it."""
    kind = rendered.get("type")
    if isinstance(value, str) and kind != "string":
        value = strict(value)
    if kind == "integer" and isinstance(value, float) and value.is_integer():
        return int(value)
    if kind == "array":
        if isinstance(value, dict) and rendered["items"].get("type") == "object":
            value = [value]
        if isinstance(value, list):
            return [naive(item, rendered["items"], top=False) for item in value]
    if kind == "object" and isinstance(value, dict):
        if "properties" not in rendered:
            return {key: naive(item, rendered["additionalProperties"], top=False) for key, item in value.items()}
        known, required = rendered["properties"], rendered.get("required", ())
        # A nested record keeps what it does not know, and so does not fit; as does this one for a misplaced key.
        misplaced = {"old", "new"} if "edits" in known else set()
        return {
            key: naive(item, known[key], top=False) if key in known else item
            for key, item in value.items()
            if (key in known or not top or key in misplaced) and (item is not None or key in required)
        }
    return value


@given(sent_to([TOOLS[each] for each in (EditFileArgs, ReadFileArgs, PlainArgs)], payloads.broken_payloads))
def test_a_payload_is_understood_exactly_when_a_naive_reading_fits_and_as_that(sent: tuple[Any, ToolSpec]) -> None:
    payload, spec = sent
    decoded = strict(payload) if isinstance(payload, str) else payload
    reading = naive(decoded, spec.arguments_schema)
    ours = understood(payload, spec)
    assert (ours is not None) == Exact(spec.arguments_schema).is_valid(reading)
    assert ours is None or json.dumps(ours, sort_keys=True) == json.dumps(reading, sort_keys=True)
