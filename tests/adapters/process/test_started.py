"""What a port has started: calls that are let in, told to stop, and waited for."""

from __future__ import annotations

import os
import select
import threading
from pathlib import Path

import pytest

from mmtools.adapters.process.started import StartedCommands, starting
from mmtools.call import Cancellation
from mmtools.ports.processes import CommandTooLong, DirectoryMissing, ProcessesClosed, ShellMissing


def is_awake(reader: int) -> bool:
    return bool(select.select([reader], [], [], 0)[0])


def test_a_cancellation_wakes_its_call_and_no_other() -> None:
    started, first, second = StartedCommands(1.0), Cancellation(), Cancellation()
    with started.call(first) as one, started.call(second) as other:
        assert one.mark != other.mark
        first.request()
        assert (one.stopped(), other.stopped()) == (True, False)
        assert (is_awake(one.wake.reader), is_awake(other.wake.reader)) == (True, False)


def test_closing_stops_the_calls_of_other_threads_and_waits_for_them() -> None:
    started, inside, ended = StartedCommands(1.0), threading.Event(), list[bool]()

    def call() -> None:
        with started.call(Cancellation()) as one:
            inside.set()
            select.select([one.wake.reader], [], [], 30)
            ended.append(one.stopped())

    thread = threading.Thread(target=call)
    thread.start()
    inside.wait(30)
    started.close()
    assert ended == [True]
    thread.join(30)


def test_nothing_is_let_in_after_the_end() -> None:
    started = StartedCommands(1.0)
    started.close()
    started.close()
    with pytest.raises(ProcessesClosed), started.call(Cancellation()):
        raise AssertionError("let in")


def test_the_systems_refusals_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(CommandTooLong), starting(str(tmp_path)):
        os.execve("/bin/true", ["true", "x" * (1 << 22)], {})
    with pytest.raises(DirectoryMissing), starting(str(tmp_path / "gone")):
        os.chdir(tmp_path / "gone")
    with pytest.raises(ShellMissing, match="no-such-shell"), starting(str(tmp_path)):
        os.stat("/no-such-shell")
