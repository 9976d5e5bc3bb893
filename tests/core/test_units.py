"""Numbers with units: near the value, short, and never a rounding that lies."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core import units

UNITS_MS = {"ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}
UNITS_B = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12, "PB": 10**15}


def value(words: str, units: dict[str, int]) -> float:
    found = re.findall(r"([\d,.]+) ([a-zA-Z]+)", words)
    assert " ".join(f"{number} {unit}" for number, unit in found) == words
    return sum(float(number.replace(",", "")) * units[unit] for number, unit in found)


@pytest.mark.parametrize(
    ("duration_ms", "words"),
    [
        (0, "0 ms"),
        (-1, "0 ms"),
        (0.0042, "< 0.01 ms"),
        (0.04, "0.04 ms"),
        (0.5, "0.5 ms"),
        (0.9999, "1 ms"),
        (1.25, "1.2 ms"),
        (12.34, "12.3 ms"),
        (340.4, "340 ms"),
        (999.4, "999 ms"),
        (999.6, "1 s"),
        (1234, "1.2 s"),
        (59_499, "59.5 s"),
        (59_500, "1 min 00 s"),
        (125_000, "2 min 05 s"),
        (59.5 * 60_000, "1 h 00 min"),
        (3_720_000, "1 h 02 min"),
        (273_600_000, "3 d 04 h"),
        (10**12, "11,574 d 02 h"),
    ],
)
def test_durations(duration_ms: float, words: str) -> None:
    assert units.milliseconds(duration_ms) == words


@given(st.floats(0.01, 10**12))
def test_a_duration_is_near_what_it_says(duration_ms: float) -> None:
    words = units.milliseconds(duration_ms)
    assert value(words, UNITS_MS) == pytest.approx(duration_ms, rel=0.05, abs=0.006)
    assert len(words) <= 14


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 B"),
        (1, "1 B"),
        (999, "999 B"),
        (1000, "1 kB"),
        (12_345, "12.3 kB"),
        (999_499, "999 kB"),
        (999_500, "1 MB"),
        (4_000_000, "4 MB"),
        (2**62, "4,612 PB"),
    ],
)
def test_sizes(size: int, words: str) -> None:
    assert units.data_size(size) == words


@given(st.integers(0, 2**70))
def test_a_size_is_near_what_it_says(size: int) -> None:
    assert value(units.data_size(size), UNITS_B) == pytest.approx(size, rel=0.05)


@pytest.mark.parametrize(("number", "words"), [(0, "0 calls"), (1, "1 call"), (2000, "2,000 calls")])
def test_counts(number: int, words: str) -> None:
    assert units.count(number, "call") == words


@pytest.mark.parametrize(
    ("part", "whole", "words"),
    [
        (0, 0, "0 %"),
        (0, 9, "0 %"),
        (9, 9, "100 %"),
        (1, 100_000, "< 0.1 %"),
        (99_999, 100_000, "> 99.9 %"),
        (1, 3, "33.3 %"),
        (1, 8, "12.5 %"),
        (1, 200, "0.5 %"),
    ],
)
def test_shares(part: int, whole: int, words: str) -> None:
    assert units.share(part, whole) == words


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_a_share_says_none_or_all_only_when_it_is_so(part: int, whole: int) -> None:
    part = min(part, whole)
    words = units.share(part, whole)
    assert (words == "0 %") == (part == 0)
    assert (words == "100 %") == (part == whole)
