"""The plot of a session's calls in order: how long each took and how it ended, by colour and shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from mmtools.adapters.metrics.axes import LogAxis
from mmtools.adapters.metrics.markup import Element, element, key, percent, small
from mmtools.call import Observation, Status
from mmtools.core import metrics
from mmtools.core.screen_text import shown_name
from mmtools.core.units import count, milliseconds

__all__ = ["timeline"]

_HEIGHT = 260

#: Each call is a mark of its own up to here; more are gathered in cells.
_MAX_MARKS = 1_200

#: Cells of the gathered plot.
_COLUMNS, _ROWS = 120, 26

#: The height of what lies under them.
_LANE = 48

_ANOTHER = "another"

#: Words per ending, in the order in which they are drawn: the ones to look for lie on top.
_ENDINGS = {
    Status.OK.value: "ok",
    _ANOTHER: "another end",
    Status.PENDING.value: "waited for a decision",
    Status.CANCELLED.value: "cancelled",
    Status.REJECTED.value: "rejected",
    Status.TIMED_OUT.value: "timed out",
    Status.FAILED.value: "failed",
}

_MAX_NAME = 64


def timeline(observations: Sequence[Observation], axis: LogAxis) -> list[Element]:
    """Draw the calls from left to right as they were recorded; many of them as cells, so that the page stays small."""
    gathered = len(observations) > _MAX_MARKS
    drawing = element("svg", *_shapes(), *_grid(len(observations), axis), role="img")
    drawing.set("height", f"{_HEIGHT + 24 + (_LANE + 16 if gathered else 0)}")
    drawing.set("aria-label", f"{count(len(observations), 'call')} in order, by duration and ending")
    if gathered:
        drawing.extend(_cells(observations, axis))
        drawing.extend(_lane(observations))
        legend = key({"ok": "calls", "error": "share that failed or timed out", "other": "share that ended otherwise"})
    else:
        drawing.extend(_marks(observations, axis))
        there = {_ending(each) for each in observations}
        legend = element("ul.legend", *(_meaning(name) for name in _ENDINGS if name in there))
    return [legend, element("div.across", drawing)]


def _ending(observation: Observation) -> str:
    return observation.outcome if observation.outcome in _ENDINGS else _ANOTHER


def _shapes() -> Iterator[Element]:
    """Define the marks: seven shapes, so that they differ without colour."""
    shapes = {
        Status.OK.value: element("circle.ok", r="3", opacity="0.75"),
        _ANOTHER: element("circle.stroke.other", r="3.5"),
        Status.PENDING.value: element("path.stroke.other", d="M-4 0H4"),
        Status.FAILED.value: element("path.stroke.error", d="M-4-4 4 4M-4 4 4-4"),
        Status.TIMED_OUT.value: element("path.error", d="M0-5.5 5.5 4.5H-5.5Z"),
        Status.REJECTED.value: element("path.stroke.other", d="M-3.5-3.5H3.5V3.5H-3.5Z"),
        Status.CANCELLED.value: element("path.other", d="M0-5 5 0 0 5-5 0Z"),
    }
    for name, shape in shapes.items():
        yield element("defs", element("g", shape, id=f"mark-{name}"))


def _meaning(name: str) -> Element:
    return element("li", small(element("use", href=f"#mark-{name}", x="8", y="8")), _ENDINGS[name])


def _grid(calls: int, axis: LogAxis) -> Iterator[Element]:
    for tick in axis.ticks:
        y = f"{_down(tick.position):.1f}"
        yield element("line.grid", x1="0", x2="100%", y1=y, y2=y)
        yield element("text", tick.words, x="-8", y=y, text_anchor="end", dy="4")
    for at in _numbers(calls):
        x = percent(_along(at, calls))
        anchor = "start" if at == 1 else "end" if at == calls else "middle"
        yield element("text", f"{at:,}", x=x, y=f"{_HEIGHT + 18}", text_anchor=anchor)


def _numbers(calls: int) -> list[int]:
    if calls < 8:
        return sorted({1, calls})
    return [1, *(round(calls * quarter / 4) for quarter in (1, 2, 3)), calls]


def _along(number: int, calls: int) -> float:
    return 0.5 if calls == 1 else (number - 1) / (calls - 1)


def _down(position: float) -> float:
    return 6 + (_HEIGHT - 12) * (1 - position)


def _marks(observations: Sequence[Observation], axis: LogAxis) -> Iterator[Element]:
    placed = list(enumerate(observations, 1))
    for ending in _ENDINGS:
        for number, each in placed:
            if _ending(each) == ending:
                words = (
                    f"call {each.call_seq:,}: {shown_name(each.tool, _MAX_NAME)}, {milliseconds(each.duration_ms)}, "
                )
                yield element(
                    "use",
                    element("title", words + shown_name(each.outcome, _MAX_NAME)),
                    href=f"#mark-{ending}",
                    x=percent(_along(number, len(observations))),
                    y=f"{_down(axis.position(each.duration_ms)):.1f}",
                )


def _cells(observations: Sequence[Observation], axis: LogAxis) -> Iterator[Element]:
    """Gather calls that lie close together: a cell's shade says how many there are."""
    cells = Counter(
        (number * _COLUMNS // len(observations), axis.bin(each.duration_ms, _ROWS))
        for number, each in enumerate(observations)
    )
    most = max(cells.values())
    tall = (_HEIGHT - 12) / _ROWS
    for (column, row), number in sorted(cells.items()):
        yield element(
            "rect.ok",
            element("title", count(number, "call")),
            x=percent(column / _COLUMNS),
            width=percent(1 / _COLUMNS),
            y=f"{_HEIGHT - 6 - tall * (row + 1):.1f}",
            height=f"{tall:.1f}",
            opacity=f"{0.15 + 0.85 * (number / most) ** 0.5:.2f}",
        )


def _lane(observations: Sequence[Observation]) -> Iterator[Element]:
    """Draw, under the cells, which share of each column's calls did not end well."""
    columns = [
        observations[-(-column * len(observations) // _COLUMNS) : -(-(column + 1) * len(observations) // _COLUMNS)]
        for column in range(_COLUMNS)
    ]
    parts = [metrics.measure(column) for column in columns]
    tallest = max((one.calls - one.succeeded) / one.calls for one in parts)
    bottom = _HEIGHT + 34 + _LANE
    yield element("rect.ground", x="0", width="100%", y=f"{bottom - _LANE}", height=f"{_LANE}")
    for y, words in ((bottom - _LANE, f"{100 * tallest:.3g} %"), (bottom, "0")):
        yield element("text", words, x="-8", y=f"{y}", text_anchor="end", dy="4")
    for column, one in enumerate(parts):
        others = one.calls - one.succeeded - one.errors
        top = float(bottom)
        for name, number in (("error", one.errors), ("other", others)):
            if number:
                tall = _LANE * number / one.calls / tallest
                top -= tall
                words = f"{number:,} of {count(one.calls, 'call')}"
                at = {"x": percent(column / _COLUMNS), "width": percent(1 / _COLUMNS)}
                yield element(f"rect.{name}", element("title", words), **at, y=f"{top:.1f}", height=f"{tall:.1f}")
