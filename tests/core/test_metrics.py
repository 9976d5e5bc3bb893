"""The sums of a session, against the definitions written out."""

from __future__ import annotations

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.call import Observation, Status
from mmtools.core import metrics

numbers = st.integers(0, 2**40)

observations = st.builds(
    Observation,
    tool=st.sampled_from(["bash", "read", "edit"]),
    call_seq=numbers,
    args_digest=st.sampled_from("ab"),
    result_digest=st.sampled_from("xy"),
    bytes_in=numbers,
    bytes_out=numbers,
    duration_ms=st.integers(0, 10**6).map(float),
    outcome=st.sampled_from([*(status.value for status in Status), "paused"]),
)


@given(st.lists(st.floats(0, 1e9), min_size=1), st.integers(1, 100))
def test_a_percentile_is_the_least_value_that_so_many_do_not_exceed(values: list[float], percent: int) -> None:
    """Nearest rank; `statistics.quantiles` goes between two values, which no call took."""
    enough = [value for value in values if 100 * sum(other <= value for other in values) >= percent * len(values)]
    assert metrics.percentile(sorted(values), percent) == min(enough)


@pytest.mark.parametrize(("percent", "value"), [(1, 15), (5, 15), (30, 20), (40, 20), (50, 35), (95, 50), (100, 50)])
def test_percentiles_of_the_textbook(percent: int, value: int) -> None:
    assert metrics.percentile([15, 20, 35, 40, 50], percent) == value


@given(st.lists(observations, max_size=20))
def test_the_sums_are_those_of_the_calls(sent: list[Observation]) -> None:
    one = metrics.measure(sent)
    ends = [each.outcome for each in sent]
    assert one.calls == len(sent)
    assert one.succeeded == ends.count("ok")
    assert one.errors == ends.count("failed") + ends.count("timed_out")
    assert (one.rejected, one.cancelled) == (ends.count("rejected"), ends.count("cancelled"))
    assert sum(one.outcomes.values()) == one.calls
    assert 0 not in one.outcomes.values()
    assert (one.bytes_in, one.bytes_out) == (sum(each.bytes_in for each in sent), sum(each.bytes_out for each in sent))
    durations = sorted(each.duration_ms for each in sent)
    assert one.total_ms == sum(durations)
    if durations:
        assert one.p50_ms == durations[(len(durations) - 1) // 2]
        assert one.longest_ms == durations[-1]
        assert one.p50_ms <= one.p95_ms <= one.longest_ms


@given(st.lists(observations, max_size=20))
def test_the_parts_are_the_whole(sent: list[Observation]) -> None:
    parts = metrics.by_tool(sent)
    assert sorted(map(repr, sum(parts.values(), ()))) == sorted(map(repr, sent))
    for tool, part in parts.items():
        assert [each for each in sent if each.tool == tool] == list(part)
    totals = [metrics.measure(part).total_ms for part in parts.values()]
    assert totals == sorted(totals, reverse=True)


def test_nothing_adds_up_to_nothing() -> None:
    assert attrs.astuple(metrics.measure([])) == (0, {}, 0, 0, 0, 0, 0, 0)
    assert metrics.by_tool([]) == {}
    assert metrics.repeats([]) == []


@given(st.lists(observations, max_size=30), st.integers(1, 4))
def test_repeats_are_counted_by_tool_and_arguments(sent: list[Observation], at_least: int) -> None:
    calls = [(each.tool, each.args_digest) for each in sent]
    found = {(one.tool, one.args_digest): one for one in metrics.repeats(sent, at_least)}
    assert set(found) == {call for call in calls if calls.count(call) >= at_least}
    for call, one in found.items():
        assert one.times == calls.count(call)
        assert one.results == len({each.result_digest for each in sent if (each.tool, each.args_digest) == call})
        runs = [n for n in range(1, len(calls) + 1) if any(calls[i : i + n] == [call] * n for i in range(len(calls)))]
        assert one.in_a_row == max(runs)
    order = [(-one.in_a_row, -one.times) for one in found.values()]
    assert order == sorted(order)
