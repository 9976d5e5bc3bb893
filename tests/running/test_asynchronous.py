"""Async hosts: calls in worker threads, cancelled as one, questions on the host's loop."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mmtools import AllowAll, Choice, Decision, PermissionRequest, local
from mmtools.call import Cancellation, Status
from mmtools.running.asynchronous import in_thread
from mmtools.running.workers import Workers
from tests.patience import AGES_S, PATIENCE_S


def alive(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


async def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        await asyncio.sleep(0.02)


def test_a_call_gives_the_same_as_its_sync_twin(tmp_path: Path) -> None:
    async def main() -> None:
        async with local.mm(tmp_path, permission=AllowAll()) as runner:
            assert await runner.aexecute("bash", {"command": "echo hi"}) == "hi\n"
            assert await runner["bash"].aexecute({"command": "echo hi"}) == "hi\n"
            outcomes = await runner.acall_many([("bash", {"command": "echo 1"}), ("read_file", {"path": "nope"})])
            assert [outcome.status for outcome in outcomes] == [Status.OK, Status.FAILED]

    asyncio.run(main())


def test_cancelling_the_task_kills_the_tree_before_the_cancellation_goes_on(tmp_path: Path) -> None:
    async def main() -> None:
        runner = local.mm(tmp_path, permission=AllowAll())
        command = "sleep 600 & echo $! > child; setsid sleep 600 & echo $! > away; wait"
        task = asyncio.create_task(runner.acall("bash", {"command": command}))
        await until(lambda: (tmp_path / "away").exists() and (tmp_path / "away").read_text().endswith("\n"))
        pids = [int((tmp_path / name).read_text()) for name in ("child", "away")]
        assert all(map(alive, pids))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not any(map(alive, pids))
        runner.close()

    asyncio.run(main())


def test_cancelling_one_call_of_a_response_cancels_them_all(tmp_path: Path) -> None:
    async def main() -> None:
        async with local.mm(tmp_path, permission=AllowAll()) as runner:
            commands = [("bash", {"command": f"touch begun{number}; sleep 600"}) for number in range(3)]
            task = asyncio.create_task(runner.acall_many(commands))
            await until((tmp_path / "begun0").exists)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asyncio.wait_for(asyncio.shield(task), PATIENCE_S)

    asyncio.run(main())


class OnLoop:
    """A permission that is a coroutine function and needs the host's loop."""

    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None
        self.asked = threading.Event()
        self.answer = asyncio.Event()

    async def decide(self, request: PermissionRequest) -> Decision:
        self.loop = asyncio.get_running_loop()
        self.asked.set()
        await self.answer.wait()
        return Decision(Choice.ALLOW_ONCE)


class Blocking:
    """A permission that waits for a person who never comes."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.released = threading.Event()

    def decide(self, request: PermissionRequest) -> Decision:
        self.asked.set()
        self.released.wait(AGES_S)
        return Decision(Choice.ALLOW_ONCE)


def test_an_async_permission_is_awaited_on_the_hosts_loop(tmp_path: Path) -> None:
    async def main() -> None:
        permission = OnLoop()
        runner = local.mm(tmp_path, permission=permission)
        task = asyncio.create_task(runner.aexecute("bash", {"command": "echo hi"}))
        await until(lambda: permission.loop is not None)
        permission.answer.set()
        assert await task == "hi\n"
        assert permission.loop is asyncio.get_running_loop()

    asyncio.run(main())


@pytest.mark.parametrize("kind", [OnLoop, Blocking])
def test_cancelling_while_a_question_is_open_runs_nothing(tmp_path: Path, kind: type[OnLoop | Blocking]) -> None:
    async def main() -> None:
        permission = kind()
        runner = local.mm(tmp_path, permission=permission)
        tasks = [asyncio.create_task(runner.acall("bash", {"command": f"touch {name}"})) for name in "ab"]
        await until(permission.asked.is_set)
        for task in tasks:
            task.cancel()
        results = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), PATIENCE_S)
        assert [type(result) for result in results] == [asyncio.CancelledError] * 2
        if isinstance(permission, Blocking):
            permission.released.set()

    asyncio.run(main())
    assert list(tmp_path.iterdir()) == []


def test_many_calls_at_once_leave_no_thread(tmp_path: Path) -> None:
    async def main() -> None:
        async with local.mm(tmp_path, permission=AllowAll()) as runner:
            texts = await asyncio.gather(*(runner.aexecute("bash", {"command": f"echo {n}"}) for n in range(50)))
            assert texts == [f"{n}\n" for n in range(50)]

    before = set(threading.enumerate())
    asyncio.run(main())
    for thread in set(threading.enumerate()) - before:
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def test_what_the_work_raises_is_raised_in_the_task() -> None:
    def fail(_: Cancellation) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(in_thread(fail, Workers()))
