"""Head, tail and what is dropped between them, against slicing the whole."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.text import utf8_size
from mmtools.core.truncation import HeadAndTail, keep_head, keep_tail, shortened

TEXTS = st.text(st.sampled_from("ab é日😀\n\n\r"), max_size=120)
BUDGETS = st.integers(0, 130)


def fed(text: str, max_chars: int, cuts: list[int]) -> tuple[str, str, int]:
    """The result for `text` fed in pieces, cut anywhere."""
    kept = HeadAndTail(max_chars)
    edges = [0, *sorted(cut % (len(text) + 1) for cut in cuts), len(text)]
    for start, end in pairwise(edges):
        kept.feed(text[start:end])
    return kept.captured()


@given(TEXTS, BUDGETS)
def test_a_kept_head_is_a_prefix_and_the_rest_is_counted(text: str, max_chars: int) -> None:
    kept = keep_head(text, max_chars)
    assert text.startswith(kept.text)
    assert len(kept.text) <= max_chars
    rest = text[len(kept.text) :]
    assert (kept.dropped_chars, kept.dropped_bytes) == (len(rest), len(rest.encode()))


@given(TEXTS, BUDGETS)
def test_a_kept_tail_is_a_suffix_and_the_rest_is_counted(text: str, max_chars: int) -> None:
    kept = keep_tail(text, max_chars)
    assert text.endswith(kept.text)
    assert len(kept.text) <= max_chars
    rest = text[: len(text) - len(kept.text)]
    assert (kept.dropped_chars, kept.dropped_bytes) == (len(rest), len(rest.encode()))


@given(TEXTS, BUDGETS)
def test_what_fits_is_whole_and_what_does_not_uses_at_least_half_of_the_budget(text: str, max_chars: int) -> None:
    for kept in (keep_head(text, max_chars), keep_tail(text, max_chars)):
        if len(text) <= max_chars:
            assert (kept.text, kept.dropped_chars) == (text, 0)
        else:
            assert kept.dropped_chars > 0
            assert len(kept.text) >= max_chars - max_chars // 2


@given(TEXTS, BUDGETS, st.lists(st.integers(0, 200), max_size=8))
def test_nothing_is_lost_between_head_and_tail(text: str, max_chars: int, cuts: list[int]) -> None:
    head, tail, elided_bytes = fed(text, max_chars, cuts)
    assert len(head) + len(tail) <= max_chars
    assert text.startswith(head)
    assert text.endswith(tail)
    between = text[len(head) : len(text) - len(tail)]
    assert elided_bytes == len(between.encode())
    assert (elided_bytes == 0) == (len(text) <= max_chars)


@given(TEXTS, BUDGETS, st.lists(st.integers(0, 200), max_size=8))
def test_where_a_stream_is_cut_does_not_matter(text: str, max_chars: int, cuts: list[int]) -> None:
    assert fed(text, max_chars, cuts) == fed(text, max_chars, [])


@given(st.integers(1, 90), st.integers(400, 3_000))
def test_lines_shorter_than_the_reach_are_never_cut(width: int, max_chars: int) -> None:
    line = "x" * (width - 1) + "\n"
    text = line * (2 * max_chars // width + 2)
    head, tail, _ = fed(text, max_chars, [])
    assert head.endswith("\n")
    assert tail.startswith(line)
    assert keep_head(text, max_chars).text.endswith("\n")
    assert keep_tail(text, max_chars).text.startswith(line)


@pytest.mark.parametrize("distance", [1, 199, 200])
def test_a_cut_moves_to_a_line_end_within_200_characters(distance: int) -> None:
    text = "h" * (1_000 - distance) + "\n" + "x" * 5_000
    assert keep_head(text, 1_000).text == "h" * (1_000 - distance) + "\n"
    text = "x" * 5_000 + "\n" + "t" * (1_000 - distance)
    assert keep_tail(text, 1_000).text == "t" * (1_000 - distance)


def test_a_cut_further_from_a_line_end_falls_inside_the_line() -> None:
    assert keep_head("h" * 799 + "\n" + "x" * 5_000, 1_000).text == "h" * 799 + "\n" + "x" * 200
    assert keep_tail("x" * 5_000 + "\n" + "t" * 799, 1_000).text == "x" * 200 + "\n" + "t" * 799


def test_a_tail_that_begins_a_line_is_not_shortened() -> None:
    assert keep_tail("one\ntwo\nthree\n", 10).text == "two\nthree\n"
    head, tail, elided = fed("".join(f"{n:03}\n" for n in range(100)), 40, [])
    assert (head, tail, elided) == ("000\n001\n002\n003\n004\n", "095\n096\n097\n098\n099\n", 360)


def test_head_and_tail_get_about_half_each() -> None:
    head, tail, elided = fed("x" * 100_000, 30_000, [])
    assert (len(head), len(tail), elided) == (15_000, 15_000, 70_000)


def test_nothing_fits_into_no_budget() -> None:
    assert fed("é\n", 0, []) == ("", "", 3)
    assert keep_head("é\n", 0).dropped_bytes == keep_tail("é\n", 0).dropped_bytes == 3


def test_a_stream_of_single_characters_and_nothings_stays_small() -> None:
    kept = HeadAndTail(10)
    for _ in range(100_000):
        kept.feed("")
        kept.feed("x")
    assert kept.captured() == ("xxxxx", "xxxxx", 99_990)
    assert len(kept._tail) < 30


@given(st.text(max_size=12), st.integers(1, 10))
def test_a_shortened_text_says_so_and_is_no_longer_than_allowed(text: str, max_chars: int) -> None:
    short = shortened(text, max_chars)
    assert len(short) == min(len(text), max_chars)
    assert (short == text) is (len(text) <= max_chars or text == text[: max_chars - 1] + "…")
    assert text.startswith(short.removesuffix("…"))


def test_sizes_are_those_of_utf8() -> None:
    assert utf8_size("aé日😀") == 10
    assert utf8_size("\ud800") == 3
