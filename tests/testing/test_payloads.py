"""The strategies for arguments generate what they promise."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mmtools.testing import payloads

pytestmark = pytest.mark.slow

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "minLength": 1, "maxLength": 4},
        "whole": {"type": "integer", "minimum": -2, "maximum": 5},
        "ratio": {"type": "number", "minimum": 0, "maximum": 1},
        "flag": {"type": "boolean"},
        "choice": {"type": "string", "enum": ["b", "a"]},
        "either": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "table": {"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 1},
        "items": {
            "type": "array",
            "minItems": 1,
            "maxItems": 2,
            "items": {"type": "object", "properties": {"x": {}}, "required": ["x"], "additionalProperties": False},
        },
    },
    "required": ["text", "items"],
    "additionalProperties": False,
}


@given(payloads.valid_payloads(SCHEMA))
def test_valid_payloads_are_valid(payload: Any) -> None:
    Draft202012Validator(SCHEMA).validate(payload)


def generated(strategy: st.SearchStrategy[Any], count: int) -> list[Any]:
    """Return what a strategy generates, the same at every run."""
    seen: list[Any] = []

    @settings(max_examples=count, database=None, phases=[Phase.generate], derandomize=True)
    @given(strategy)
    def collect(value: Any) -> None:
        seen.append(value)

    collect()
    return seen


def test_valid_payloads_hold_what_they_must_and_leave_out_what_they_may() -> None:
    valid = generated(payloads.valid_payloads(SCHEMA), 100)
    for key in SCHEMA["properties"]:
        assert any(key in payload for payload in valid)
        assert all(key in payload for payload in valid) == (key in SCHEMA["required"])


def test_broken_payloads_break_in_every_way_and_stay_json() -> None:
    broken = generated(payloads.broken_payloads(SCHEMA), 300)
    objects = [payload for payload in broken if isinstance(payload, dict)]
    assert any(isinstance(payload, str) for payload in broken)
    assert any("text" not in payload for payload in objects)
    assert any(payload.keys() - SCHEMA["properties"].keys() for payload in objects)
    kinds = {type(payload[key]) for payload in objects for key in ("whole", "flag", "table", "items") if key in payload}
    assert {str, type(None), int, bool, list, dict} <= kinds
    assert json.loads(json.dumps(broken, allow_nan=False)) == broken


@given(st.data())
def test_json_values_are_json(data: st.DataObject) -> None:
    value = data.draw(payloads.json_values())
    assert json.loads(json.dumps(value, allow_nan=False)) == value


def test_hostile_payloads_are_of_every_kind() -> None:
    kinds = {type(payload) for payload in generated(payloads.hostile_payloads(SCHEMA), 300)}
    assert {str, dict, list, bytes, set, tuple, complex, type(None)} <= kinds
