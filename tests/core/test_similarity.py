"""Likeness is a measure, and the closest part has the most of it."""

from __future__ import annotations

import pytest
from hypothesis import given

from mmtools.core.similarity import Part, closest, likeness
from mmtools.testing.strategies import texts


@given(texts(), texts().filter(str.strip))
def test_likeness_is_one_for_itself_and_never_more(text: str, wanted: str) -> None:
    assert likeness(wanted, wanted) == 1
    assert 0 <= likeness(text, wanted) <= 1


@given(texts(max_pieces=20), texts(max_pieces=8).filter(str.strip))
def test_the_closest_part_is_a_part_and_as_alike_as_it_says(text: str, wanted: str) -> None:
    part = closest(text, wanted, near=0)
    assert 0 <= part.start <= part.end <= len(text)
    assert part.alike == likeness(text[part.start : part.end], wanted)


def test_the_closest_part_takes_in_new_and_missing_lines() -> None:
    text = "x\nalpha one\nbeta two\nnew line\ngamma three\ny\n"
    part = closest(text, "alpha one\nbeta 2\ngamma three\n", near=2)
    assert text[part.start : part.end] == "alpha one\nbeta two\nnew line\ngamma three\n"
    assert 0.7 < part.alike < 1


@pytest.mark.parametrize(
    ("text", "wanted", "part"),
    [
        pytest.param(
            "    value = compute(x)  # note", "valeu = compute(x)", "value = compute(x)", id="a part of a line"
        ),
        pytest.param("    value = 1", "    valeu = 1", "    value = 1", id="with its indent"),
        pytest.param("n  =  1 # note", "n = 2", "n  =  1", id="other blanks"),
        pytest.param('"""\nalpha\n"""\nbeta\nx\n', '"""\nbeta\ny', '"""\nbeta\nx', id="no lines from before"),
    ],
)
def test_the_ends_of_the_closest_part_are_where_the_wanted_text_has_them(text: str, wanted: str, part: str) -> None:
    found = closest(text, wanted, near=text.index(part))
    assert text[found.start : found.end] == part


def test_a_part_looks_the_same_only_where_it_says_so() -> None:
    assert not Part(0, 1, 1.0).looks_same
