"""When an answer counts."""

from __future__ import annotations

import heapq
import itertools
import threading
from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve
from typing_extensions import override

from mmtools.adapters.lsp.listener import Activity
from mmtools.adapters.lsp.pending_requests import Cancelled, ChangeSignal, Failure, Lost, Reply, Result, TimedOut
from mmtools.adapters.lsp.readiness import Readiness, Settled
from mmtools.adapters.lsp.timeouts import Timeouts
from mmtools.call import Cancellation
from mmtools.testing.clock import FixedClock
from tests.patience import AGES_S, soon

QUICK = Timeouts(ready_s=5.0, repeat_s=0.02, settle_s=0.3, grace_s=0.1)
SOME, MORE, NONE, ERROR = Result(["some"]), Result(["some", "more"]), Result([]), Failure(-1, "not yet")
NEVER = Cancellation()


class SimulatedTime(ChangeSignal):
    """Time that passes only while something is waited for, and then at once; what is due meanwhile is done."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = FixedClock()
        self._due: list[tuple[float, int, Callable[[], object]]] = []
        self._numbers = itertools.count()

    def after(self, seconds: float, act: Callable[[], object]) -> None:
        heapq.heappush(self._due, (self.clock() + seconds, next(self._numbers), act))

    @override
    def wait(self, come: Callable[[], bool], seconds: float, cancellation: Cancellation) -> bool:
        end = self.clock() + max(seconds, 0.0)
        while not (cancellation.requested or come()):
            if not self._due or self._due[0][0] > end:
                self.clock.advance(end - self.clock())
                break
            at, _, act = heapq.heappop(self._due)
            self.clock.advance(max(at - self.clock(), 0.0))
            act()
        return come()


class Server:
    """A server that answers from a list, the last one for ever, and works as told."""

    def __init__(self, *replies: Reply, timeouts: Timeouts = QUICK) -> None:
        self._replies = list(replies)
        self._changed = time = SimulatedTime()
        self.clock, self.after = time.clock, time.after
        self._activity = Activity(60, time.clock)
        self.readiness = Readiness(self._activity, self._changed, timeouts, time.clock)
        self.asked = 0
        self.changes = 0
        #: Called with the number of each question, before its answer.
        self.on_question: Callable[[int], object] = lambda _: None

    def ask(self) -> Reply:
        self.asked += 1
        self.on_question(self.asked)
        return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]

    def progress(self, kind: str, token: int = 1) -> None:
        self._activity.take_progress({"token": token, "value": {"kind": kind}})
        self._changed.notify()

    def is_quiescent(self, *, quiescent: bool) -> None:
        self._activity.take_status({"quiescent": quiescent})
        self._changed.notify()

    def works_for(self, seconds: float, token: int = 1) -> None:
        self.progress("begin", token)
        self.after(seconds, lambda: self.progress("end", token))

    def file(self, cancellation: Cancellation = NEVER) -> Settled:
        return self.readiness.about_file(self.ask, lambda: self.changes, cancellation)

    def project(self, cancellation: Cancellation = NEVER) -> Settled:
        return self.readiness.about_project(self.ask, lambda: self.changes, cancellation)


class TestAboutAFile:
    def test_the_first_answer_counts_when_nothing_goes_on(self) -> None:
        server = Server(SOME)
        assert server.file() == Settled(SOME, settled=True)
        assert server.asked == 1

    def test_an_answer_of_a_loading_server_is_asked_for_again(self) -> None:
        server = Server(SOME, MORE)
        server.works_for(0.2)
        assert server.file() == Settled(MORE, settled=True)
        assert server.asked == 2

    def test_an_answer_before_the_server_has_begun_to_load_is_asked_for_again(self) -> None:
        server = Server(SOME, MORE)
        server.after(0.05, lambda: server.works_for(0.2))
        assert server.file() == Settled(MORE, settled=True)

    def test_an_answer_of_a_server_that_loaded_meanwhile_is_asked_for_again(self) -> None:
        server = Server(SOME, MORE)

        def load(number: int) -> None:
            if number == 1:
                server.progress("begin")
                server.progress("end")

        server.on_question = load
        assert server.file() == Settled(MORE, settled=True)
        assert server.asked == 2

    @pytest.mark.parametrize("early", [NONE, ERROR, Result(None), Result({})])
    def test_nothing_is_not_believed_before_the_server_had_time_to_begin(self, early: Reply) -> None:
        server = Server(early, SOME)
        server.after(0.05, lambda: server.works_for(0.2))
        assert server.file() == Settled(SOME, settled=True)

    @pytest.mark.parametrize("last", [NONE, ERROR])
    def test_nothing_counts_when_it_is_said_twice_at_rest(self, last: Reply) -> None:
        server = Server(last)
        assert server.file() == Settled(last, settled=True)
        asked = server.asked
        assert asked > 1
        assert server.file() == Settled(last, settled=True)
        assert server.asked == asked + 1

    def test_nothing_is_not_believed_at_once_after_a_change(self) -> None:
        server = Server(NONE)
        server.file()
        server._replies = [NONE, SOME]
        server.changes += 1
        assert server.file() == Settled(SOME, settled=True)

    def test_later_work_holds_up_only_what_says_nothing(self) -> None:
        server = Server(SOME)
        server.works_for(0.05)
        server.file()
        server.progress("begin", 2)
        start = server.clock()
        assert server.file() == Settled(SOME, settled=True)
        assert server.clock() == start
        server._replies = [NONE, SOME]
        server.after(0.1, lambda: server.progress("end", 2))
        assert server.file() == Settled(SOME, settled=True)

    def test_an_answer_of_a_server_that_loads_for_long_is_told_as_such(self) -> None:
        server = Server(SOME)
        server.progress("begin")
        assert server.file() == Settled(SOME, settled=False)

    def test_a_server_that_never_gets_ready_is_waited_for_only_once(self) -> None:
        server = Server(NONE, timeouts=evolve(QUICK, ready_s=0.3))
        server.progress("begin")
        assert server.file() == Settled(NONE, settled=False)
        assert server.clock() == pytest.approx(0.3)
        for _ in range(25):
            assert server.file() == Settled(NONE, settled=False)
        assert server.clock() == pytest.approx(0.3)
        server.progress("end")
        assert server.file() == Settled(NONE, settled=True)

    def test_a_status_counts_for_more_than_any_progress(self) -> None:
        server = Server(NONE, SOME)
        server.is_quiescent(quiescent=False)
        server.after(0.2, lambda: server.is_quiescent(quiescent=True))
        assert server.file() == Settled(SOME, settled=True)
        server.progress("begin")
        server._replies = [NONE]
        assert server.file() == Settled(NONE, settled=True)


class TestAboutTheProject:
    def test_the_first_answer_counts_when_the_second_is_the_same(self) -> None:
        server = Server(SOME, MORE, MORE)
        assert server.project() == Settled(MORE, settled=True)
        assert server.asked == 3
        assert server.project() == Settled(MORE, settled=True)
        assert server.asked == 4

    def test_after_a_change_answers_are_compared_again(self) -> None:
        server = Server(SOME)
        server.project()
        server._replies = [SOME, MORE]
        server.changes += 1
        assert server.project() == Settled(MORE, settled=True)

    def test_a_change_while_it_answers_counts_too(self) -> None:
        server = Server(SOME)
        server.project()
        server._replies = [SOME, MORE]

        def change(_: int) -> None:
            server.changes = 1

        server.on_question = change
        assert server.project() == Settled(MORE, settled=True)

    def test_equal_answers_of_a_busy_server_do_not_count(self) -> None:
        server = Server(SOME, SOME, MORE)
        server.works_for(0.3)
        assert server.project() == Settled(MORE, settled=True)

    def test_the_order_of_places_is_of_no_account(self) -> None:
        server = Server(Result([{"a": 1}, {"b": 2}]), Result([{"b": 2}, {"a": 1}]))
        assert server.project().settled
        assert server.asked == 2

    def test_work_on_the_question_itself_is_of_no_account(self) -> None:
        server = Server(SOME)
        server.on_question = lambda number: server.works_for(0.005, token=number)
        assert server.project() == Settled(SOME, settled=True)
        assert server.asked == 2

    def test_answers_that_keep_changing_are_told_as_such(self) -> None:
        server = Server(*(Result([number]) for number in range(10_000)))
        answer = server.project()
        assert not answer.settled
        assert 0.3 <= server.clock() < 0.35

    def test_a_server_that_never_gets_ready_is_waited_for_only_once(self) -> None:
        server = Server(SOME, timeouts=evolve(QUICK, ready_s=0.3))
        server.progress("begin")
        assert server.project() == Settled(SOME, settled=False)
        start = server.clock()
        assert start >= 0.3
        assert server.project() == Settled(SOME, settled=False)
        assert server.clock() == start
        server.progress("end")
        assert server.project() == Settled(SOME, settled=True)

    def test_an_error_that_stays_is_the_answer(self) -> None:
        server = Server(ERROR)
        assert server.project() == Settled(ERROR, settled=True)

    def test_an_early_error_is_not(self) -> None:
        server = Server(ERROR, SOME)
        assert server.project() == Settled(SOME, settled=True)

    def test_answers_too_deep_to_compare_are_never_equal(self) -> None:
        deep: list[Any] = []
        for _ in range(100_000):
            deep = [deep]
        answer = Server(Result({"x": deep})).project()
        assert not answer.settled
        while deep:
            deep = deep.pop()


@pytest.mark.parametrize("reply", [TimedOut(), Lost(), Cancelled()])
@pytest.mark.parametrize("how", ["file", "project"])
def test_without_an_answer_nothing_is_asked_again(reply: Reply, how: str) -> None:
    server = Server(reply)
    assert getattr(server, how)().reply == reply
    assert server.asked == 1


@pytest.mark.parametrize("how", ["file", "project"])
@pytest.mark.parametrize("busy", [True, False])
def test_a_cancelled_call_waits_for_nothing(how: str, busy: bool) -> None:
    server = Server(*([NONE] if busy else [Result([number]) for number in range(1000)]), timeouts=Timeouts(grace_s=60))
    if busy:
        server.progress("begin")
    cancellation = Cancellation()
    server.after(0.1, cancellation.request)
    assert not getattr(server, how)(cancellation).settled or not busy
    assert server.clock() <= 0.1


@pytest.mark.parametrize("how", ["end", "cancel"])
def test_what_another_thread_tells_ends_the_wait(how: str) -> None:
    """With a real signal and a real clock: without being told, it would wait for ages."""
    activity, changed, cancellation = Activity(AGES_S), ChangeSignal(), Cancellation()
    readiness = Readiness(activity, changed, Timeouts(ready_s=AGES_S, repeat_s=AGES_S, grace_s=0.0))
    activity.take_progress({"token": 1, "value": {"kind": "begin"}})
    asked = threading.Event()

    def ask() -> Reply:
        if asked.is_set():
            return SOME
        asked.set()
        return NONE

    def tell() -> None:
        soon(asked.is_set)
        if how == "cancel":
            cancellation.request()
        else:
            activity.take_progress({"token": 1, "value": {"kind": "end"}})
            changed.notify()

    thread = threading.Thread(target=tell)
    thread.start()
    expected = Settled(SOME, settled=True) if how == "end" else Settled(NONE, settled=False)
    assert readiness.about_file(ask, lambda: 0, cancellation) == expected
    thread.join()
