"""The words that displays share."""

from __future__ import annotations

import re

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.terminal import call_text
from mmtools.call import Status, ToolKind
from tests.adapters.shown_calls import ended, started

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def test_every_way_to_end_has_a_sign_and_only_success_needs_no_words() -> None:
    assert set(call_text.ENDINGS) == set(Status)
    assert [status for status, ending in call_text.ENDINGS.items() if not ending.words] == [Status.OK]


@given(st.floats(0, 1e6))
def test_a_duration_reads_back_within_its_precision(seconds: float) -> None:
    written = call_text.duration(seconds)
    parts = re.findall(r"([\d.]+)(ms|s|m|h)", written)
    read = sum(float(number) * UNITS[unit] for number, unit in parts)
    assert len(written) <= 9
    assert abs(read - seconds) <= max(0.051 * seconds, 0.0005)
    assert not re.search(r"\b(60(s|m)|1000ms)", written)


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (0, "0ms"),
        (0.34, "340ms"),
        (0.9999, "1.0s"),
        (1.23, "1.2s"),
        (34.4, "34s"),
        (59.9, "1m 00s"),
        (125, "2m 05s"),
        (3599.7, "1h 00m"),
        (3725, "1h 02m"),
        (-1, "0ms"),
    ],
)
def test_durations(seconds: float, written: str) -> None:
    assert call_text.duration(seconds) == written


@pytest.mark.parametrize(
    ("hidden", "words"), [(1, "… 1 more line"), (2, "… 2 more lines"), (1234, "… 1,234 more lines")]
)
def test_a_fold_says_how_much_it_hides(hidden: int, words: str) -> None:
    assert call_text.folded(hidden) == words


def test_a_progress_bar_is_one_line_and_a_file_keeps_its_carriage_returns() -> None:
    """What a program drew over is gone; in the text of a file a carriage return hides nothing."""
    command = started()
    assert call_text.answer(ended(command, "10%\r50%\r100%\r\nx\r\n")) == "100%\r\nx\r\n"
    assert call_text.answer(ended(evolve(command, kind=ToolKind.READ), "a\rb\n")) == "a\rb\n"


def test_a_subject_is_one_line_of_bounded_length() -> None:
    assert call_text.subject(started("make\nmake test")) == "make …"
    assert call_text.subject(started("x" * 1_000_000)) == "x" * 499 + "…"
    made_up = call_text.tool(started(tool="made\nup\x1b[31m" + "x" * 200))
    assert made_up == "made⟨U+000A⟩up⟨U+001B⟩[31m" + "x" * 40 + "…" + "x" * 33
    renamed = evolve(started("safe.md\n" + "x" * 1_000 + "/Makefile"), kind=ToolKind.EDIT)
    assert re.fullmatch(r"safe\.md⟨U\+000A⟩x+…x+/Makefile", call_text.subject(renamed, 80))
