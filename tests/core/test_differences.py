"""Differences tell every place, in the file's lines and columns, and nothing that is equal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core import differences
from mmtools.core.differences import Difference
from mmtools.testing.strategies import texts


@given(texts(max_pieces=20), texts(max_pieces=20))
def test_each_difference_stands_in_the_file_where_it_is_said_to(found: str, sent: str) -> None:
    told = differences.between(found, sent)
    assert (told == ()) == (found == sent)
    lines = found.split("\n")
    for one in told:
        assert one.found != one.sent
        assert one.line <= len(lines) + (not one.found)
        rest = "\n".join([line[one.column - 1 :] for line in lines[one.line - 1 : one.line]] + lines[one.line :] + [""])
        assert rest.startswith(one.found)


@given(texts(max_pieces=20), texts(max_pieces=20), st.integers(1, 9), st.integers(1, 9))
def test_a_part_of_a_file_is_numbered_as_in_the_file(found: str, sent: str, line: int, column: int) -> None:
    shifted = [
        Difference(one.line + line - 1, one.column + (column - 1 if one.line == 1 else 0), one.found, one.sent)
        for one in differences.between(found, sent)
    ]
    assert list(differences.between(found, sent, line, column)) == shifted


@pytest.mark.parametrize(
    ("found", "sent", "told"),
    [
        pytest.param("x = total", "x = totl", [(1, 5, "total", "totl")], id="words are whole"),
        pytest.param("a\tb", "a  b", [(1, 2, "\t", "  ")], id="blanks alone"),
        pytest.param("“a” b", '"a" b', [(1, 1, "“", '"'), (1, 3, "”", '"')], id="look-alikes one by one"),
        pytest.param("a\nb\nc", "a\nc", [(2, 1, "b\n", "")], id="a line more"),
        pytest.param("a\nc", "a\nb\nc", [(2, 1, "", "b\n")], id="a line less"),
        pytest.param("f(\n a)", "f(a)", [(1, 3, "\n ", "")], id="a wrapped line"),
    ],
)
def test_differences_are_small(found: str, sent: str, told: list[tuple[int, int, str, str]]) -> None:
    assert [(one.line, one.column, one.found, one.sent) for one in differences.between(found, sent)] == told


def test_there_are_never_too_many() -> None:
    many = differences.between("\n".join("ab" * 500), "\n".join("cd" * 500))
    assert len(many) == differences.MOST
