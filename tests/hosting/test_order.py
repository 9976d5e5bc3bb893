"""Which calls run beside which, when a host starts them all at once."""

from __future__ import annotations

import asyncio
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.call import ToolKind
from mmtools.hosting.order import CallOrder

QUIET = {ToolKind.READ, ToolKind.SEARCH, ToolKind.FETCH, ToolKind.THINK}

#: Each call's kind, how many turns of the loop it takes, and at which it is cancelled or fails, if at all.
CALLS = st.lists(
    st.tuples(st.sampled_from(ToolKind), st.integers(0, 4), st.none() | st.integers(0, 6), st.booleans()), max_size=8
)


async def happen(calls: list[tuple[ToolKind, int, int | None, bool]]) -> list[tuple[str, int]]:
    order, events = CallOrder(), list[tuple[str, int]]()

    async def work(number: int, kind: ToolKind, turns: int, fails: bool) -> None:
        async with order.turn(kind):
            events.append(("begins", number))
            try:
                for _ in range(turns):
                    await asyncio.sleep(0)
                if fails:
                    raise ValueError
            finally:
                events.append(("ends", number))

    tasks = [asyncio.create_task(work(n, kind, turns, fails)) for n, (kind, turns, _, fails) in enumerate(calls)]
    for tick in range(7):
        for task, (_, _, cancelled_at, _) in zip(tasks, calls, strict=True):
            if cancelled_at == tick:
                task.cancel()
        await asyncio.sleep(0)
    await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 10)
    return events


@given(calls=CALLS)
def test_nothing_runs_beside_a_change_and_changes_keep_their_order(
    calls: list[tuple[ToolKind, int, int | None, bool]],
) -> None:
    events = asyncio.run(happen(calls))
    begun = [number for what, number in events if what == "begins"]
    for later in begun:
        for earlier in range(later):
            if earlier in begun and not {calls[earlier][0], calls[later][0]} <= QUIET:
                assert events.index(("ends", earlier)) < events.index(("begins", later))
    assert {number for number, call in enumerate(calls) if call[2] is None} <= set(begun)


@given(kinds=st.lists(st.sampled_from(sorted(QUIET)), min_size=1, max_size=8))
def test_calls_that_change_nothing_all_run_side_by_side(kinds: list[ToolKind]) -> None:
    async def together() -> None:
        order, barrier = CallOrder(), asyncio.Barrier(len(kinds))

        async def work(kind: ToolKind) -> None:
            async with order.turn(kind):
                await barrier.wait()

        await asyncio.wait_for(asyncio.gather(*map(work, kinds)), 10)

    asyncio.run(together())


def test_the_calls_of_another_loop_are_none_of_its_business() -> None:
    order, inside, done = CallOrder(), threading.Event(), threading.Event()

    async def hold() -> None:
        async with order.turn(ToolKind.EDIT):
            inside.set()
            await asyncio.to_thread(done.wait)

    async def pass_by() -> None:
        async with order.turn(ToolKind.EDIT):
            done.set()

    other = threading.Thread(target=asyncio.run, args=(hold(),))
    other.start()
    inside.wait()
    asyncio.run(pass_by())
    other.join()


def test_a_failure_inside_goes_on() -> None:
    async def fail() -> None:
        async with CallOrder().turn(ToolKind.READ):
            raise KeyError("x")

    with pytest.raises(KeyError):
        asyncio.run(fail())
