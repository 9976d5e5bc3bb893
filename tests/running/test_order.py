"""Who waits for whom: against a model that looks at every pair, and under threads."""

from __future__ import annotations

import asyncio
import itertools
import random
import threading
from collections.abc import Callable, Iterator
from contextvars import copy_context
from functools import partial

import pytest
from attrs import define, field
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, multiple, rule

from mmtools.call import Cancellation
from mmtools.errors import Cancelled, DefinitionError
from mmtools.running.access import Access, Effect, disturb
from mmtools.running.order import CallOrder, Place

READ_A, EDIT_A = (Access(effect=effect, paths=("/w/a",)) for effect in (Effect.READS, Effect.CHANGES))
EDIT_B, EVERYTHING = Access(effect=Effect.CHANGES, paths=("/w/b",)), Access(effect=Effect.CHANGES)

ACCESSES = st.builds(
    Access,
    effect=st.sampled_from(Effect),
    paths=st.none() | st.lists(st.sampled_from(["/w", "/w/a", "/w/a/b", "/w/c", "/x"]), max_size=2).map(tuple),
)
RESPONSES = st.sampled_from([None, None, "one", "other"])


@define(eq=False)
class Known:
    """A call as the model knows it."""

    place: Place
    access: Access
    response: str | None
    outer: Known | None
    #: Fixed when it arrived.
    ahead: list[Known] = field(factory=list)
    done: bool = False

    @property
    def runs(self) -> bool:
        return not self.done and all(other.done for other in self.ahead)

    def disturbs(self, other: Known) -> bool:
        together = self.response is not None and self.response == other.response
        return disturb(self.access, other.access, together=together)

    def chain(self) -> Iterator[Known]:
        call: Known | None = self
        while call is not None:
            yield call
            call = call.outer


class Calls(RuleBasedStateMachine):
    """Calls that arrive, from outside and from inside others, end, and are withdrawn; one order for all."""

    calls = Bundle("calls")

    @initialize()
    def begin(self) -> None:
        self.order = CallOrder()
        self.known: list[Known] = []

    @rule(target=calls, access=ACCESSES, response=RESPONSES)
    def arrive(self, access: Access, response: str | None) -> Known:
        return self._arrived(access, response, None)

    @rule(target=calls, outer=calls, access=ACCESSES, response=RESPONSES)
    def arrive_inside(self, outer: Known, access: Access, response: str | None) -> object:
        return self._arrived(access, response, outer) if outer.runs else multiple()

    @rule(call=consumes(calls))
    def end(self, call: Known) -> None:
        """Also of one that still waits: it is withdrawn. Also of one whose inner calls go on without it."""
        call.place.leave()
        call.done = True
        self._compare()

    def teardown(self) -> None:
        """Everything comes to an end, if each that runs ends after those inside it."""
        while open_ := [call for call in self.known if not call.done]:
            ready = [
                call
                for call in open_
                if call.runs and not any(each is not call and call in each.chain() for each in open_)
            ]
            assert ready, "they all wait for one another"
            for call in ready:
                call.place.leave()
                call.done = True
            self._compare()

    def _arrived(self, access: Access, response: str | None, outer: Known | None) -> Known:
        def join() -> Place:
            if outer is not None:
                outer.place.take()
            return self.order.join(access, response=response)

        call = Known(copy_context().run(join), access, response, outer)
        mine = {each for each in call.chain() if each is not call and not each.done}
        call.ahead = [
            other
            for other in self.known
            if not other.done
            and other not in mine
            and other.disturbs(call)
            and not any(self._waits(other, each, ()) for each in mine)
        ]
        self.known.append(call)
        self._compare()
        return call

    def _waits(self, one: Known, other: Known, seen: tuple[Known, ...]) -> bool:
        """Whether one cannot end before the other has: it waits for it, or one that it made does."""
        if one is other:
            return True
        if one in seen:
            return False
        steps = [each for each in one.ahead if not each.done]
        steps += [each for each in self.known if not each.done and self._maker(each) is one]
        return any(self._waits(each, other, (*seen, one)) for each in steps)

    def _maker(self, call: Known) -> Known | None:
        """The innermost of those it was made inside of that had not ended then."""
        return next((each for each in call.chain() if each is not call and each.place is call.place.outer), None)

    def _compare(self) -> None:
        for call in self.known:
            if not call.done:
                assert (not call.place.ahead) == call.runs
        running = [call for call in self.known if call.runs]
        for one, other in itertools.combinations(running, 2):
            if one.outer is other.outer is None:
                assert not one.disturbs(other)
        for early, late in itertools.combinations(self.known, 2):
            if not early.done and late.runs and late.outer is None and early.disturbs(late):
                raise AssertionError("a later call went first")


