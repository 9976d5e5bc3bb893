"""Settings, nested or with dotted keys, as servers ask for them."""

from __future__ import annotations

import pytest

from mmtools.adapters.lsp.configuration import answer, nested

SETTINGS = {
    "python.analysis.mode": "strict",
    "python": {"analysis": {"depth.max": 3}, "on": False},
    "list": [{"a.b": 1}],
}
NESTED = {
    "python": {"analysis": {"mode": "strict", "depth": {"max": 3}}, "on": False},
    "list": [{"a.b": 1}],
}


def test_dotted_and_nested_keys_mean_the_same() -> None:
    assert nested(SETTINGS) == NESTED
    assert nested(NESTED) == NESTED
    assert nested({}) == {}


def test_a_later_value_takes_the_place_of_an_earlier_one() -> None:
    assert nested({"a": 1, "a.b": 2}) == {"a": {"b": 2}}
    assert nested({"a.b": 2, "a": 1}) == {"a": 1}
    assert nested({"a.b": 2, "a.b.c": 3}) == {"a": {"b": {"c": 3}}}


@pytest.mark.parametrize(
    ("section", "value"),
    [
        ("python.analysis.depth", {"max": 3}),
        ("python.on", False),
        ("python.on.deeper", None),
        ("none", None),
        ("", NESTED),
        (None, NESTED),
        (7, NESTED),
    ],
)
def test_each_item_gets_its_section(section: object, value: object) -> None:
    assert answer(NESTED, {"items": [{"section": section, "scopeUri": "file:///x"}]}) == [value]


def test_there_are_as_many_answers_as_items() -> None:
    assert answer(NESTED, {"items": [{"section": "list"}, None, 3]}) == [NESTED["list"], NESTED, NESTED]
    assert answer({}, {"items": [{}, {"section": "x"}]}) == [None, None]
    assert answer(NESTED, None) == answer(NESTED, {"items": 3}) == []
