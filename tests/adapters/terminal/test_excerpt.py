"""The first lines of an answer, whole or live."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.terminal.excerpt import NO_OUTPUT, Excerpt, LiveLines, excerpt, redrawn


@given(st.text("ab \n", max_size=40), st.integers(0, 6))
def test_an_excerpt_accounts_for_every_line(text: str, limit: int) -> None:
    lines = [line.rstrip() for line in text.rstrip().split("\n")] if text.strip() else []
    found = excerpt(text, limit)
    assert list(found.shown) == lines[:limit]
    assert found.hidden == len(lines[limit:])
    assert found.last == (lines[-1] if lines else "")


def test_a_text_that_says_it_is_empty_is() -> None:
    assert excerpt(f"{NO_OUTPUT}\n", 5) == excerpt("", 5) == Excerpt((), 0, "")


@given(st.lists(st.text("ab\n", max_size=6), max_size=8), st.integers(0, 4))
def test_live_lines_are_those_of_the_whole_however_it_is_cut(chunks: list[str], limit: int) -> None:
    live = LiveLines(limit)
    for chunk in chunks:
        live.feed(chunk)
    *complete, rest = "".join(chunks).split("\n")
    assert live.lines == complete[:limit]
    assert live.count == len(complete)
    assert live.newest == (rest or (complete[-1] if complete else ""))


@given(st.data(), st.sampled_from(["\x1b[31mred\x1b[0m\n", "10%\r50%\r100%\n", "\x1b]0;t\x07x\r\ny\n", "a\x1b[K\rb\n"]))
def test_sequences_and_redrawn_lines_may_be_cut_anywhere(data: st.DataObject, text: str) -> None:
    whole, cut = LiveLines(9), LiveLines(9)
    whole.feed(text)
    place = data.draw(st.integers(0, len(text)))
    cut.feed(text[:place])
    cut.feed(text[place:])
    assert (cut.lines, cut.count, cut.newest) == (whole.lines, whole.count, whole.newest)


@given(st.text("ab\r\n", max_size=20))
def test_redrawn_text_has_the_same_lines_whole_and_live(text: str) -> None:
    live = LiveLines(99)
    live.feed(text)
    whole = redrawn(text).replace("\r\n", "\n").split("\n")
    assert live.lines == [line.rstrip("\r") for line in whole[:-1]]
    assert live.newest in (whole[-1].rstrip("\r"), *live.lines[-1:])


def test_a_progress_bar_is_one_line_live() -> None:
    live = LiveLines(9)
    live.feed("10%\r50%\r")
    assert live.newest == "50%"
    live.feed("100%\n")
    assert live.lines == ["100%"]


@pytest.mark.parametrize("chunk", ["y\n" * 100_000, "y" * 200_000, "y\r" * 100_000])
def test_a_flood_takes_no_memory(chunk: str) -> None:
    live = LiveLines(10)
    live.feed(chunk)
    tracemalloc.start()
    for _ in range(100):
        live.feed(chunk)
    grown, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert grown < 10_000
    assert peak < 10_000_000


def test_one_endless_line_is_shortened() -> None:
    live = LiveLines(1)
    live.feed("x" * 10_000 + "\n")
    assert live.lines == ["x" * 499 + "…"]
    assert excerpt("x" * 10_000, 1).shown == ("x" * 499 + "…",)
