"""Pieces of JSON are read as what they are, and everything else as nothing."""

from __future__ import annotations

import math

import pytest
from hypothesis import given

from mmtools.core.lsp import wire
from mmtools.core.lsp.positions import Position, Range
from tests.core.lsp.server_json import ANYTHING, at, stretch


@given(ANYTHING)
def test_a_piece_is_returned_as_it_is_or_not_at_all(value: object) -> None:
    assert wire.object_(value) == (value if isinstance(value, dict) else {})
    assert wire.sequence(value) == (value if isinstance(value, list) else ())
    assert wire.text(value) == (value if isinstance(value, str) else None)
    for found in (wire.position(value), wire.range_(value)):
        assert found is None or isinstance(value, dict)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (3, 3),
        (-1, -1),
        (2.0, 2),
        (10**30, 10**30),
        (2.5, None),
        (True, None),
        ("3", None),
        (None, None),
        (math.inf, None),
        (math.nan, None),
        ([3], None),
    ],
)
def test_a_number_is_whole_or_none(value: object, number: int | None) -> None:
    found = wire.number(value)
    assert found == number
    assert type(found) is type(number)


def test_positions_and_ranges_keep_their_numbers() -> None:
    assert wire.position({"line": 1, "character": -2, "more": 3}) == Position(1, -2)
    assert wire.range_(stretch(4, 5, 6)) == Range(Position(4, 5), Position(4, 6))


@pytest.mark.parametrize("value", [{"line": 1}, {"line": 1, "character": "2"}, {"line": None, "character": 2}])
def test_half_a_position_is_none(value: object) -> None:
    assert wire.position(value) is None
    assert wire.range_({"start": at(0, 0), "end": value}) is None


@pytest.mark.parametrize(
    ("words", "folded"),
    [
        ("one\n  \xa0two\r\nthree", "one two three"),
        ("  a  b \n\n", "a  b"),
        ("a\u2028b\x0bc\rd", "a b c d"),
        ("", ""),
        ("\n \n", ""),
    ],
)
def test_line_breaks_of_every_kind_become_one_space(words: str, folded: str) -> None:
    assert wire.one_line(words) == folded
