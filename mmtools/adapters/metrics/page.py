"""The numbers of a session as one page: tiles, tables and plots in a file that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import evolve

from mmtools.adapters.metrics import charts
from mmtools.adapters.metrics.axes import log_axis
from mmtools.adapters.metrics.charts import Group
from mmtools.adapters.metrics.markup import Element, element, page_text
from mmtools.adapters.metrics.records import Recorded
from mmtools.adapters.metrics.style import CSS
from mmtools.adapters.metrics.timeline import timeline
from mmtools.call import Observation
from mmtools.core import metrics
from mmtools.core.metrics import Metrics
from mmtools.core.screen_text import shown_name
from mmtools.core.units import count, data_size, milliseconds, share

__all__ = ["render"]

#: Rows: a model can make up any number of names.
_MAX_TABLE = 100
_MAX_PLOTTED = 30
_MAX_SESSIONS = 50
_MAX_REPEATS = 10

#: Columns: of a name in full, and in a table, where the rest is the tip of the mouse.
_MAX_NAME = 64
_MAX_LABEL = 34


def render(recorded: Recorded) -> str:
    """
    Lay out the page.

    Returns:
        HTML without scripts, and without anything that is loaded from elsewhere; its size has a bound, however
        many calls there are.
    """
    observations = recorded.observations
    whole = metrics.measure(observations)
    parts = metrics.by_tool(observations)
    plotted = _groups(parts, _MAX_PLOTTED)
    axis = log_axis(each.duration_ms for each in observations)
    heading = _heading(recorded)
    body = element(
        "body",
        element("h1", heading),
        element("p", _subheading(recorded)),
        *(element("p", f"Note: {shown_name(note, 400)}.") for note in recorded.notes),
        _tiles(whole),
        _section(
            "Tools",
            "By the time that they took in all. Errors are calls that failed or timed out; rejected and cancelled calls are "
            "none. p50 and p95 by nearest rank.",
            [_tool_table(_groups(parts, _MAX_TABLE), whole)],
        ),
        _section("Calls", "How many, and how they ended.", charts.calls(plotted)),
        _section(
            "Durations",
            "From a call's start to its end, waiting for permission included, on a logarithmic axis.",
            charts.durations(plotted, axis),
        ),
        _section("Text for the model", "Bytes of all answers, and of one on average.", charts.sizes(plotted)),
        _section(
            "In order",
            "From the first call on the left to the last; how long each took runs upwards.",
            timeline(observations, axis),
        ),
        *_repeats(recorded),
        *_sessions(recorded),
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", heading),
        element("style", CSS),
    )
    return page_text(element("html", head, body, lang="en"))


def _heading(recorded: Recorded) -> str:
    if len(recorded.sessions) > 1:
        return f"Tool calls of {count(len(recorded.sessions), 'session')}"
    name = recorded.sessions[0].name
    return "Tool calls" if name is None else f"Tool calls of session {shown_name(name, _MAX_NAME)}"


def _subheading(recorded: Recorded) -> str:
    source = f"From {shown_name(recorded.source, 200)}"
    began = min((session.began for session in recorded.sessions if session.began), default=None)
    ended = max((session.ended for session in recorded.sessions if session.ended), default=None)
    return (
        source
        if began is None or ended is None
        else f"{source}, recorded from {_moment(began)} to {_moment(ended)} UTC"
    )


def _moment(moment: str) -> str:
    return shown_name(moment[:19].replace("T", " "), 19)


def _groups(parts: dict[str, tuple[Observation, ...]], most: int) -> list[Group]:
    """Keep so many tools, and gather the others in a last one."""
    names = list(parts)
    groups = [_group(shown_name(name, _MAX_NAME), parts[name]) for name in names[:most]]
    if rest := names[most:]:
        others = [each for name in rest for each in parts[name]]
        groups.append(evolve(_group(f"({count(len(rest), 'more tool')})", others), gathered=True))
    return groups


def _group(shown: str, observations: Sequence[Observation]) -> Group:
    durations = [each.duration_ms for each in observations]
    return Group(shown=shown, metrics=metrics.measure(observations), durations_ms=durations)


def _section(title: str, words: str, content: Iterable[Element]) -> Element:
    return element("section", element("h2", title), element("p", words), *content)


def _tiles(whole: Metrics) -> Element:
    tiles = [
        ("Calls", f"{whole.calls:,}", f"{whole.rejected:,} rejected, {whole.cancelled:,} cancelled"),
        ("Errors", f"{whole.errors:,}", f"{share(whole.errors, whole.calls)} of the calls"),
        ("Time in tools", milliseconds(whole.total_ms), f"longest {milliseconds(whole.longest_ms)}"),
        ("p50", milliseconds(whole.p50_ms), f"p95 {milliseconds(whole.p95_ms)}"),
        ("Text out", data_size(whole.bytes_out), f"arguments in {data_size(whole.bytes_in)}"),
    ]
    return element(
        "dl.tiles",
        *(
            element("div.tile", element("dt", name), element("dd", value), element("dd.more", more))
            for name, value, more in tiles
        ),
    )


def _tool_table(groups: Sequence[Group], whole: Metrics) -> Element:
    head = ("Tool", "Calls", "Errors", "Rejected", "Cancelled", "In", "Out", "p50", "p95", "Total")
    rows = [_tool_row(group.shown, group.metrics) for group in groups]
    foot = [element("tfoot", _tool_row("all", whole))] if len(groups) > 1 else []
    return _table(head, rows, *foot)


def _table(head: Sequence[str], rows: Iterable[Element], *foot: Element, texts: int = 1) -> Element:
    """Lay out a table; so many of the first columns hold text, the others numbers."""
    cells = [element("th.left" if number < texts else "th", name, scope="col") for number, name in enumerate(head)]
    table = element("table", element("thead", element("tr", *cells)), element("tbody", *rows), *foot)
    return element("div.wide", table)


def _tool_row(name: str, one: Metrics) -> Element:
    return element(
        "tr",
        element("td.name", shown_name(name, _MAX_LABEL), title=name),
        element("td", f"{one.calls:,}"),
        element("td.bad" if one.errors else "td.none", f"{one.errors:,}"),
        element("td" if one.rejected else "td.none", f"{one.rejected:,}"),
        element("td" if one.cancelled else "td.none", f"{one.cancelled:,}"),
        element("td", data_size(one.bytes_in)),
        element("td", data_size(one.bytes_out)),
        element("td", milliseconds(one.p50_ms)),
        element("td", milliseconds(one.p95_ms)),
        element("td", milliseconds(one.total_ms)),
    )


def _repeats(recorded: Recorded) -> list[Element]:
    found = recorded.repeats
    if not found:
        return []
    rows = [
        element(
            "tr",
            element("td.name", shown_name(one.tool, _MAX_LABEL), title=shown_name(one.tool, _MAX_NAME)),
            element("td.name", shown_name(one.args_digest, 16)),
            element("td", f"{one.in_a_row:,}"),
            element("td", f"{one.times:,}"),
            element("td", f"{one.results:,}"),
        )
        for one in found[:_MAX_REPEATS]
    ]
    words = "The same tool with the same arguments, three times or more in one session: long runs are loops."
    if len(found) > len(rows):
        words += f" {count(len(found) - len(rows), 'more such call')} not shown."
    head = ("Tool", "Arguments’ digest", "In a row", "In all", "Different results")
    return [_section("Made again and again", words, [_table(head, rows, texts=2)])]


def _sessions(recorded: Recorded) -> list[Element]:
    if len(recorded.sessions) == 1:
        return []
    latest = recorded.sessions[: -_MAX_SESSIONS - 1 : -1]
    rows = []
    for session in latest:
        one = metrics.measure(session.observations)
        rows.append(
            element(
                "tr",
                element("td.name", shown_name(session.name or "—", _MAX_NAME)),
                element("td", _moment(session.began) if session.began else "—"),
                element("td", f"{one.calls:,}"),
                element("td.bad" if one.errors else "td.none", f"{one.errors:,}"),
                element("td", milliseconds(one.total_ms)),
            )
        )
    earlier = len(recorded.sessions) - len(latest)
    words = "The latest first." + (f" {count(earlier, 'earlier session')} not shown." if earlier else "")
    head = ("Session", "Began (UTC)", "Calls", "Errors", "Total")
    return [_section("Sessions", words, [_table(head, rows)])]
