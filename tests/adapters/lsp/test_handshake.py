"""What each side says that it can do; and settings, nested or with dotted keys, as servers ask for them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mmtools.adapters.lsp import handshake
from mmtools.adapters.lsp.handshake import Offers
from mmtools.core.lsp.positions import Units
from mmtools.ports.language_servers import Feature

SETTINGS = {
    "python.analysis.mode": "strict",
    "python": {"analysis": {"depth.max": 3}, "on": False},
    "list": [{"a.b": 1}],
}
NESTED = {
    "python": {"analysis": {"mode": "strict", "depth": {"max": 3}}, "on": False},
    "list": [{"a.b": 1}],
}


def offers(**capabilities: Any) -> Offers:
    return handshake.offers({"capabilities": capabilities})


@pytest.mark.parametrize("sync", [2, {"change": 2}, None, {"save": False}, {"save": None}, [], "x"])
def test_saves_are_told_only_to_those_who_want_them(sync: object) -> None:
    assert not offers(textDocumentSync=sync).wants_saves


@pytest.mark.parametrize(("save", "with_text"), [(True, False), ({}, False), ({"includeText": True}, True)])
def test_saves_hold_the_text_where_it_is_wanted(save: object, with_text: bool) -> None:
    told = offers(textDocumentSync={"save": save})
    assert told.wants_saves
    assert told.saves_hold_text is with_text


@pytest.mark.parametrize(
    ("provider", "features"),
    [
        (True, {Feature.RENAME}),
        ({}, {Feature.RENAME}),
        ({"prepareProvider": True}, {Feature.RENAME, Feature.PREPARE_RENAME}),
        ({"prepareProvider": "yes"}, {Feature.RENAME}),
        (False, set()),
        (None, set()),
        ("true", set()),
    ],
)
def test_a_rename_may_be_offered_with_or_without_its_preparation(provider: object, features: set[Feature]) -> None:
    assert offers(renameProvider=provider).features == features


@pytest.mark.parametrize(
    ("provider", "pulls"), [(True, {}), ({"identifier": "x"}, {"identifier": "x"}), (False, None), (None, None)]
)
def test_diagnostics_may_be_pulled_or_not(provider: object, pulls: object) -> None:
    assert offers(diagnosticProvider=provider).pulls == pulls


@pytest.mark.parametrize(
    ("result", "units"),
    [
        ({"capabilities": {"positionEncoding": "utf-8"}}, Units.UTF8),
        ({"capabilities": {"positionEncoding": "utf-32"}}, Units.UTF32),
        ({"capabilities": {}, "offsetEncoding": "utf-8"}, Units.UTF8),
        ({"capabilities": {"positionEncoding": "utf-7"}}, Units.UTF16),
        ({"capabilities": {"positionEncoding": ["utf-8"]}}, Units.UTF16),
        ({}, Units.UTF16),
    ],
)
def test_positions_count_utf_16_unless_the_server_insists(result: object, units: Units) -> None:
    assert handshake.offers(result).units is units


def test_the_greeting_is_json_and_names_the_folder_by_its_uri() -> None:
    said = handshake.initialize("/w/a #1%", {"x": [1]})
    assert json.loads(json.dumps(said))["workspaceFolders"] == [{"uri": "file:///w/a%20%231%25", "name": "a #1%"}]
    assert handshake.folders("/")[0]["name"] == "/"


def test_dotted_and_nested_keys_mean_the_same() -> None:
    assert handshake.nested(SETTINGS) == NESTED
    assert handshake.nested(NESTED) == NESTED
    assert handshake.nested({}) == {}


def test_a_later_value_takes_the_place_of_an_earlier_one() -> None:
    assert handshake.nested({"a": 1, "a.b": 2}) == {"a": {"b": 2}}
    assert handshake.nested({"a.b": 2, "a": 1}) == {"a": 1}
    assert handshake.nested({"a.b": 2, "a.b.c": 3}) == {"a": {"b": {"c": 3}}}


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
    assert handshake.configuration(NESTED, {"items": [{"section": section, "scopeUri": "file:///x"}]}) == [value]


def test_there_are_as_many_answers_as_items() -> None:
    assert handshake.configuration(NESTED, {"items": [{"section": "list"}, None, 3]}) == [
        NESTED["list"],
        NESTED,
        NESTED,
    ]
    assert handshake.configuration({}, {"items": [{}, {"section": "x"}]}) == [None, None]
    assert handshake.configuration(NESTED, None) == handshake.configuration(NESTED, {"items": 3}) == []


def test_options_that_there_are_none_of_are_left_out() -> None:
    """C139."""
    assert "initializationOptions" not in handshake.initialize("/root", None)
    assert handshake.initialize("/root", {})["initializationOptions"] == {}
