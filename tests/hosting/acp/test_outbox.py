"""Order from many threads, and an end that holds nobody up."""

from __future__ import annotations

import asyncio
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.hosting.acp.host_loop import HostLoop
from mmtools.hosting.acp.outbox import Outbox


@given(st.lists(st.integers(0, 30), min_size=1, max_size=5))
def test_each_threads_updates_arrive_in_order_and_all_of_them(counts: list[int]) -> None:
    arrived: list[tuple[int, int]] = []

    async def send(update: tuple[int, int]) -> None:
        await asyncio.sleep(0)
        arrived.append(update)

    async def main() -> None:
        outbox = Outbox(send, HostLoop())

        def put(thread: int) -> None:
            for number in range(counts[thread]):
                outbox.put((thread, number))

        threads = [threading.Thread(target=put, args=(thread,)) for thread in range(len(counts))]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        await outbox.flush()
        assert len(arrived) == sum(counts)

    asyncio.run(main())
    for thread, count in enumerate(counts):
        assert [number for each, number in arrived if each == thread] == list(range(count))


def test_updates_for_an_editor_that_went_away_go_nowhere() -> None:
    tried: list[str] = []

    async def send(update: str) -> None:
        tried.append(update)
        raise ConnectionError("gone")

    async def main() -> None:
        outbox = Outbox(send, HostLoop())
        for update in "abc":
            outbox.put(update)
        await outbox.flush()
        outbox.put("d")
        await outbox.flush()

    asyncio.run(main())
    assert tried == ["a"]


def test_a_flush_can_be_given_up() -> None:
    async def main() -> None:
        stuck = asyncio.Event()

        async def send(update: str) -> None:
            await stuck.wait()

        outbox = Outbox(send, HostLoop())
        outbox.put("a")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(outbox.flush(), 0.01)
        stuck.set()
        await outbox.flush()

    asyncio.run(main())


def test_a_loop_that_is_over_is_no_trouble() -> None:
    async def send(update: str) -> None:
        raise AssertionError

    async def make() -> Outbox[str]:
        return Outbox(send, HostLoop())

    asyncio.run(make()).put("late")
