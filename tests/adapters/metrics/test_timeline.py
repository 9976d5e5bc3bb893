"""The calls in order: each has its mark, or its share of a cell."""

from __future__ import annotations

from collections import Counter
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.metrics.axes import log_axis
from mmtools.adapters.metrics.timeline import timeline
from mmtools.call import Observation, Status
from tests.adapters.metrics.observed import any_observation, observation


def drawn(sent: list[Observation]) -> tuple[list[str], Element]:
    legend, plot = timeline(sent, log_axis(each.duration_ms for each in sent))
    return ["".join(item.itertext()) for item in legend], plot


def titles(plot: Element, tag: str) -> list[str]:
    return ["".join(mark[0].itertext()) for mark in plot.iter(tag) if len(mark) and mark[0].tag == "title"]


@given(st.lists(any_observation, min_size=1, max_size=20))
def test_each_call_has_a_mark_by_its_ending(sent: list[Observation]) -> None:
    legend, plot = drawn(sent)
    known = {status.value for status in Status}
    marks = Counter(str(mark.get("href")) for mark in plot.iter("use"))
    assert marks == Counter(f"#mark-{each.outcome if each.outcome in known else 'another'}" for each in sent)
    assert {mark.removeprefix("#") for mark in marks} <= {str(shape.get("id")) for shape in plot.iter("g")}
    assert len(legend) == len(marks)
    assert sorted(title.partition(":")[0] for title in titles(plot, "use")) == sorted(
        f"call {each.call_seq:,}" for each in sent
    )


def test_time_runs_to_the_right_and_duration_upwards() -> None:
    sent = [observation(number, duration_ms=10.0**number) for number in range(4)]
    _, plot = drawn(sent)
    places = [(float(str(mark.get("x"))[:-1]), float(str(mark.get("y")))) for mark in plot.iter("use")]
    assert [x for x, _ in places] == pytest.approx([0, 33.33, 66.67, 100])
    assert [y for _, y in places] == sorted((y for _, y in places), reverse=True)


@pytest.mark.parametrize("calls", [1, 2, 7, 8, 1200])
def test_labels_name_the_first_and_the_last_call(calls: int) -> None:
    _, plot = drawn([observation(number) for number in range(calls)])
    labels = [str(text.text) for text in plot.iter("text")]
    assert "1" in labels
    assert calls == 1 or f"{calls:,}" in labels
    assert len(labels) == len(set(labels))


@pytest.mark.parametrize("calls", [1201, 5000])
def test_many_calls_are_gathered_and_none_is_lost(calls: int) -> None:
    ends = ["ok"] * 7 + ["failed", "timed_out", "rejected"]
    sent = [observation(number, outcome=ends[number % 10], duration_ms=float(number % 97)) for number in range(calls)]
    legend, plot = drawn(sent)
    assert len(legend) == 3
    assert list(plot.iter("use")) == []
    said = [title.replace(",", "").split() for title in titles(plot, "rect")]
    assert sum(int(words[0]) for words in said if len(words) == 2) == calls
    shares = [words for words in said if len(words) == 4]
    assert sum(int(words[0]) for words in shares) == sum(each.outcome != "ok" for each in sent)
    assert len(list(plot.iter())) < 8_000


def test_many_calls_that_all_ended_well_are_drawn() -> None:
    _, plot = drawn([observation(number) for number in range(2000)])
    assert [bar for bar in plot.iter("rect") if bar.get("class") == "error"] == []
