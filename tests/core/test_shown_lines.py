"""What fits into an answer, against an oracle that counts line by line."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mmtools.core import shown_lines
from mmtools.core.lines import Ending, Excerpt, PastEnd, Scan, Window
from mmtools.core.shown_lines import FirstTooLong, Head, Whole


def split(text: str) -> list[str]:
    """The lines with their ends."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def scan(data: bytes, first: int, *, chunk: int, max_chars: int) -> Excerpt | PastEnd:
    scan = Scan(Window(first), max_chars=max_chars)
    at = 0
    while not scan.finished:
        scan.feed(data[at : at + chunk])
        at += chunk
    return scan.result()


texts = st.text(st.sampled_from("ab\n\n\ré😀"), min_size=1, max_size=30)


@given(texts, st.integers(1, 12))
@example("abc\n", 3)
@example("ab\nc\n", 4)
@example("a\n\n", 2)
def test_fitting_keeps_the_most_whole_lines(text: str, max_chars: int) -> None:
    every = split(text)
    fitting = [count for count in range(1, len(every)) if len("".join(every[:count]).removesuffix("\n")) <= max_chars]
    match shown_lines.fit(text, max_chars=max_chars, more=False):
        case Whole(text=whole):
            assert whole == text
            assert len(text) <= max_chars or (len(every) == 1 and len(text.removesuffix("\n")) <= max_chars)
        case Head(text=part, lines=count):
            assert len(text) > max_chars
            assert count == max(fitting)
            assert part + "\n" == "".join(every[:count])
        case FirstTooLong():
            assert len(every[0].removesuffix("\n")) > max_chars


@given(texts.map(lambda text: text + "\n"), st.integers(1, 40))
def test_with_more_to_come_the_last_line_feed_is_left_for_the_next_answer(text: str, max_chars: int) -> None:
    every = text.split("\n")[:-1]
    match shown_lines.fit(text, max_chars=max_chars, more=True):
        case Head(text=part, lines=count):
            assert part == "\n".join(every[:count])
            assert len(part) <= max_chars
            assert count == len(every) or len("\n".join(every[: count + 1])) > max_chars
        case FirstTooLong():
            assert len(every[0]) > max_chars
        case Whole():
            pytest.fail("more was to come")


@given(texts, st.integers(1, 10**6))
def test_numbers_stand_before_every_line_and_nothing_else_changes(text: str, first: int) -> None:
    numbered = shown_lines.numbered(text, first)
    every = split(text)
    assert numbered == "".join(f"{number}\t{line}" for number, line in enumerate(every, first))


@given(texts, st.integers(1, 12), st.integers(1, 9))
def test_following_the_answers_rebuilds_the_text(text: str, max_chars: int, chunk: int) -> None:
    every = split(text)
    rebuilt, first = "", 1
    while True:
        found = scan(text.encode(), first, chunk=chunk, max_chars=max_chars)
        if isinstance(found, PastEnd):
            break
        more = found.ending is Ending.BUDGET or found.missing > 0
        match shown_lines.fit(found.data.decode(), max_chars=max_chars, more=more):
            case Whole(text=whole):
                rebuilt += whole
                break
            case Head(text=part, lines=count):
                rebuilt += part + "\n"
                first += count
                following = every[first - 1]
                is_last = first == len(every)
                assert len(part + "\n" + (following if is_last else following.removesuffix("\n"))) > max_chars
            case FirstTooLong():
                rebuilt += every[first - 1]
                first += 1
    assert rebuilt == text
