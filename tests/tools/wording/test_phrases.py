"""The phrases that many answers share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.tools.wording import phrases


@pytest.mark.parametrize(
    ("count", "noun", "said"),
    [(1, "line", "1 line"), (0, "line", "0 lines"), (12_000, "byte", "12000 bytes"), (2, "match", "2 matches")],
)
def test_how_many_there_are(count: int, noun: str, said: str) -> None:
    assert phrases.counted(count, noun) == said


def test_verbs_and_ranges_agree_with_their_number() -> None:
    assert (phrases.are(1), phrases.are(2)) == ("is", "are")
    assert (phrases.line_range(3, 3), phrases.line_range(3, 5)) == ("line 3", "lines 3-5")


@pytest.mark.parametrize(
    ("some", "more", "said"),
    [
        ([3], False, "line 3"),
        ([3, 5], False, "lines 3, 5"),
        ([3, 5, 7], False, "lines 3, 5, …"),
        ([3], True, "line 3, …"),
    ],
)
def test_things_named_by_their_numbers(some: list[int], said: str, *, more: bool) -> None:
    assert phrases.numbers("line", some, most=2, more=more) == said


@given(st.lists(st.text(), max_size=8), st.integers(0, 6))
def test_rows_that_are_left_out_are_counted(rows: list[str], most: int) -> None:
    kept = phrases.first(rows, most, more="- and {} more")
    if len(rows) <= most:
        assert kept == rows
    else:
        assert kept == [*rows[:most], f"- and {len(rows) - most} more"]


@pytest.mark.parametrize(("text", "line"), [("ls", "ls"), (" ls \n", "ls"), ("ls\npwd", "ls …"), ("", "")])
def test_the_first_line_says_when_more_follow(text: str, line: str) -> None:
    assert phrases.first_line(text) == line


@pytest.mark.parametrize(("number", "said"), [(30, "30"), (30.0, "30"), (0.25, "0.25"), (3_000_000.0, "3000000")])
def test_seconds_have_no_needless_fraction(number: float, said: str) -> None:
    assert phrases.seconds(number) == said


@given(st.lists(st.text("ab\n", max_size=4), max_size=5))
def test_parts_stand_under_one_another(parts: list[str]) -> None:
    whole = phrases.stacked(*parts)
    written = [part for part in parts if part]
    assert whole.endswith(written[-1] if written else "")
    assert whole.replace("\n", "") == "".join(parts).replace("\n", "")
    at = 0
    for part in written:
        assert at == 0 or whole[at - 1] == "\n"
        at += len(part) + (not part.endswith("\n"))
