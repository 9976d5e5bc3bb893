"""A runner in a fork of its process: it says whose it is, waits for nobody, and leaves the owner's work alone."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from mmtools import AllowAll, DefinitionError, Runner, local
from mmtools.adapters.process.tables import ProcTable
from tests.patience import PATIENCE_S, soon

ECHO = ("bash", {"command": "echo child"})


def enter_and_leave(runner: Runner) -> None:
    async def use() -> None:
        async with runner:
            await runner.aexecute(*ECHO)

    asyncio.run(use())


USES: dict[str, Callable[[Runner], object]] = {
    "execute": lambda runner: runner.execute(*ECHO),
    "call_many": lambda runner: runner.call_many([ECHO, ECHO]),
    "aexecute": lambda runner: asyncio.run(runner.aexecute(*ECHO)),
    "reserve": lambda runner: runner.reserve(*ECHO),
    "async with": enter_and_leave,
}


def in_fork(work: Callable[[], object]) -> str:
    """What work came to in a fork, which must end by itself."""
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:
        signal.alarm(int(PATIENCE_S))
        try:
            told = str(work())
        except DefinitionError as problem:
            told = f"refused: {problem}"
        finally:
            os.write(writer, told.encode())
            os._exit(0)
    os.close(writer)
    with open(reader, "rb") as pipe:
        told = pipe.read().decode()
    assert os.waitpid(pid, 0)[1] == 0
    return told


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("use", USES)
def test_a_fork_is_told_at_once_and_the_owner_goes_on(tmp_path: Path, use: str) -> None:
    with local.mm(tmp_path, permission=AllowAll()) as runner:
        runner.execute("bash", {"command": "sleep 600 >/dev/null 2>&1 & echo $! > pid"})
        asyncio.run(runner.aexecute(*ECHO))
        told = in_fork(lambda: USES[use](runner))
        assert told == "refused: this runner belongs to the process that built it; build one after the fork"
        assert in_fork(runner.close) == "None"
        child = ProcTable().find(int((tmp_path / "pid").read_text()))
        assert child
        assert child.running
        assert runner.execute(*ECHO) == "child\n"


def test_a_fork_in_the_middle_of_a_call_neither_waits_nor_stops_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "go")
    with local.mm(tmp_path, permission=AllowAll()) as runner:
        texts: list[str] = []
        command = {"command": "echo > begun; read line < go; echo $line"}
        thread = threading.Thread(target=lambda: texts.append(runner.execute("bash", command)))
        thread.start()
        soon((tmp_path / "begun").exists)
        assert in_fork(lambda: USES["execute"](runner)).startswith("refused")
        assert in_fork(runner.close) == "None"
        (tmp_path / "go").write_text("on\n")
        thread.join(PATIENCE_S)
    assert texts == ["on\n"]


def test_a_fork_builds_a_runner_of_its_own(tmp_path: Path) -> None:
    def build() -> str:
        with local.mm(tmp_path, permission=AllowAll()) as own:
            return own.execute(*ECHO)

    with local.mm(tmp_path, permission=AllowAll()) as runner:
        runner.execute(*ECHO)
        assert in_fork(build) == "child\n"
