"""One call performed: what comes out of it, who is told, and what its neighbours notice."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

from mmtools.call import Headline, Outcome, Report, Status, ToolKind
from mmtools.errors import ToolFailure
from mmtools.policies.allow_all import AllowAll
from mmtools.ports.display import StartedCall
from mmtools.running.executor import Ended, Executor
from mmtools.running.order import CallOrder
from mmtools.running.preparation import PreparedCall
from mmtools.running.workers import Workers
from mmtools.testing.clock import FixedClock
from mmtools.testing.recorders import RecordingDisplay
from mmtools.tool import Call


def prepared(work: Callable[[Call], str], call_id: str = "c1") -> PreparedCall:
    started = StartedCall(call_id=call_id, tool="t", kind=ToolKind.READ, family="f", headline=Headline(text="h"))
    return PreparedCall(started=started, spec=None, said=None, work=work)


class Told:
    """An executor, and what it tells."""

    def __init__(self) -> None:
        self.clock, self.display = FixedClock(), RecordingDisplay()
        self.abandoned: list[tuple[str, Status]] = []
        self.executor = Executor(
            display=self.display, notify=self._notify, clock=self.clock, order=CallOrder(), workers=Workers()
        )

    def _notify(self, call: PreparedCall, outcome: Outcome) -> None:
        self.abandoned.append((call.started.call_id, outcome.status))

    def run(self, work: Callable[[Call], str]) -> Outcome:
        return self.executor.run(prepared(work), AllowAll())


def failing(error: BaseException) -> Callable[[Call], str]:
    def work(_: Call) -> str:
        raise error

    return work


def statuses(ended: list[Ended]) -> list[object]:
    return [each.text if isinstance(each, Outcome) else type(each) for each in ended]


def test_a_result_and_a_failure_are_outcomes() -> None:
    told = Told()

    def work(call: Call) -> str:
        told.clock.advance(1.5)
        call.emit("live")
        call.report(Report(truncated=True))
        return ""

    outcome = told.run(work)
    assert (outcome.text, outcome.status, outcome.truncated) == ("(no output)", Status.OK, True)
    assert outcome.duration_s == 1.5
    assert told.display.outputs == [("c1", "live")]
    assert told.run(failing(ToolFailure("no"))).status is Status.FAILED
    assert told.abandoned == []


@pytest.mark.parametrize(
    ("error", "status"), [(ZeroDivisionError(), Status.FAILED), (KeyboardInterrupt(), Status.CANCELLED)]
)
def test_a_bug_or_an_interrupt_goes_on_and_is_told(error: BaseException, status: Status) -> None:
    told = Told()
    with pytest.raises(type(error)):
        told.run(failing(error))
    assert told.abandoned == [("c1", status)]


def test_unseen_nobody_is_told() -> None:
    told = Told()
    unseen = told.executor.unseen()
    assert unseen.asking is told.executor.asking

    def work(call: Call) -> str:
        call.emit("live")
        return "done"

    assert unseen.run(prepared(work), AllowAll()).text == "done"
    with pytest.raises(ZeroDivisionError):
        unseen.run(prepared(failing(ZeroDivisionError())), AllowAll())
    assert (told.display.started_calls, told.display.outputs, told.abandoned) == ([], [], [])


def test_one_that_fails_beside_others_does_not_keep_them_from_their_end() -> None:
    told, both = Told(), threading.Barrier(2)

    def work(_: Call) -> str:
        both.wait(60)
        return "done"

    def bug(_: Call) -> str:
        both.wait(60)
        raise ZeroDivisionError

    group = [prepared(work, "c1"), prepared(bug, "c2")]
    assert statuses(told.executor.run_side_by_side(group, AllowAll())) == ["done", ZeroDivisionError]
    assert statuses(asyncio.run(told.executor.arun_side_by_side(group, AllowAll()))) == ["done", ZeroDivisionError]
    assert told.abandoned == [("c2", Status.FAILED)] * 2


def test_a_call_that_ended_before_is_shown_and_not_performed_again() -> None:
    told = Told()
    outcome = told.run(lambda _: "done")
    again = PreparedCall(
        started=prepared(failing(ZeroDivisionError())).started,
        spec=None,
        said=None,
        work=failing(ZeroDivisionError()),
        ended=outcome,
    )
    assert told.executor.run(again, AllowAll()) is outcome
    assert len(told.display.started_calls) == 2
