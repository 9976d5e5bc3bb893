"""Windows of lines, against an oracle that splits the whole text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core import lines
from mmtools.core.lines import Ending, Excerpt, PastEnd, Scan, Window

UNLIMITED = 10**9

#: Few different bytes, so that empty lines, runs of line feeds and split characters are all likely.
streams = st.one_of(
    st.lists(
        st.sampled_from([b"\n", b"\n", b"a", b"\r\n", b"\r", "é".encode(), "😀".encode(), b"\xff"]), max_size=20
    ).map(b"".join),
    st.binary(max_size=40),
)
windows = st.builds(
    lambda first, count: Window(first, None if count is None else first + count),
    st.integers(1, 8),
    st.one_of(st.none(), st.integers(0, 8)),
)


def split(data: bytes) -> list[bytes]:
    """The lines with their ends, by the rule alone."""
    *ended, rest = data.split(b"\n")
    return [line + b"\n" for line in ended] + ([rest] if rest else [])


def scan(data: bytes, window: Window, *, chunk: int, max_chars: int = UNLIMITED) -> Excerpt | PastEnd:
    scan = Scan(window, max_chars=max_chars)
    at = 0
    while not scan.finished:
        scan.feed(data[at : at + chunk])
        at += chunk
    return scan.result()


@given(streams, windows, st.integers(1, 45))
def test_a_window_is_what_splitting_the_whole_would_give(data: bytes, window: Window, chunk: int) -> None:
    every = split(data)
    found = scan(data, window, chunk=chunk)
    if window.first > len(every):
        assert found == PastEnd(len(every))
        return
    wanted = every[window.first - 1 : window.last]
    reached = window.first - 1 + len(wanted)
    assert found == Excerpt(
        data=b"".join(wanted),
        first=window.first,
        offset=len(b"".join(every[: window.first - 1])),
        ending=Ending.STREAM if reached == len(every) else Ending.WINDOW,
    )
    assert found.stream_lines == (len(every) if reached == len(every) else None)


@given(streams, windows, st.integers(1, 45), st.integers(1, 12))
def test_a_budget_keeps_whole_lines_or_measures_the_first(
    data: bytes, window: Window, chunk: int, max_chars: int
) -> None:
    every = split(data)
    found = scan(data, window, chunk=chunk, max_chars=max_chars)
    if window.first > len(every):
        assert found == PastEnd(len(every))
        return
    assert isinstance(found, Excerpt)
    wanted = every[window.first - 1 : window.last]
    whole = b"".join(wanted)
    assert found.data
    assert whole.startswith(found.data)
    if found.data == whole:
        assert found.ending is not Ending.BUDGET
        assert found.missing == 0
        return
    # Nothing is left out unless there is more than the budget.
    assert len(whole) > max_chars
    if found.data.endswith(b"\n"):
        assert (found.ending, found.missing) == (Ending.BUDGET, 0)
    else:
        assert len(found.data) + found.missing == len(wanted[0].removesuffix(b"\n"))
        assert found.ending is (Ending.STREAM if window.first == len(every) else Ending.BUDGET)


@given(st.text(st.sampled_from("a\né漢😀"), max_size=30), windows, st.integers(1, 45), st.integers(1, 12))
def test_utf8_is_never_cut_inside_a_character(text: str, window: Window, chunk: int, max_chars: int) -> None:
    found = scan(text.encode(), window, chunk=chunk, max_chars=max_chars)
    if isinstance(found, Excerpt) and len(found.data) >= 4:
        found.data.decode()


def test_what_follows_a_full_window_is_not_wanted() -> None:
    scan = Scan(Window(2, 2), max_chars=UNLIMITED)
    scan.feed(b"a\nb\nc")
    assert scan.finished
    scan.feed(b"d\n")
    found = scan.result()
    assert isinstance(found, Excerpt)
    assert (found.data, found.ending) == (b"b\n", Ending.WINDOW)


@pytest.mark.parametrize("size", [0, 1, 2, 4095, 4096, 4097, 9000, 70_000])
def test_line_feeds_are_found_in_chunks_of_every_size(size: int) -> None:
    data = b"x" * size + b"\n" + b"\n" * size + b"tail"
    every = split(data)
    for first in {1, 2, size, size + 1, size + 2} - {0}:
        found = scan(data, Window(first, first), chunk=len(data))
        assert found == PastEnd(len(every)) if first > len(every) else found.data == every[first - 1]  # type: ignore[union-attr] # PastEnd has none


@given(st.lists(st.integers(0, 300), min_size=20, max_size=150), st.integers(1, 160), st.integers(500, 9_000))
def test_a_line_is_found_however_long_the_lines_before_it_are(lengths: list[int], first: int, chunk: int) -> None:
    every = [b"x" * length + b"\n" for length in lengths]
    found = scan(b"".join(every), Window(first, first), chunk=chunk)
    if first > len(every):
        assert found == PastEnd(len(every))
    else:
        assert isinstance(found, Excerpt)
        assert found.data == every[first - 1]


@given(streams, st.integers(0, 30))
def test_head_is_the_first_lines_with_their_ends(data: bytes, count: int) -> None:
    assert lines.head(data, count) == b"".join(split(data)[:count])


@given(st.text(min_size=1), st.integers(1, 12))
def test_the_beginning_of_a_line_ends_with_a_whole_character(line: str, max_bytes: int) -> None:
    data = line.encode("utf-8", "replace")
    whole_characters = data[:max_bytes].decode("utf-8", "ignore").encode()
    assert lines.beginning(data, max_bytes) == (whole_characters or data[:max_bytes])
