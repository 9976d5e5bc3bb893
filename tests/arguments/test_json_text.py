"""JSON text means what RFC 8259 says, and what it leaves open is refused."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given

from mmtools.arguments import json_text
from mmtools.arguments.json_text import MAX_DEPTH, JsonTextError
from mmtools.testing import payloads


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@given(payloads.json_values())
def test_what_json_can_say_comes_back_exactly(value: Any) -> None:
    assert json.dumps(json_text.decode(json.dumps(value))) == json.dumps(value)
    assert json.dumps(json_text.normal(value)) == json.dumps(value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "expecting value at line 1 column 1"),
        ("[1,]", "at line 1 column"),
        ('{"a": 1,\n "b" 2}', "expecting ':' delimiter at line 2 column 6"),
        ('{"a": "x', "unterminated string starting at line 1 column 7"),
        ("[1] x", "extra data at line 1 column 5"),
        ("{'a': 1}", "expecting property name enclosed in double quotes at line 1 column 2"),
        ('"a\nb"', "invalid control character at line 1 column 3"),
        ("NaN", "NaN is not a JSON number"),
        ("[-Infinity]", "-Infinity is not a JSON number"),
        ("1e999", "a number is too large"),
        ("9" * 5000, "a number has too many digits"),
        ('{"a": 1, "b": 2, "a": 1}', 'the key "a" is given twice'),
        ('[{"x": {"b": 1, "b": 2}}]', 'the key "b" is given twice'),
        ("[" * 1_000_000, f"it is nested deeper than {MAX_DEPTH} levels"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), f"it is nested deeper than {MAX_DEPTH} levels"),
        ('{"a":' * MAX_DEPTH + "{}" + "}" * MAX_DEPTH, f"it is nested deeper than {MAX_DEPTH} levels"),
    ],
    ids=lambda text: text[:30],
)
def test_doubtful_text_is_refused_with_the_place(text: str, problem: str) -> None:
    with pytest.raises(JsonTextError) as refused:
        json_text.decode(text)
    assert problem in str(refused.value)


def test_nesting_up_to_the_limit_and_any_number_of_brackets_in_strings_pass() -> None:
    assert json_text.decode(json.dumps(nested(MAX_DEPTH))) == nested(MAX_DEPTH)
    assert json_text.decode(json.dumps(["[" * 1000])) == ["[" * 1000]


def test_a_hosts_value_is_copied_as_json() -> None:
    inner = {"a": [1]}
    value = MappingProxyType({"x": (1, inner)})
    copy = json_text.normal(value)
    inner["a"].append(2)
    assert copy == {"x": [1, {"a": [1]}]}


ENDLESS: list[Any] = []
ENDLESS.append(ENDLESS)


@pytest.mark.parametrize(
    "value",
    [b"", {1}, object(), float("nan"), float("inf"), {(1, 2): 3}, {"a": [b""]}, 10**5000, ENDLESS, nested(99_000), nested(101)],
    ids=lambda value: str(type(value)),
)  # fmt: skip
def test_a_hosts_value_that_is_no_json_is_refused(value: Any) -> None:
    with pytest.raises(JsonTextError):
        json_text.normal(value)
