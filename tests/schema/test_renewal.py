"""Older spellings of a schema in the words of 2020-12: the same values are valid, held against both drafts' validators."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.schema.renewal import renew

VALUES = st.recursive(st.one_of(st.integers(-3, 3), st.text(max_size=1)), lambda inner: st.lists(inner, max_size=3))


@pytest.mark.parametrize(
    "old",
    [
        {"type": "array", "items": [{"type": "integer"}, {"type": "string"}]},
        {"type": "array", "items": [{"type": "integer"}], "additionalItems": False},
        {"type": "array", "items": [{"type": "integer"}], "additionalItems": {"type": "string"}},
        {"type": "array"},
        {"type": ["array", "integer"]},
        {"type": "array", "items": {"type": "array", "items": [{"type": "integer"}]}},
    ],
)
@given(VALUES)
def test_lists_of_items_mean_the_same(old: dict[str, Any], value: object) -> None:
    renewed = renew(old)
    jsonschema.Draft202012Validator.check_schema(renewed)
    assert jsonschema.Draft202012Validator(renewed).is_valid(value) == jsonschema.Draft7Validator(old).is_valid(value)


@given(st.integers(-3, 3))
def test_exclusive_limits_that_were_booleans_mean_the_same(value: int) -> None:
    old = {"type": "integer", "minimum": 0, "exclusiveMinimum": True, "maximum": 2, "exclusiveMaximum": False}
    assert renew(old) == {"type": "integer", "exclusiveMinimum": 0, "maximum": 2}
    assert jsonschema.Draft202012Validator(renew(old)).is_valid(value) == jsonschema.Draft4Validator(old).is_valid(
        value
    )


def test_values_and_names_are_nobodys_schemas() -> None:
    schema = {"type": "object", "properties": {"items": {"type": "string"}}, "default": {"items": [1]}}
    assert renew(schema) == schema
