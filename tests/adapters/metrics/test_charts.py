"""The plots by tool: parts are in proportion, marks stand where the axis says."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.metrics import charts
from mmtools.adapters.metrics.axes import log_axis
from mmtools.adapters.metrics.charts import Group
from mmtools.call import Observation
from mmtools.core import metrics
from mmtools.core.units import milliseconds
from tests.adapters.metrics.observed import any_observation, observation
from tests.hypothesis_profiles import scaled


def group(sent: list[Observation], *, shown: str = "bash", gathered: bool = False) -> Group:
    durations = [each.duration_ms for each in sent]
    return Group(shown=shown, metrics=metrics.measure(sent), durations_ms=durations, gathered=gathered)


def rows(elements: list[Element]) -> list[Element]:
    return [each for each in elements if each.get("class") == "row"]


def part(attribute: str | None) -> float:
    assert attribute is not None
    return float(attribute.removesuffix("%")) / 100


def words(row: Element) -> str:
    return "".join(row[-1].itertext())


some = st.lists(any_observation, min_size=1, max_size=12)


@scaled(40)
@given(st.lists(some, min_size=1, max_size=3))
def test_bars_of_calls_are_in_proportion(sent: list[list[Observation]]) -> None:
    groups = [group(observations) for observations in sent]
    most = max(each.metrics.calls for each in groups)
    for one, row in zip(groups, rows(charts.calls(groups)), strict=True):
        bars = {bar.get("class"): bar for bar in row.iter("rect") if bar.get("class") != "ground"}
        numbers = {
            "bar ok": one.metrics.succeeded,
            "bar error": one.metrics.errors,
            "bar other": one.metrics.calls - one.metrics.succeeded - one.metrics.errors,
        }
        assert set(bars) == {name for name, number in numbers.items() if number}
        at = 0.0
        for name, bar in bars.items():
            assert part(bar.get("x")) == pytest.approx(at, abs=1e-3)
            assert part(bar.get("width")) == pytest.approx(numbers[str(name)] / most, abs=1e-3)
            at += numbers[str(name)] / most
        assert words(row).split(" · ")[0] == f"{one.metrics.calls:,}"


@scaled(40)
@given(st.lists(some, min_size=1, max_size=3))
def test_bars_of_bytes_are_in_proportion_and_nothing_has_none(sent: list[list[Observation]]) -> None:
    groups = [group(observations) for observations in sent]
    most = max(each.metrics.bytes_out for each in groups)
    for one, row in zip(groups, rows(charts.sizes(groups)), strict=True):
        bars = [part(bar.get("width")) for bar in row.iter("rect") if bar.get("class") != "ground"]
        if one.metrics.bytes_out == 0:
            assert bars == []
        else:
            assert bars == pytest.approx([max(one.metrics.bytes_out / most, 0.004)], abs=1e-3)


@given(some)
def test_percentiles_stand_where_the_axis_says(sent: list[Observation]) -> None:
    one = group(sent)
    axis = log_axis(one.durations_ms)
    (row,) = rows(charts.durations([one], axis))
    (half,) = row.iter("line")
    (nearly,) = row.iter("circle")
    assert part(half.get("x1")) == part(half.get("x2")) == pytest.approx(axis.position(one.metrics.p50_ms), abs=1e-4)
    assert part(nearly.get("cx")) == pytest.approx(axis.position(one.metrics.p95_ms), abs=1e-4)
    assert words(row) == f"{milliseconds(one.metrics.p50_ms)} · p95 {milliseconds(one.metrics.p95_ms)}"
    shades = [float(bar.get("opacity") or 0) for bar in row.iter("rect") if bar.get("class") == "ok"]
    assert 1 <= len(shades) <= min(60, len(sent))
    assert max(shades) == 1


def test_the_scale_has_one_label_per_tick() -> None:
    axis = log_axis([0.2, 90])
    scale = charts.durations([group([observation()])], axis)[-1]
    assert ["".join(text.itertext()) for text in scale.iter("text")] == [tick.words for tick in axis.ticks]


def test_gathered_tools_have_numbers_and_no_bar() -> None:
    few = group([observation()])
    rest = attrs.evolve(group([observation(outcome="failed")] * 900), shown="(9 more tools)", gathered=True)
    for drawn in (charts.calls([few, rest]), charts.sizes([few, rest])):
        first, last = rows(drawn)
        assert max(part(bar.get("width")) for bar in first.iter("rect")) == 1
        assert list(last.iter("rect")) == []
    assert words(rows(charts.calls([few, rest]))[1]) == "900 · 900 errors"


def test_a_long_name_keeps_its_ends_and_is_told_in_full() -> None:
    name = "filesystem__read_multiple_files_at_once_please"
    (row,) = rows(charts.calls([group([observation()], shown=name)]))
    assert row[0].get("title") == name
    assert row[0].text == "filesystem__read_mult…nce_please"
