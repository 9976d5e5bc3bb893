"""One observation per call, whatever happens, and a store that adds up to the outcomes that the host got."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, ClassVar

import pytest
from attrs import frozen
from hypothesis import example, given
from hypothesis import strategies as st
from typing_extensions import Doc

from mmtools import (
    AllowAll,
    Decision,
    LoopStopped,
    Outcome,
    PermissionRequest,
    RefuseAll,
    ToolCall,
    ToolKind,
    ToolSpec,
    local,
)
from mmtools.adapters.json_lines_observer import JsonLinesObserver
from mmtools.adapters.metrics import records
from mmtools.adapters.sqlite_observer import SqliteObserver
from mmtools.call import Headline, Observation
from mmtools.core import metrics
from mmtools.runner import Runner
from mmtools.testing.recorders import RecordingDisplay, RecordingObserver
from mmtools.tool import Call

#: By how they end: well, by a failure, unknown, not understood, refused.
CALLS: list[tuple[str, Any]] = [
    ("read_file", {"path": "here.txt"}),
    ("read_file", '{"path": "here.txt", "start": 2}'),
    ("read_file", {"path": "missing.txt"}),
    ("no_such_tool", {"a": 1}),
    ("\udc00", {"\udc00": "\udc00"}),
    ("read_file", "{"),
    ("read_file", None),
    ("read_file", {"path": 3}),
    ("write_file", {"path": "new.txt", "content": "x"}),
    ("edit_file", {"path": "here.txt", "edits": [{"old": "nowhere", "new": "x"}]}),
]


def ask(runner: Runner, calls: list[tuple[str, Any]], way: str) -> list[Outcome]:
    """Make the calls in one of the ways in which a host can, and return the outcomes, also of a turn that was stopped."""

    async def one_by_one() -> list[Outcome]:
        return [await runner.acall(name, arguments) for name, arguments in calls]

    ways = {
        "call": lambda: [runner.call(name, arguments) for name, arguments in calls],
        "call_many": lambda: runner.call_many(calls),
        "acall": lambda: asyncio.run(one_by_one()),
        "acall_many": lambda: asyncio.run(runner.acall_many([ToolCall(*call) for call in calls])),
    }
    return ways[way]()


@example([("\udc00", {"\udc00": "\udc00"})] * 6, "call")
@given(st.lists(st.sampled_from(CALLS), max_size=7), st.sampled_from(["call", "call_many", "acall", "acall_many"]))
def test_each_call_is_observed_once_in_order(calls: list[tuple[str, Any]], way: str) -> None:
    observer, display = RecordingObserver(), RecordingDisplay()
    with tempfile.TemporaryDirectory() as directory:
        Path(directory, "here.txt").write_text("one\ntwo\n")
        with local.mm(directory, permission=RefuseAll(), observer=observer, display=display) as runner:
            try:
                outcomes = ask(runner, calls, way)
            except LoopStopped:
                outcomes = [finished.outcome for finished in display.finished_calls]
    assert [each.call_seq for each in observer.observations] == list(range(1, len(outcomes) + 1))
    assert [(each.tool, each.outcome) for each in observer.observations] == [
        (outcome.tool, outcome.status.value) for outcome in outcomes
    ]
    assert len(display.started_calls) == len(display.finished_calls) == len(outcomes)
    for each, outcome in zip(observer.observations, outcomes, strict=True):
        assert each.bytes_out == len(outcome.text.encode())
        assert each.duration_ms == outcome.duration_s * 1000


@pytest.mark.parametrize("kind", [SqliteObserver, JsonLinesObserver])
def test_the_store_adds_up_to_what_the_host_got(
    kind: type[SqliteObserver] | type[JsonLinesObserver], tmp_path: Path
) -> None:
    (tmp_path / "here.txt").write_text("one\ntwo\n")
    store = tmp_path / "calls"
    with kind(store) as observer, local.mm(tmp_path, permission=RefuseAll(), observer=observer) as runner:
        outcomes = [*ask(runner, CALLS, "call"), *ask(runner, CALLS, "call_many")]
        outcomes.append(runner.call("bash", {"command": "true"}))
    observations = records.read(store).observations
    whole = metrics.measure(observations)
    assert whole.calls == len(outcomes)
    assert whole.outcomes == Counter(outcome.status.value for outcome in outcomes)
    assert whole.bytes_out == sum(len(outcome.text.encode()) for outcome in outcomes)
    assert whole.total_ms == pytest.approx(1000 * sum(outcome.duration_s for outcome in outcomes))
    assert whole.rejected == 3


def test_a_command_that_takes_too_long_is_an_error(tmp_path: Path) -> None:
    observer = RecordingObserver()
    with local.mm(tmp_path, permission=AllowAll(), observer=observer, bash_timeout_s=0.2) as runner:
        runner.call("bash", {"command": "sleep 60"})
    assert [each.outcome for each in observer.observations] == ["timed_out"]
    assert metrics.measure(observer.observations).errors == 1


class Unsure:
    """A permission that breaks."""

    def decide(self, request: PermissionRequest) -> Decision:
        raise OSError("nobody there")


def test_a_permission_that_breaks_is_a_refusal(tmp_path: Path) -> None:
    observer = RecordingObserver()
    with local.mm(tmp_path, permission=Unsure(), observer=observer) as runner:
        runner.call("bash", {"command": "true"})
    assert [each.outcome for each in observer.observations] == ["rejected"]


def test_the_call_that_stops_the_turn_is_observed_too(tmp_path: Path) -> None:
    observer = RecordingObserver()
    with local.mm(tmp_path, permission=AllowAll(), observer=observer) as runner, pytest.raises(LoopStopped):
        ask(runner, [("read_file", {"path": "missing"})] * 9, "call")
    assert [each.outcome for each in observer.observations] == ["failed"] * 6
    (again,) = metrics.repeats(observer.observations)
    assert (again.times, again.in_a_row) == (6, 6)


class Forgetful:
    """An observer that breaks."""

    def record(self, observation: Observation) -> None:
        raise OSError("the disk is full")


def test_an_observer_that_breaks_does_not_reach_the_call(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with local.mm(tmp_path, permission=AllowAll(), observer=Forgetful()) as runner:
        assert runner.execute("bash", {"command": "echo hi"}) == "hi\n"
    assert "the observer lost call 1" in caplog.text


@pytest.mark.parametrize("way", ["acall", "acall_many"])
def test_a_cancelled_task_is_observed_and_finished(tmp_path: Path, way: str) -> None:
    observer, display = RecordingObserver(), RecordingDisplay()

    async def main(runner: Runner) -> None:
        call = ("bash", {"command": "touch begun; sleep 600"})
        task = asyncio.ensure_future(runner.acall(*call) if way == "acall" else runner.acall_many([call]))
        while not (tmp_path / "begun").exists():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with local.mm(tmp_path, permission=AllowAll(), observer=observer, display=display) as runner:
        asyncio.run(main(runner))
    assert [each.outcome for each in observer.observations] == ["cancelled"]
    assert len(display.started_calls) == len(display.finished_calls) == 1


@frozen(kw_only=True)
class BreakArgs:
    when: Annotated[str, Doc("Where to break: headline, execute or nowhere.")] = "nowhere"
    number: Annotated[int, Doc("Any.")] = 0


@frozen(kw_only=True)
class Break:
    """A tool with bugs."""

    spec: ClassVar = ToolSpec(
        name="break", description="Break.", kind=ToolKind.READ, family="file", arguments=BreakArgs
    )

    def headline(self, arguments: BreakArgs) -> Headline:
        if arguments.when == "headline":
            raise ZeroDivisionError
        return Headline(text=arguments.when)

    def execute(self, arguments: BreakArgs, call: Call) -> str:
        if arguments.when == "execute":
            raise ZeroDivisionError
        return "whole"


@pytest.mark.parametrize("way", ["call", "call_many", "acall", "acall_many"])
@pytest.mark.parametrize("when", ["headline", "execute"])
def test_a_bug_that_goes_through_is_observed_and_so_are_its_neighbours(way: str, when: str) -> None:
    observer, display = RecordingObserver(), RecordingDisplay()
    with Runner([Break()], permission=AllowAll(), observer=observer, display=display) as runner:
        calls = [("break", {"number": 1}), ("break", {"when": when}), ("break", {"number": 2})]
        with pytest.raises(ZeroDivisionError):
            ask(runner, calls, way)
    expected = 3 if "many" in way else 2
    assert sorted(each.call_seq for each in observer.observations) == list(range(1, expected + 1))
    assert [each.outcome for each in observer.observations].count("ok") == expected - 1
    assert len(display.started_calls) == len(display.finished_calls) == expected
