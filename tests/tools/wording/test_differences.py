"""Differences in words: what cannot be seen is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.differences import Difference
from mmtools.tools.wording.differences import differences, named, quoted


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", "nothing"),
        (" ", "1 space"),
        ("    ", "4 spaces"),
        ("\t\t", "2 tabs"),
        ("\t  ", "1 tab and 2 spaces"),
        ("\n", "1 line break"),
        ("\n  ", "1 line break and 2 spaces"),
        ("\u00a0", "U+00A0 (no-break space)"),
        ("e\u0301", '"e" + U+0301 (combining acute accent)'),
        ("“", "U+201C (left double quotation mark)"),
        ("\ue000", "U+E000"),
        ("x = 1", '"x = 1"'),
        ('say "x"', '"say \\"x\\""'),
        ("a\u200bbcdef", '"a\\u200bbcdef"'),
        ("x" * 100, f'"{"x" * 80}"…'),
    ],
)
def test_what_cannot_be_seen_is_named(text: str, name: str) -> None:
    assert named(text) == name


@given(st.text(st.characters()))
def test_a_quoted_text_can_be_shown_anywhere(text: str) -> None:
    assert quoted(text).isprintable()
    quoted(text).encode()
    assert named(text).isprintable()


def test_lines_with_the_same_difference_are_told_together() -> None:
    same = [Difference(line, 1, "\t", "    ") for line in (3, 4, 5)]
    apart = [Difference(line, 1, " ", "") for line in (7, 9)]
    assert differences([*same, *apart], sent="old") == [
        "- lines 3-5, column 1: the file has 1 tab, old has 4 spaces",
        "- lines 7, 9, column 1: the file has 1 space, old has nothing",
    ]


def test_many_differences_are_cut() -> None:
    told = differences([Difference(line, line, "a", "b") for line in range(1, 10)], sent="old")
    assert len(told) == 6
    assert told[-1] == "- and 4 more"
