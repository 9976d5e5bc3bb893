"""Parts that look the same are found, with ends where the wanted text has them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given

from mmtools.core import folded_matches
from mmtools.core.confusables import fold
from mmtools.testing.strategies import texts


def part_of(text: str, wanted: str) -> str | None:
    part = folded_matches.find(text, wanted)
    return None if part is None else text[part.start : part.end]


@given(texts(max_pieces=20), texts(max_pieces=8).filter(str.strip))
def test_a_twin_looks_the_same(text: str, wanted: str) -> None:
    part = part_of(text, wanted)
    if part is not None:
        assert fold(part) == fold(wanted)
    if fold(wanted):
        assert part_of(f" {wanted} ", wanted) is not None


@pytest.mark.parametrize(
    ("text", "wanted", "part"),
    [
        pytest.param("\tfoo(1)\n", "  foo(1)", "\tfoo(1)", id="the indent when one is wanted"),
        pytest.param("\tfoo(1) \n", "foo( 1 )", "foo(1)", id="no blanks when none are"),
        pytest.param("a\n\n\tb\n", "\n b\n", "\n\tb\n", id="as many line breaks"),
        pytest.param("a\tb  \nc", "b\n", "b  \n", id="blanks before the line break"),
        pytest.param("a\tb", "b\n\n", "b", id="what there is"),
        pytest.param("a e\u0301 b", "\u00e9", "e\u0301", id="a letter with its accent"),
        pytest.param("max=10", "x = 1", None, id="no part of a word"),
        pytest.param("x1 x  =  1", "x = 1", "x  =  1", id="the first that parts no word"),
        pytest.param("这中文\u3000测试了", "中文 测试", "中文\u3000测试", id="a script without blanks"),
    ],
)
def test_the_ends_of_a_twin_are_where_the_wanted_text_has_them(text: str, wanted: str, part: str | None) -> None:
    assert part_of(text, wanted) == part


def test_text_made_to_be_slow_is_given_up() -> None:
    started = time.thread_time()
    assert folded_matches.find("aa" * 5_000, "a a") is None
    assert time.thread_time() - started < 20
