"""The text of a session's numbers: aligned, complete, and nothing in it moves a cursor."""

from __future__ import annotations

import re

import attrs
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.metrics import report
from mmtools.adapters.metrics.records import Recorded, RecordedSession
from mmtools.call import Observation
from mmtools.core import metrics
from mmtools.core.units import data_size, milliseconds
from tests.adapters.metrics.observed import any_observation, observation, recorded


def table(text: str, head: str) -> list[list[str]]:
    """Read the cells of the table whose head begins so."""
    lines = text.split("\n")
    begin = next(number for number, line in enumerate(lines) if re.match(rf"{head}  ", line))
    rows = lines[begin : lines.index("", begin)]
    return [re.split(r"  +", row) for row in rows]


@given(st.lists(any_observation.map(lambda one: attrs.evolve(one, tool=one.tool and "bash")), min_size=1, max_size=9))
def test_every_number_is_that_of_the_calls(sent: list[Observation]) -> None:
    rows = table(report.render(recorded(*sent)), "tool")
    assert rows[0] == ["tool", "calls", "errors", "rejected", "cancelled", "in", "out", "p50", "p95", "total"]
    parts = metrics.by_tool(sent)
    expected = [("''" if name == "" else name, metrics.measure(part)) for name, part in parts.items()]
    if len(parts) > 1:
        expected.append(("all", metrics.measure(sent)))
    assert rows[1:] == [
        [
            name,
            *(f"{number:,}" for number in (one.calls, one.errors, one.rejected, one.cancelled)),
            data_size(one.bytes_in),
            data_size(one.bytes_out),
            *map(milliseconds, (one.p50_ms, one.p95_ms, one.total_ms)),
        ]
        for name, one in expected
    ]


@given(st.lists(any_observation, min_size=1, max_size=6), st.text(st.characters(), min_size=1))
def test_no_name_can_do_anything_to_a_terminal(sent: list[Observation], name: str) -> None:
    session = RecordedSession(name=name, observations=tuple(sent), began=name, ended=name)
    text = report.render(Recorded(source=name, sessions=(session, session), notes=(name,)))
    text.encode()
    assert all(char.isprintable() or char in "\n\t" for char in text if char not in name or char in "\x1b\x9b\r\u202e")
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)


def test_a_report_as_it_looks() -> None:
    sent = [
        observation(1, tool="bash", duration_ms=1500.0, bytes_out=20_000),
        observation(2, tool="bash", duration_ms=30_000.0, outcome="timed_out"),
        observation(3, tool="read", outcome="failed"),
        observation(4, tool="read", outcome="rejected"),
        observation(5, tool="read", outcome="paused", args_digest="a"),
    ]
    assert report.render(recorded(*sent, observation(6, tool="read"))) == (
        "calls.db: session here, 6 calls, 2 errors (33.3 %)\n"
        "\n"
        "tool  calls  errors  rejected  cancelled     in      out     p50     p95   total\n"
        "bash      2       1         0          0   40 B  20.3 kB   1.5 s    30 s  31.5 s\n"
        "read      4       1         1          0   80 B   1.2 kB  1.2 ms  1.2 ms    5 ms\n"
        "all       6       2         1          0  120 B  21.5 kB  1.2 ms    30 s  31.5 s\n"
        "\n"
        "errors are calls that failed or timed out; rejected and cancelled calls are none. p50 and p95: nearest rank.\n"
        "1 call ended as paused, which is none of the endings known here\n"
        "\n"
        "made again and again         arguments  times  in a row  results\n"
        "read                  44136fa355b3678a      3         2        1\n"
    )


def test_any_number_of_tools_sessions_and_repeats_stays_readable() -> None:
    sent = [
        observation(number, tool=f"tool {number % 500}", args_digest=f"{number % 500:016x}") for number in range(2000)
    ]
    session = RecordedSession(name="s", observations=tuple(sent))
    sessions = tuple(
        attrs.evolve(session, name=f"s{number}", began=f"2026-11-30T10:00:{number:02}.000Z") for number in range(30)
    )
    text = report.render(Recorded(source="f", sessions=sessions, notes=("something was left out",)))
    assert len(text.split("\n")) < 160
    assert text.startswith("f: 30 sessions, 60,000 calls, 0 errors (0 %)\n")
    assert "\n(400 more tools)" in text
    assert "\ns29" in text
    assert "2026-11-30 10:00:29" in text
    assert "\n(10 earlier sessions)\n" in text
    assert "more calls made three times or more)\n" in text
    assert text.endswith("note: something was left out\n")
