"""How often a text occurs, overlapping places included."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core import occurrences
from mmtools.core.occurrences import Never, Often, Once

SMALL = st.text(alphabet="ab\n", max_size=40)


@given(SMALL, st.text(alphabet="ab\n", min_size=1, max_size=4))
def test_every_place_counts(text: str, part: str) -> None:
    places = [at for at in range(len(text)) if text.startswith(part, at)]
    lines = tuple(len(text[:at].split("\n")) for at in places)
    assert list(occurrences.places(text, part)) == list(zip(places, lines, strict=True))
    found = occurrences.count(text, part)
    match places:
        case []:
            assert found == Never()
        case [only]:
            assert found == Once(only)
        case _:
            assert found == Often(len(places), lines[:10], more=False)


@pytest.mark.parametrize("times", [9_999, 10_000, 10_001])
def test_counting_is_exact_up_to_ten_thousand(times: int) -> None:
    found = occurrences.count("a\n" * times, "a\n")
    assert found == Often(min(times, 10_000), tuple(range(1, 11)), more=times > 10_000)


@pytest.mark.parametrize("length", [1_000, 100_000, 1_000_000])
def test_a_text_that_overlaps_itself_everywhere_is_not_counted_to_the_end(length: int) -> None:
    found = occurrences.count("a" * 2_000_000, "a" * length)
    assert isinstance(found, Often)
    assert found.more
    assert found.count >= 20