TestCalls = Calls.TestCase


def effect_of(place: Place) -> Effect:
    assert place.access is not None
    return place.access.effect


def started(target: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=target, daemon=True)
    thread.start()
    return thread


def ended(*threads: threading.Thread) -> None:
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


@pytest.mark.parametrize("seed", range(4))
def test_under_threads_nobody_is_disturbed_and_everybody_is_woken(seed: int) -> None:
    order, inside = CallOrder(), dict[Place, None]()

    def calls(number: int) -> None:
        draw = random.Random(f"{seed} {number}")
        for _ in range(100):
            chosen = draw.sample(["/w/a", "/w/b", "/w/c"], draw.randint(1, 2))
            paths = None if draw.random() < 0.1 else tuple(chosen)
            effect = Effect.CHANGES if draw.random() < 0.6 else Effect.READS
            with order.join(Access(effect=effect, paths=paths), response="one") as place:
                place.take()
                inside[place] = None
                for each in [*inside]:
                    if each is not place and Effect.CHANGES in (effect, effect_of(each)):
                        others = each.access.paths if each.access is not None else ()
                        # It may have left since.
                        assert each not in inside or (paths and others and not {*paths} & {*others})
                del inside[place]
        survived.append(number)

    survived: list[int] = []
    ended(*(started(partial(calls, number)) for number in range(8)))
    assert sorted(survived) == list(range(8))


def test_a_call_is_woken_by_the_last_of_those_it_waits_for() -> None:
    order, told = CallOrder(), list[str]()
    first, second = order.join(EDIT_A), order.join(EDIT_B)
    last = order.join(EVERYTHING)
    order.when_free(last, lambda: told.append("free"))
    first.leave()
    assert told == []
    second.leave()
    second.leave()
    assert told == ["free"]


def test_a_call_that_touches_nothing_waits_for_nobody_and_nobody_for_it() -> None:
    order = CallOrder()
    order.join(EVERYTHING)
    assert not order.join(None).ahead
    other = CallOrder()
    other.join(None)
    assert not other.join(EVERYTHING).ahead


@pytest.mark.parametrize(("one", "other"), [("/w", "/w/a"), ("/w/a", "/w"), ("/", "/w"), ("/w/a", "/w/a")])
def test_a_directory_stands_for_all_that_is_in_it(one: str, other: str) -> None:
    order = CallOrder()
    order.join(Access(effect=Effect.CHANGES, paths=(one,)))
    assert order.join(Access(effect=Effect.CHANGES, paths=(other,))).ahead
    assert not order.join(Access(effect=Effect.CHANGES, paths=("/wide",))).ahead or one == "/"


def test_two_paths_to_one_file_are_one() -> None:
    order = CallOrder(identify=lambda path: (path.replace("link", "a"),))
    order.join(EDIT_A)
    assert order.join(Access(effect=Effect.CHANGES, paths=("/w/link",))).ahead
    assert not order.join(Access(effect=Effect.CHANGES, paths=("/w/other",))).ahead


def test_files_are_looked_up_only_where_somebody_might_wait() -> None:
    asked: list[str] = []

    def identify(path: str) -> tuple[str, ...]:
        asked.append(path)
        return (path,)

    order = CallOrder(identify=identify)
    order.join(EDIT_A).leave()
    with order.join(READ_A), order.join(READ_A), order.join(EVERYTHING):
        pass
    assert asked == []
    with order.join(EDIT_A), order.join(EDIT_B), order.join(EDIT_A):
        pass
    assert asked == ["/w/a", "/w/b", "/w/a"]


