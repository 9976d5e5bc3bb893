"""What is left of a match once its common ends are set aside."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.changes import Change, reduce
from mmtools.core.text import view
from mmtools.testing.strategies import texts


@pytest.mark.parametrize(
    ("raw", "old", "new", "change"),
    [
        ("abc", "abc", "abXc", Change(0, 3, 2, 2, "X")),
        ("abc", "abc", "ac", Change(0, 3, 1, 2, "")),
        ("aaa", "aaa", "aaaa", Change(0, 3, 3, 3, "a")),
        ("aaa", "aaa", "aa", Change(0, 3, 2, 3, "")),
        ("a\r\nb\r\n", "a\nb\n", "a\nc\n", Change(0, 6, 3, 4, "c")),
        ("a\r\nb\nc", "a\nb\nc", "x\nb\nc", Change(0, 6, 0, 1, "x")),
        ("a\r\nb\nc", "a\nb\nc", "a\nb\nx", Change(0, 6, 5, 6, "x")),
        ("\n\r\n", "\n\n", "\n\n\n", Change(0, 3, 3, 3, "\n")),
        ("\r\n\n", "\n\n", "\n\n\n", Change(0, 3, 3, 3, "\r\n")),
        ("a\r\nb", "a\r\nb", "a\nb", Change(0, 4, 1, 3, "\n")),
        ("a\r\nb", "a\r\nb", "a\rb", Change(0, 4, 1, 3, "\r")),
        ("a\rb", "a\rb", "a\r\nb", Change(0, 3, 1, 2, "\r\n")),
        ("a\nb", "a\nb", "a\r\nb", Change(0, 3, 1, 2, "\r\n")),
        ("a\r\nb", "a\nb", "a\r\nc", Change(0, 4, 3, 4, "c")),
        ("a\r\nb", "a\nb", "a\r\nb", Change(0, 4, 3, 3, "")),
    ],
)
def test_only_what_differs_is_changed(raw: str, old: str, new: str, change: Change) -> None:
    found = reduce(raw, 0, old, new)
    assert found.is_empty == change.is_empty
    if not change.is_empty:
        assert found == change


@given(texts(max_pieces=6), texts(max_pieces=6))
def test_no_change_could_be_narrower(raw: str, new: str) -> None:
    found = reduce(raw, 0, view(raw), new)
    gone = raw[found.changed_start : found.changed_end]
    if gone and found.new and "\r" not in gone + found.new:
        assert gone[0] != found.new[0]
        assert gone[-1] != found.new[-1]


@given(texts(max_pieces=6), st.integers(0, 40), st.integers(0, 40), texts(max_pieces=3))
def test_no_line_break_is_parted(raw: str, one: int, other: int, new: str) -> None:
    start, end = sorted((one % (len(raw) + 1), other % (len(raw) + 1)))
    if any(raw[at - 1 : at + 1] == "\r\n" for at in (start, end)):
        return
    found = reduce(raw, start, raw[start:end] if "\r" in view(raw[start:end]) else view(raw[start:end]), new)
    assert start == found.start <= found.changed_start <= found.changed_end <= found.end == end
    assert raw[found.changed_start - 1 : found.changed_start + 1] != "\r\n"
    assert raw[found.changed_end - 1 : found.changed_end + 1] != "\r\n"
