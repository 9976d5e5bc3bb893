"""JSON text that becomes an object only when the runner would read the same from both."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.arguments import json_text
from mmtools.hosting import json_objects

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)


def read(text: str) -> Any:
    try:
        return json_text.decode(text)
    except json_text.JsonTextError:
        return None


@given(values.map(json.dumps) | st.text(alphabet='{}[]",:0123456789eE.-+ntfalsru \\', max_size=20))
def test_an_object_is_what_the_runner_would_read(text: str) -> None:
    members = json_objects.as_object(text)
    expected = read(text)
    assert json.dumps(members) == json.dumps(expected if isinstance(expected, dict) else None)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[1]",
        '"{}"',
        '{"a": 1, "a": 1}',
        '{"a": {"b": 1, "b": 2}}',
        '{"a": NaN}',
        '{"a": -Infinity}',
        '{"a": 1e999}',
        '{"a": ' + "9" * 5_000 + "}",
        '{"a": ' + "[" * 100_000,
    ],
)
def test_what_is_left_to_the_runner(text: str) -> None:
    assert json_objects.as_object(text) is None


@given(st.integers(90, 110))
def test_the_depth_at_which_the_runner_says_no(levels: int) -> None:
    text = '{"a": ' + "[" * levels + "]" * levels + "}"
    assert json_objects.as_object(text) == read(text)
