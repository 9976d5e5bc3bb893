"""What /proc and `ps` tell about real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from mmtools.adapters.process.tables import ProcessTable, ProcTable, PsTable, open_pidfd, process_table
from tests.patience import soon

TABLES: list[type[ProcessTable]] = [ProcTable, PsTable]


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen(["sleep", "60"], start_new_session=True, env={"MARK": "here"}, stdout=subprocess.PIPE)
    yield child
    child.kill()
    child.communicate()


@pytest.mark.parametrize("table", TABLES)
def test_a_process_is_found_with_its_family(table: type[ProcessTable], sleeper: subprocess.Popen[bytes]) -> None:
    found = table().find(sleeper.pid)
    assert found is not None
    assert (found.pid, found.parent) == (sleeper.pid, os.getpid())
    assert found.group == found.session == sleeper.pid
    assert found.running
    assert found in table().all()
    assert found in table().younger_than(os.getpid())
    # The kernel shows its arguments a moment after it has started.
    soon(lambda: table().command(sleeper.pid) == "sleep 60")


@pytest.mark.parametrize("table", TABLES)
def test_an_ended_process_is_not_running_and_a_reaped_one_is_not_there(table: type[ProcessTable]) -> None:
    child = subprocess.Popen(["true"])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    found = table().find(child.pid)
    assert found is not None
    assert not found.running
    child.wait()
    assert table().find(child.pid) is None
    assert table().command(child.pid) == ""


def test_a_stopped_process_is_running(sleeper: subprocess.Popen[bytes]) -> None:
    sleeper.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, sleeper.pid, os.WSTOPPED | os.WNOWAIT)
    found = ProcTable().find(sleeper.pid)
    assert found is not None
    assert found.running


def test_processes_are_the_same_only_with_the_same_start(sleeper: subprocess.Popen[bytes]) -> None:
    table = ProcTable()
    first, own = table.find(sleeper.pid), table.find(os.getpid())
    assert first is not None
    assert own is not None
    assert first == table.find(sleeper.pid)
    assert first != own
    assert own.started <= first.started


def test_a_command_name_may_hold_anything(tmp_path: Path) -> None:
    program = tmp_path / "a) S 1 1 (b\nc"
    program.symlink_to("/bin/sleep")
    child = subprocess.Popen([program, "60"])
    try:
        found = ProcTable().find(child.pid)
        assert found is not None
        assert found.parent == os.getpid()
    finally:
        child.kill()
        child.wait()


def test_the_environment_is_that_of_the_start(sleeper: subprocess.Popen[bytes]) -> None:
    found = ProcTable().find(sleeper.pid)
    assert found is not None
    soon(lambda: b"MARK=here\0" in ProcTable().environment(sleeper.pid))
    assert b"MARK=here\0" in found.environment


def test_the_writer_of_a_pipe_is_known_from_its_reader(sleeper: subprocess.Popen[bytes]) -> None:
    assert sleeper.stdout is not None
    inode = os.fstat(sleeper.stdout.fileno()).st_ino
    assert ProcTable().writes_to(sleeper.pid, inode)
    assert not ProcTable().writes_to(os.getpid(), inode)
    assert not ProcTable().writes_to(sleeper.pid, inode + 1)


def test_the_youngest_processes_are_few() -> None:
    table = ProcTable()
    with subprocess.Popen(["true"]) as first:
        first.wait()
    with subprocess.Popen(["sleep", "60"]) as second:
        pids = [each.pid for each in table.younger_than(first.pid)]
        second.kill()
    assert second.pid in pids
    assert table.find(os.getpid()) is not None


def test_who_asks_after_a_start_sees_the_process() -> None:
    table = ProcTable()
    unseen: list[int] = []

    def start_and_look() -> None:
        for _ in range(10):
            with subprocess.Popen(["sleep", "60"]) as child:
                if child.pid not in [each.pid for each in table.all()]:
                    unseen.append(child.pid)
                child.kill()

    threads = [threading.Thread(target=start_and_look) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert unseen == []


def test_no_process_is_no_error() -> None:
    assert open_pidfd(2**30) is None
    for table in (ProcTable(), PsTable()):
        assert table.find(2**30) is None
        assert table.environment(2**30) == b""
        assert not table.writes_to(2**30, 1)


def test_a_system_without_ps_has_no_processes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert PsTable().all() == []


def test_this_system_has_proc() -> None:
    assert isinstance(process_table(), ProcTable)
