"""Whatever arrives as arguments becomes the tool's own object, or one short line."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from types import MappingProxyType
from typing import Annotated, Any

import pytest
from attrs import validators
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import Doc

from mmtools import arguments
from mmtools.errors import ArgumentsRefused, DefinitionError
from mmtools.testing import payloads
from mmtools.tool import ToolSpec
from tests.arguments.zoo import (
    EDIT,
    READ,
    TOOLS,
    Colour,
    EditArg,
    LimitedArgs,
    LooseArgs,
    NoArgs,
    PlainArgs,
    ReadFileArgs,
    TaskArg,
    declare,
    sent_to,
    spec_of,
)
from tests.hypothesis_profiles import scaled


def refusal(sent: object, spec: ToolSpec) -> str:
    with pytest.raises(ArgumentsRefused) as refused:
        arguments.parse(sent, spec)
    return refused.value.text


@pytest.mark.parametrize("sent", [None, "", " ", "\n", "null", "{}", {}, MappingProxyType({}), NoArgs()])
def test_nothing_is_no_arguments(sent: object) -> None:
    assert arguments.parse(sent, spec_of(NoArgs)) == arguments.Parsed(NoArgs(), {})


@pytest.mark.parametrize("sent", [None, "", "null", "{}", {}])
def test_nothing_is_refused_by_name_where_something_is_required(sent: object) -> None:
    assert refusal(sent, READ) == "path is missing"
    assert refusal(sent, EDIT) == "path is missing; edits is missing"


SENT = {"path": "f.txt", "start": 2}


@pytest.mark.parametrize(
    "sent",
    [SENT, json.dumps(SENT), f" \n{json.dumps(SENT)}\n", MappingProxyType(SENT), json.dumps(json.dumps(SENT)), ReadFileArgs(path="f.txt", start=2)],
    ids=lambda sent: type(sent).__name__,
)  # fmt: skip
def test_every_form_of_arguments_is_understood_alike(sent: object) -> None:
    parsed = arguments.parse(sent, READ)
    assert parsed.value == ReadFileArgs(path="f.txt", start=2)
    assert parsed.sent == SENT


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        ([], "arguments must be an object, not a list"),
        ("[]", "arguments must be an object, not a list"),
        ("5", "arguments must be an object, not the number 5"),
        (b"{}", "arguments must be an object, not a value of type bytes"),
        ({1}, "arguments must be an object, not a value of type set"),
        (EditArg(old="", new=""), "arguments must be an object, not a value of type EditArg"),
        ("path=f.txt", "arguments are not valid JSON: expecting value at line 1 column 1"),
        ('{"path": f}', "arguments are not valid JSON: expecting value at line 1 column 10"),
        ('{"path": "a", "path": "b"}', 'arguments are not valid JSON: the key "path" is given twice'),
        ('{"path": "a", "start": 1e999}', "arguments are not valid JSON: a number is too large"),
    ],
)
def test_what_is_no_object_is_refused_with_the_place(sent: object, text: str) -> None:
    assert refusal(sent, READ) == text


def test_an_own_object_comes_back_as_it_is_with_what_differs_from_the_defaults() -> None:
    own = PlainArgs(text="t", whole=3, colour=Colour.RED, edits=(EditArg(old="a", new="b"),), flag=True)
    parsed = arguments.parse(own, spec_of(PlainArgs))
    assert parsed.value == own
    assert parsed.sent == {"text": "t", "whole": 3, "colour": "red", "edits": [{"old": "a", "new": "b"}]}


def test_an_own_object_that_breaks_its_annotations_is_refused() -> None:
    own = ReadFileArgs(path=("f",))  # type: ignore[arg-type]  # the point of the test
    assert refusal(own, READ) == "path must be a string, not a list"


def parsed_or_text(sent: object, spec: ToolSpec) -> arguments.Parsed | str:
    try:
        return arguments.parse(sent, spec)
    except ArgumentsRefused as refused:
        return refused.text


@scaled(300)
@given(sent_to((READ, EDIT, *TOOLS.values()), payloads.hostile_payloads))
def test_any_value_is_understood_or_refused_in_one_short_line(sent: tuple[Any, ToolSpec]) -> None:
    payload, spec = sent
    answer = parsed_or_text(payload, spec)
    if isinstance(answer, str):
        assert 0 < len(answer) <= 500
        assert answer.isprintable()
    else:
        assert type(answer.value) is spec.arguments
        assert json.loads(json.dumps(answer.sent, allow_nan=False)) == answer.sent


READY = {
    "type": "object",
    "properties": {"q": {"$ref": "#/$defs/Q"}},
    "$defs": {"Q": {"type": "object"}},
}


@given(payloads.hostile_payloads())
def test_any_value_for_a_ready_schema_is_a_json_object_or_refused(sent: Any) -> None:
    answer = parsed_or_text(sent, spec_of(READY))
    if isinstance(answer, str):
        assert 0 < len(answer) <= 500
        assert answer.isprintable()
    else:
        assert answer.value is answer.sent
        assert json.loads(json.dumps(answer.sent, allow_nan=False)) == answer.sent


@given(st.dictionaries(payloads.odd_strings(), payloads.json_values(), max_size=4))
def test_a_ready_schema_gets_exactly_what_was_sent(sent: dict[str, Any]) -> None:
    assert json.dumps(arguments.parse(sent, spec_of(READY)).value) == json.dumps(sent)
    assert json.dumps(arguments.parse(json.dumps(sent), spec_of(READY)).value) == json.dumps(sent)


def test_a_ready_schema_gets_a_copy_that_the_host_cannot_change_later() -> None:
    sent = {"q": {"n": [1]}}
    value = arguments.parse(sent, spec_of(READY)).value
    sent["q"]["n"].append(2)
    assert value == {"q": {"n": [1]}}


def test_a_table_of_anything_gets_a_copy_too_and_must_be_json() -> None:
    sent = {"value": ({"n": MappingProxyType({"x": 1})},)}
    parsed = arguments.parse(sent, spec_of(LooseArgs))
    assert parsed.value == LooseArgs(value=[{"n": {"x": 1}}])
    assert parsed.sent == {"value": [{"n": {"x": 1}}]}
    assert refusal({"value": {1, 2}}, spec_of(LooseArgs)) == (
        "value must be a JSON value: it holds what JSON cannot say"
    )


HUGE = "x\n" * 5_000_000


@pytest.mark.parametrize(
    "sent",
    [
        {"path": "f", "edits": HUGE},
        {"path": [HUGE], "edits": {"old": [HUGE], "new": 1}},
        {"path": "f", "edits": [{HUGE: 1, "old": "a", "new": "b"}]},
        {"path": "f", "edits": [5] * 1_000_000},
        {"path": "f", "edits": [{"old": 1}] * 200_000},
        {f"key {n}": n for n in range(100_000)},
        {"path": "f", "edits": [{f"key {n}": n for n in range(100_000)}]},
        {"path": "f", "edits": "[" * 5_000_000},
        {"path": 10**5_000, "edits": []},
        HUGE,
        '{"path": "' + HUGE,
        "[" * 5_000_000,
    ],
    ids=range(12),
)
def test_a_refusal_is_short_and_quick_however_large_the_arguments_are(sent: object) -> None:
    begun = time.thread_time()
    text = refusal(sent, EDIT)
    assert len(text) <= 500
    assert text.isprintable()
    assert time.thread_time() - begun < 20


def test_a_large_argument_that_fits_is_passed_on_without_a_copy() -> None:
    assert arguments.parse({"path": HUGE}, READ).value.path is HUGE


def _only_capitals(_: object, __: object, value: str) -> None:
    if not value.isupper():
        raise ValueError(f"name must be in capitals,\nnot {value}" + "!" * 1_000)


def test_a_validator_that_shapes_cannot_say_speaks_for_itself_on_one_line() -> None:
    args = declare("Args", {"name": Annotated[str, Doc("It.")]}, validator=_only_capitals)
    assert arguments.parse({"name": "X"}, spec_of(args)).sent == {"name": "X"}
    text = refusal({"name": "x"}, spec_of(args))
    assert text.startswith("name must be in capitals, not x!!!")
    assert len(text) == 500


def test_a_regular_expression_of_attrs_speaks_for_itself() -> None:
    args = declare("Args", {"name": Annotated[str, Doc("It.")]}, validator=validators.matches_re("[a-z]+"))
    assert refusal({"name": "X"}, spec_of(args)).startswith("'name' must match regex")


def test_a_class_that_cannot_be_declared_is_the_hosts_bug() -> None:
    with pytest.raises(DefinitionError):
        arguments.parse({}, spec_of(declare("Args", {"name": str})))


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        ({"limit": 0}, "limit must be at least 1, not 0"),
        ({"limit": 101}, "limit must be at most 100, not 101"),
        ({"share": 1.5}, "share must be at most 1, not 1.5"),
        ({"tasks": [{"title": ""}]}, "tasks[0].title must have at least 1 character, not 0"),
        ({"tasks": [{"title": "123456"}]}, "tasks[0].title must have at most 5 characters, not 6"),
        ({"tasks": [{"title": "x"}] * 4}, "tasks must have at most 3 items, not 4"),
        ({"by": {"a": [], "b": [], "c": []}}, "by must have at most 2 keys, not 3"),
        ({"by": {"a": [1, "x"]}}, 'by.a[1] must be an integer, not the string "x"'),
        ({"by": {"a b\n": [None]}}, 'by."a b\\n"[0] must be an integer, not null'),
        ({"tasks": [{"title": "x", "status": "gone"}]}, 'tasks[0].status must be one of "pending", "done", not the string "gone"'),
        ({"wanted": 5}, "wanted must be a string or a list, not the number 5"),
        ({"wanted": ["a", 5]}, "wanted[1] must be a string, not the number 5"),
        ({"parent": "x"}, 'parent must be an integer or null, not the string "x"'),
        ({"-i": 1}, "-i must be true or false, not the number 1"),
        ({"tasks": None, "hidden": 1}, "tasks must be a list of objects, not null; hidden must be a string, not the number 1"),
        ({"limit": 2**53}, "limit must be at most 100, not 9007199254740992"),
        ({"parent": 2**80}, "parent must be at most 9007199254740991, not a number of 81 bits"),
    ],
)  # fmt: skip
def test_every_refusal_names_the_place_and_what_is_wanted(sent: dict[str, Any], text: str) -> None:
    assert refusal({"tasks": [], "parent": None} | sent, spec_of(LimitedArgs)) == text


def test_all_that_is_wrong_is_said_at_once() -> None:
    text = refusal({"path": 5, "start": "x", "end": [], "numbered": 3}, READ)
    assert text == (
        "path must be a string, not the number 5; "
        'start must be an integer, not the string "x"; '
        "end must be an integer, not a list; "
        "numbered must be true or false, not the number 3"
    )


@given(sent_to(TOOLS.values(), payloads.valid_payloads))
def test_what_fits_is_never_changed(sent: tuple[dict[str, Any], ToolSpec]) -> None:
    payload, spec = sent
    as_text = json.dumps(payload, sort_keys=True)
    assert json.dumps(arguments.parse(payload, spec).sent, sort_keys=True) == as_text
    assert json.dumps(arguments.parse(as_text, spec).sent, sort_keys=True) == as_text


def test_defaults_of_nested_objects_are_filled_in_and_not_sent() -> None:
    parsed = arguments.parse({"tasks": [{"title": "x"}], "parent": None}, spec_of(LimitedArgs))
    assert parsed.value.tasks == (TaskArg(title="x", status="pending", rank=None),)
    assert parsed.sent == {"tasks": [{"title": "x"}], "parent": None}


def test_cattrs_is_not_loaded_before_the_first_call() -> None:
    code = (
        "import sys; import mmtools.arguments, mmtools.providers, mmtools.schema; assert 'cattrs' not in sys.modules\n"
        "from tests.arguments.zoo import READ; READ.arguments_schema; assert 'cattrs' not in sys.modules\n"
        "mmtools.arguments.parse({'path': 'f'}, READ); assert 'cattrs' in sys.modules\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
