"""Durations along a logarithmic axis."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.metrics.axes import LogAxis, log_axis

durations = st.floats(0, 10**12) | st.sampled_from([0.0, 5e-324, 0.01, 0.1, 1.0, 1000.0])


@given(st.lists(durations))
def test_every_duration_has_its_place_in_order(sent: list[float]) -> None:
    axis = log_axis(sent)
    places = [axis.position(duration) for duration in sorted(sent)]
    assert all(0 <= place <= 1 for place in places)
    assert places == sorted(places)
    assert all(0 <= axis.bin(duration, 60) < 60 for duration in sent)


@given(st.lists(durations))
def test_ticks_are_few_and_in_even_steps(sent: list[float]) -> None:
    ticks = log_axis(sent).ticks
    assert 2 <= len(ticks) <= 6
    assert ticks[0].position == 0
    assert all(0 <= tick.position <= 1 for tick in ticks)
    steps = [later.position - tick.position for tick, later in itertools.pairwise(ticks)]
    assert steps == pytest.approx([steps[0]] * len(steps))
    assert len({tick.words for tick in ticks}) == len(ticks)
    assert max(len(tick.words) for tick in ticks) <= len("1,000,000 s")


def test_the_axis_ends_at_powers_of_ten_around_the_durations() -> None:
    assert log_axis([0.2, 340]) == LogAxis(-1, 3)
    assert log_axis([10]) == LogAxis(1, 2)
    assert log_axis([0, 0]) == log_axis([]) == LogAxis(-2, 0)
    assert log_axis([1e12]) == LogAxis(8, 9)


def test_what_is_a_power_of_ten_lies_at_its_tick() -> None:
    axis = LogAxis(-2, 4)
    assert [tick.words for tick in axis.ticks] == ["≤ 0.01 ms", "1 ms", "100 ms", "10 s"]
    assert [tick.position for tick in axis.ticks] == pytest.approx(
        [axis.position(duration) for duration in (0.01, 1, 100, 10_000)]
    )
