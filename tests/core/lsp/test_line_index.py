"""Lines are found where splitting the whole text finds them, on both sides of every block's bound."""

from __future__ import annotations

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.lsp.line_index import LineIndex

#: Long lines, so that blocks begin and end in and between them.
PIECES = st.lists(st.sampled_from(["\n", "\r\n", "a", "x" * 180, "y" * 511, "\n" * 512, "é\r"]), max_size=8)


@given(PIECES.map("".join), st.lists(st.integers(0, 20_000), max_size=20))
def test_every_line_is_where_splitting_puts_it(text: str, chosen: list[int]) -> None:
    index, lines = LineIndex(text, text), text.split("\n")
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    assert index.breaks == len(lines) - 1
    for number in {0, len(lines) - 1, *(number % len(lines) for number in chosen)}:
        start, end = starts[number], starts[number] + len(lines[number])
        assert index.line_of(start) == index.line_of(end) == number
        ends_with_pair = end < len(text) and lines[number].endswith("\r")
        assert index.span(number) == (start, end - ends_with_pair)
