"""The numbers of a session as text, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from mmtools.adapters.metrics.records import Recorded
from mmtools.call import Observation, Status
from mmtools.core import metrics, screen_text
from mmtools.core.metrics import Metrics
from mmtools.core.screen_text import shown_name
from mmtools.core.units import count, data_size, milliseconds, share

__all__ = ["render"]

#: Rows of the tables: a model can make up any number of names.
_MAX_TOOLS = 100
_MAX_SESSIONS = 20
_MAX_REPEATS = 5

#: Columns: room for `server__tool` names as long as they may be.
_NAME_WIDTH = 64

#: Of one line; the first is a name, the others are numbers.
_Cells: TypeAlias = tuple[str, ...]

_HEAD = ("tool", "calls", "errors", "rejected", "cancelled", "in", "out", "p50", "p95", "total")


def render(recorded: Recorded) -> str:
    """
    Lay out the table of tools, and what else a reader of the numbers should know.

    Returns:
        Whole lines; no line holds a terminal sequence, whatever the tools are called.
    """
    observations = recorded.observations
    whole = metrics.measure(observations)
    parts = [
        _title(recorded, whole),
        _tools(observations, whole),
        "errors are calls that failed or timed out; rejected and cancelled calls are none. p50 and p95: nearest rank.",
        *_other_endings(whole),
        *_sessions(recorded),
        *_repeats(recorded),
        *(f"note: {note}" for note in recorded.notes),
    ]
    return "\n".join(screen_text.plain(part) for part in parts) + "\n"


def _title(recorded: Recorded, whole: Metrics) -> str:
    sessions = f"{count(len(recorded.sessions), 'session')}, "
    name = recorded.sessions[0].name
    if len(recorded.sessions) == 1:
        sessions = "" if name is None else f"session {shown_name(name, _NAME_WIDTH)}, "
    errors = f"{count(whole.errors, 'error')} ({share(whole.errors, whole.calls)})"
    return f"{recorded.source}: {sessions}{count(whole.calls, 'call')}, {errors}\n"


def _tools(observations: Sequence[Observation], whole: Metrics) -> str:
    parts = metrics.by_tool(observations)
    names = list(parts)
    rows = [_row(shown_name(name, _NAME_WIDTH), metrics.measure(parts[name])) for name in names[:_MAX_TOOLS]]
    rest = names[_MAX_TOOLS:]
    if rest:
        others = metrics.measure(each for name in rest for each in parts[name])
        rows.append(_row(f"({count(len(rest), 'more tool')})", others))
    if len(names) > 1:
        rows.append(_row("all", whole))
    return _table(_HEAD, rows) + "\n"


def _row(name: str, one: Metrics) -> _Cells:
    return (
        name,
        f"{one.calls:,}",
        f"{one.errors:,}",
        f"{one.rejected:,}",
        f"{one.cancelled:,}",
        data_size(one.bytes_in),
        data_size(one.bytes_out),
        milliseconds(one.p50_ms),
        milliseconds(one.p95_ms),
        milliseconds(one.total_ms),
    )


def _table(head: _Cells, rows: Sequence[_Cells]) -> str:
    lines = [head, *rows]
    widths = [max(map(screen_text.width, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell + " " * (width - screen_text.width(cell)) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _other_endings(whole: Metrics) -> list[str]:
    known = {status.value for status in Status}
    return [
        f"{count(number, 'call')} ended as {shown_name(outcome, _NAME_WIDTH)}, which is none of the endings known here"
        for outcome, number in list(whole.outcomes.items())[:_MAX_TOOLS]
        if outcome not in known
    ]


def _sessions(recorded: Recorded) -> list[str]:
    if len(recorded.sessions) == 1:
        return []
    latest = recorded.sessions[: -_MAX_SESSIONS - 1 : -1]
    rows = []
    for session in latest:
        one = metrics.measure(session.observations)
        began = (session.began or "—")[:19].replace("T", " ")
        name = shown_name(session.name or "—", _NAME_WIDTH)
        rows.append((name, began, f"{one.calls:,}", f"{one.errors:,}", milliseconds(one.total_ms)))
    lines = ["\n" + _table(("session", "began (UTC)", "calls", "errors", "total"), rows)]
    if len(latest) < len(recorded.sessions):
        lines.append(f"({count(len(recorded.sessions) - len(latest), 'earlier session')})")
    return lines


def _repeats(recorded: Recorded) -> list[str]:
    found = recorded.repeats
    if not found:
        return []
    rows = [
        (
            shown_name(one.tool, _NAME_WIDTH),
            one.args_digest[:16],
            f"{one.times:,}",
            f"{one.in_a_row:,}",
            f"{one.results:,}",
        )
        for one in found[:_MAX_REPEATS]
    ]
    lines = ["\n" + _table(("made again and again", "arguments", "times", "in a row", "results"), rows)]
    if len(found) > len(rows):
        lines.append(f"({count(len(found) - len(rows), 'more call')} made three times or more)")
    return lines
