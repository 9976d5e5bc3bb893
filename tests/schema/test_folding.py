"""A schema folded into one object takes all that it took, held against a validator of JSON Schema."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.schema.folding import Unfoldable, fold

VALUES = st.one_of(st.integers(), st.text(max_size=2), st.booleans())
OBJECTS = st.dictionaries(st.sampled_from("abc"), VALUES)
PROPERTIES = st.dictionaries(st.sampled_from("abc"), st.sampled_from([{}, {"type": "string"}, {"type": "integer"}]))
PLAIN = st.builds(
    lambda properties, required: {
        "type": "object",
        "properties": properties,
        "required": sorted(required),
        # Of an open one a model is shown what is declared: that is narrower.
        "additionalProperties": False,
    },
    PROPERTIES,
    st.sets(st.sampled_from("abc")),
)
SCHEMAS = st.recursive(
    PLAIN,
    lambda inner: st.builds(
        lambda word, parts: {word: parts},
        st.sampled_from(["anyOf", "oneOf", "allOf"]),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=5,
)


@given(SCHEMAS, OBJECTS)
def test_what_was_valid_stays_valid_and_the_root_is_one_object(schema: dict[str, Any], value: dict[str, Any]) -> None:
    folded = fold(schema)
    assert folded["type"] == "object"
    assert not {"anyOf", "oneOf", "allOf", "$ref"} & folded.keys()
    jsonschema.Draft202012Validator.check_schema(folded)
    if jsonschema.Draft202012Validator(schema).is_valid(value):
        assert jsonschema.Draft202012Validator(folded).is_valid(value)


@given(PLAIN)
def test_one_object_comes_back_as_it_is(schema: dict[str, Any]) -> None:
    assert fold(schema) == schema


@pytest.mark.parametrize("schema", [{"type": "string"}, {"$ref": "#/$defs/gone"}, {"anyOf": [{"type": "integer"}]}])
def test_what_is_no_object_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(Unfoldable):
        fold(schema)
