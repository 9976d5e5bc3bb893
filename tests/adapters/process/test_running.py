"""One command, looked after by one thread until its shell and its output are done."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mmtools.adapters.process.children import Child
from mmtools.adapters.process.output import Output, Wake
from mmtools.adapters.process.running import RunningCommand
from mmtools.adapters.process.tables import process_table
from mmtools.adapters.process.trees import Tree
from mmtools.ports.processes import End
from tests.patience import AGES_S, PATIENCE_S, soon


@contextmanager
def running(command: str, *, wake: Wake | None = None, told: Callable[[str], None] = print) -> Iterator[RunningCommand]:
    reader, writer = os.pipe()
    mark = f"{os.urandom(8).hex()}-1."
    process = subprocess.Popen(
        ["bash", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=writer,
        stderr=writer,
        env={**os.environ, "MMTOOLS_CALL": mark},
        start_new_session=True,
    )
    os.close(writer)
    shell = Child(process)
    tree = Tree(process_table(), mark.encode(), shell=shell.pid, pipe=os.fstat(reader).st_ino)
    waker = wake or Wake()
    try:
        output = Output(reader, max_chars=1_000, on_output=told)
        with RunningCommand(shell, output, tree, waker, grace_s=1.0) as command_:
            yield command_
    finally:
        waker.close()


def never() -> bool:
    return False


def test_an_exit_is_summed_up_with_its_output() -> None:
    with running("echo hi; exit 3") as command:
        end = command.until_exit(PATIENCE_S, never)
        ended = command.exit(end, command.settle())
    assert (end, ended.code, ended.signal, ended.output.head) == (End.EXITED, 3, None, "hi\n")
    assert ended.survivors == ()


def test_a_timeout_is_told_and_its_tree_is_gone_after_the_kill() -> None:
    pieces: list[str] = []
    with running("echo hi; sleep 600 & wait", told=pieces.append) as command:
        assert command.until_exit(0.2, never) is End.TIMED_OUT
        soon(lambda: command.until_exit(0.2, never) is End.TIMED_OUT and pieces)
        assert command.kill() == []
        ended = command.exit(End.TIMED_OUT, [])
    assert (ended.code, ended.signal, ended.output.head) == (None, None, "hi\n")


def test_a_wake_ends_the_wait_when_there_is_a_reason() -> None:
    wake, stop = Wake(), threading.Event()

    def cancel() -> None:
        stop.set()
        wake.set()

    with running("sleep 600", wake=wake) as command:
        threading.Timer(0.1, cancel).start()
        assert command.until_exit(AGES_S, stop.is_set) is End.CANCELLED
        assert command.kill() == []
        assert command.exit(End.CANCELLED, []).code is None


def test_an_exception_of_the_callers_kills_the_tree() -> None:
    pids: list[int] = []

    def interrupt(text: str) -> None:
        pids.append(int(text))
        raise ZeroDivisionError

    def run() -> None:
        with running("sleep 600 & echo $!; wait", told=interrupt) as command:
            command.until_exit(60, never)

    with pytest.raises(ZeroDivisionError):
        run()
    assert is_dead(pids[0])


def is_dead(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z"
