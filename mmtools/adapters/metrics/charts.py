"""The plots with one row per tool: calls, durations, bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import field, frozen

from mmtools.adapters.metrics.axes import LogAxis
from mmtools.adapters.metrics.markup import Element, drawing, element, key, percent, small
from mmtools.core.metrics import Metrics
from mmtools.core.screen_text import shown_name
from mmtools.core.units import count, data_size, milliseconds

__all__ = ["Group", "calls", "durations", "sizes"]

#: Parts of the axis, each a rectangle.
_BINS = 60

#: Columns; the whole name is the tip of the mouse.
_MAX_NAME = 32

_BAR = 14
_STRIP = 22


@frozen(kw_only=True)
class Group:
    """
    The calls of one tool, or of the tools that have no row of their own.

    Args:
        shown: Its name, fit to be shown.
        durations_ms: In any order.
        gathered: Whether it is many tools: beside its bar, theirs would vanish.
    """

    shown: str
    metrics: Metrics
    durations_ms: Sequence[float] = field(repr=False)
    gathered: bool = False


def calls(groups: Sequence[Group]) -> list[Element]:
    """Draw how many calls each tool got, parted by their ends."""
    most = max((group.metrics.calls for group in groups if not group.gathered), default=0)
    rows = []
    for group in groups:
        one = group.metrics
        others = one.calls - one.succeeded - one.errors
        words = [count(one.errors, "error")] if one.errors else []
        words += [f"{others:,} other"] if others else []
        said = "".join(f" · {word}" for word in words)
        parts = {"ok": one.succeeded, "error": one.errors, "other": others}
        bar = element("span") if group.gathered else _bar(parts, most)
        rows.append(_row(group, bar, element("b", f"{one.calls:,}"), said))
    meanings = {"ok": "ok", "error": "failed or timed out", "other": "rejected, cancelled or another end"}
    return [key(meanings), *rows]


def sizes(groups: Sequence[Group]) -> list[Element]:
    """Draw how much text each tool gave back."""
    most = max((group.metrics.bytes_out for group in groups if not group.gathered), default=0)
    return [
        _row(
            group,
            element("span") if group.gathered else _bar({"ok": group.metrics.bytes_out}, most),
            element("b", data_size(group.metrics.bytes_out)),
            f" · {data_size(round(group.metrics.bytes_out / max(group.metrics.calls, 1)))} a call",
        )
        for group in groups
    ]


def durations(groups: Sequence[Group], axis: LogAxis) -> list[Element]:
    """Draw how the durations of each tool are spread, with the two percentiles marked."""
    legend = element(
        "ul.legend",
        element(
            "li", small(element("rect.ok", x="0", y="3", width="16", height="10", opacity="0.6")), "share of the calls"
        ),
        element("li", small(element("line.p50", x1="8", x2="8", y1="1", y2="15")), "p50: half took no longer"),
        element("li", small(element("circle.p95", cx="8", cy="8", r="4.5")), "p95: 95 of 100 took no longer"),
    )
    rows = []
    for group in groups:
        one = group.metrics
        half = element("b", milliseconds(one.p50_ms))
        rows.append(_row(group, _strip(group, axis), half, f" · p95 {milliseconds(one.p95_ms)}"))
    return [legend, *rows, element("div.axis", _ticks(axis))]


def _row(group: Group, drawing: Element, *value: Element | str) -> Element:
    name = element("span.name", shown_name(group.shown, _MAX_NAME), title=group.shown)
    return element("div.row", name, drawing, element("span.value", *value))


def _ground(height: int) -> Element:
    return drawing(element("rect.ground", width="100%", height=f"{height}", rx="2"), height=height)


def _bar(parts: Mapping[str, int], most: int) -> Element:
    bar = _ground(_BAR)
    left = 0
    for name, number in parts.items():
        if number:
            begin, wide = percent(left / most), percent(max(number / most, 0.004))
            bar.append(element(f"rect.bar.{name}", x=begin, width=wide, height=f"{_BAR}"))
            left += number
    return bar


def _strip(group: Group, axis: LogAxis) -> Element:
    middle = f"{_STRIP / 2}"
    strip = _ground(_STRIP)
    filled = [0] * _BINS
    for duration in group.durations_ms:
        filled[axis.bin(duration, _BINS)] += 1
    most = max(filled)
    for number, calls_in_bin in enumerate(filled):
        if calls_in_bin:
            strip.append(
                element(
                    "rect.ok",
                    x=percent(number / _BINS),
                    width=percent(1 / _BINS),
                    height=f"{_STRIP}",
                    opacity=f"{0.2 + 0.8 * calls_in_bin / most:.2f}",
                )
            )
    half, nearly = (percent(axis.position(at)) for at in (group.metrics.p50_ms, group.metrics.p95_ms))
    strip.append(element("line.p50", x1=half, x2=half, y1="-1", y2=f"{_STRIP + 1}"))
    strip.append(element("circle.p95", cx=nearly, cy=middle, r="4.5"))
    return strip


def _ticks(axis: LogAxis) -> Element:
    ticks = drawing(height=22)
    for number, tick in enumerate(axis.ticks):
        at = percent(tick.position)
        anchor = "start" if number == 0 else "end" if tick.position > 0.93 else "middle"
        ticks.append(element("line.grid", x1=at, x2=at, y1="0", y2="4"))
        ticks.append(element("text.second" if number % 2 else "text", tick.words, x=at, y="17", text_anchor=anchor))
    return ticks