def test_who_is_cancelled_while_it_waits_leaves_at_once() -> None:
    order, cancellation = CallOrder(), Cancellation()
    first = order.join(EDIT_A)
    results: list[str] = []

    def wait() -> None:
        with order.join(EDIT_A) as place, pytest.raises(Cancelled) as withdrawn:
            place.take(cancellation)
        results.append(withdrawn.value.text)

    waiting = started(wait)
    cancellation.request()
    ended(waiting)
    assert results == ["[cancelled while it waited for another call; nothing was done]"]
    first.leave()
    assert not order.join(EDIT_A).ahead


def test_who_waits_is_turned_away_when_the_runner_closes() -> None:
    order = CallOrder()
    order.join(EDIT_A)
    place = order.join(EDIT_A)

    def wait() -> None:
        with pytest.raises(DefinitionError, match="closed"):
            place.take()
        place.leave()

    waiting = started(wait)
    order.close()
    ended(waiting)


def test_inner_calls_of_one_call_wait_for_one_another() -> None:
    order = CallOrder()
    with order.join(EVERYTHING) as outer:
        outer.take()
        first, second = order.join(EDIT_A), order.join(EDIT_A)
        assert (first.outer, second.outer) == (outer, outer)
        assert not first.ahead
        assert second.ahead == {first}
        first.leave()
        second.leave()
    assert order.join(EDIT_A).outer is None


def test_two_calls_that_reach_into_one_another_do_not_wait_for_ever() -> None:
    order = CallOrder()
    one, other = order.join(EDIT_A), order.join(EDIT_B)

    def inside(outer: Place, access: Access) -> Place:
        def join() -> Place:
            outer.take()
            return order.join(access)

        return copy_context().run(join)

    waits = inside(one, EDIT_B)
    passes = inside(other, EDIT_A)
    assert waits.ahead == {other}
    assert not passes.ahead


def test_an_inner_call_that_outlives_the_outer_one_belongs_to_the_next_one_out() -> None:
    order = CallOrder()
    with order.join(EVERYTHING) as outermost:
        outermost.take()
        with order.join(EDIT_A) as outer:
            outer.take()
            later = copy_context()
        assert later.run(order.join, EDIT_A).outer is outermost


def test_a_call_that_holds_up_a_loop_does_not_wait_for_one_that_needs_it() -> None:
    order = CallOrder()

    async def on_the_loop() -> None:
        asks = order.join(EDIT_A, needs=asyncio.get_running_loop())
        behind = order.join(EDIT_A)
        assert behind.ahead == {asks}
        with order.join(EDIT_A) as place:
            assert place.ahead == {asks, behind}
            place.take()

    asyncio.run(on_the_loop())


def test_a_call_on_a_loop_waits_for_one_that_needs_another() -> None:
    order, asked = CallOrder(), threading.Event()
    asks = order.join(EDIT_A, needs=object())

    async def on_the_loop() -> None:
        asked.set()
        with order.join(EDIT_A) as place:
            place.take()

    waiting = started(lambda: asyncio.run(on_the_loop()))
    assert asked.wait(60)
    waiting.join(0.1)
    assert waiting.is_alive()
    asks.leave()
    ended(waiting)


def test_a_task_waits_without_blocking_its_loop_and_can_be_cancelled() -> None:
    order = CallOrder()

    async def wait(log: list[str]) -> None:
        with order.join(EDIT_A) as place:
            await place.atake()
            log.append("taken")

    async def main() -> list[str]:
        log: list[str] = []
        first = order.join(EDIT_A)
        cancelled, waiting = asyncio.create_task(wait(log)), asyncio.create_task(wait(log))
        await asyncio.sleep(0)
        cancelled.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cancelled
        log.append("still waits")
        started(first.leave)
        await asyncio.wait_for(waiting, 60)
        return log

    assert asyncio.run(main()) == ["still waits", "taken"]


def test_a_task_that_is_thrown_away_leaves_its_place() -> None:
    order = CallOrder()

    async def hold() -> None:
        with order.join(EVERYTHING) as place:
            place.take()
            await asyncio.sleep(0)

    thrown = hold()
    copy_context().run(thrown.send, None)
    assert order.join(EDIT_A).ahead
    thrown.close()
    assert not CallOrder().join(EDIT_A).ahead
