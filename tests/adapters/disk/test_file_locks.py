"""A lock keeps out threads and processes alike, and ends with its holder."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

from mmtools.adapters.disk.file_locks import lock_before, release, try_lock
from tests.adapters.circumstances import HOLD


def opened(path: Path) -> int:
    path.touch()
    return os.open(path, os.O_RDONLY)


def test_two_opens_in_one_thread_exclude_each_other(tmp_path: Path) -> None:
    first, second = opened(tmp_path / "f"), opened(tmp_path / "f")
    assert try_lock(first)
    assert try_lock(first)
    assert not try_lock(second)
    release(first)
    assert try_lock(second)
    release(second)


def test_another_process_keeps_us_out_until_it_dies(tmp_path: Path) -> None:
    mine = opened(tmp_path / "f")
    command = [sys.executable, "-c", HOLD, str(tmp_path / "f")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        begun = time.monotonic()
        assert not lock_before(mine, begun + 0.1)
        assert time.monotonic() >= begun + 0.1
        holder.kill()
        assert lock_before(mine, time.monotonic() + 30)
    release(mine)


def test_a_deadline_in_the_past_still_takes_a_free_lock(tmp_path: Path) -> None:
    mine = opened(tmp_path / "f")
    assert lock_before(mine, 0.0)
    release(mine)


def test_the_next_one_waiting_gets_the_lock(tmp_path: Path) -> None:
    first, second = opened(tmp_path / "f"), opened(tmp_path / "f")
    assert try_lock(first)
    had: list[bool] = []
    waiting = threading.Thread(target=lambda: had.append(lock_before(second, time.monotonic() + 30)))
    waiting.start()
    time.sleep(0.02)
    assert had == []
    release(first)
    waiting.join(30)
    assert had == [True]
    release(second)


def test_a_child_that_shares_the_file_does_not_keep_the_lock(tmp_path: Path) -> None:
    first, second = opened(tmp_path / "f"), opened(tmp_path / "f")
    assert try_lock(first)
    command = [sys.executable, "-c", "import sys; print(flush=True); sys.stdin.read()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=[first]) as child:
        assert child.stdout is not None
        child.stdout.readline()
        release(first)
        assert try_lock(second)
        child.kill()
    release(second)
