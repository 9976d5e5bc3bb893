"""Files of a real disk, when the process that replaces one is killed, or is one of many."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import kill_during_edit
from benchmarks.concurrent_edits import concurrent_rounds
from mmtools.adapters.local_files import LocalFiles
from tests.adapters.circumstances import facts, names, read, replace

pytestmark = pytest.mark.slow

#: For each number read, a child replaces a file and is killed at that step: before one of the calls that open,
#: lock, rename, link, remove or cut.
REPLACES = """
import os, signal, sys
from mmtools.adapters.local_files import LocalFiles

def replace(root, path, steps):
    files = LocalFiles(root)
    before = files.snapshot(files.locate(path))

    def die_at_step(event, arguments):
        nonlocal steps
        steps -= event == "open" or event.startswith(("os.", "fcntl."))
        if steps < 0 and event != "os.kill":
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(die_at_step)
    files.replace(before, b"new")

for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        replace(sys.argv[1], sys.argv[2], int(line))
        os._exit(0)
    print(os.waitpid(pid, 0)[1], flush=True)
"""
OLD = b"old bytes, more of them"


class Victim:
    """A program that replaces one file again and again, and is killed one step later each time."""

    def __init__(self, root: Path, path: str) -> None:
        self._command = [sys.executable, "-c", REPLACES, str(root), path]

    def __enter__(self) -> Callable[[int], bool]:
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self._killed_at

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=60)

    def _killed_at(self, step: int) -> bool:
        """Whether it was killed before it was done."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{step}\n")
        self._process.stdin.flush()
        status = int(self._process.stdout.readline())
        assert status in (0, signal.SIGKILL)
        return status != 0


def test_a_kill_at_any_step_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    seen: list[bytes] = []
    (tmp_path / "f").write_bytes(OLD)
    killed = True
    with Victim(tmp_path, "f") as killed_at:
        while killed:
            (tmp_path / "f").write_bytes(OLD)
            (tmp_path / "f").chmod(0o640)
            killed = killed_at(len(seen))
            seen.append(facts(tmp_path / "f").data)
            assert facts(tmp_path / "f").mode == 0o640
            replace(LocalFiles(tmp_path), "f", b"after")
            assert names(tmp_path) == ["f"]
    assert set(seen) == {OLD, b"new"}
    assert seen == sorted(seen, reverse=True), "the new bytes came and went"
    assert len(seen) > 10


@pytest.mark.parametrize("parents_stay", [False, True])
def test_a_kill_at_any_step_leaves_no_file_or_the_new_one(tmp_path: Path, parents_stay: bool) -> None:
    seen: list[bytes | None] = []
    killed = True
    with Victim(tmp_path, "d/e/f") as killed_at:
        while killed:
            killed = killed_at(len(seen))
            seen.append(read(LocalFiles(tmp_path), "d/e/f"))
            replace(LocalFiles(tmp_path), "d/e/f", b"after")
            assert (names(tmp_path), names(tmp_path / "d"), names(tmp_path / "d/e")) == (["d"], ["e"], ["f"])
            assert (tmp_path / "d/e/f").stat().st_nlink == 1
            (tmp_path / "d/e/f").unlink()
            if not parents_stay:
                (tmp_path / "d/e").rmdir()
                (tmp_path / "d").rmdir()
    assert set(seen) == {None, b"new"}
    assert len(seen) > 8


def test_a_kill_at_any_step_in_place_leaves_the_old_bytes_somewhere(tmp_path: Path) -> None:
    seen: list[bytes] = []
    (tmp_path / "f").write_bytes(OLD)
    (tmp_path / "g").hardlink_to(tmp_path / "f")
    killed = True
    with Victim(tmp_path, "f") as killed_at:
        while killed:
            (tmp_path / "f").write_bytes(OLD)
            killed = killed_at(len(seen))
            data = (tmp_path / "f").read_bytes()
            copies = list(tmp_path.glob(".f.*.mmtools-old"))
            assert data in (OLD, b"new") or [copy.read_bytes() for copy in copies] == [OLD]
            seen.append(data)
            for copy in copies:
                copy.unlink()
            replace(LocalFiles(tmp_path), "f", b"after")
            assert names(tmp_path) == ["f", "g"]
            assert os.path.samefile(tmp_path / "f", tmp_path / "g")
    assert {OLD, b"new"} < set(seen), "no kill fell between the bytes and the cut"


@pytest.mark.parametrize("hard_link", [False, True])
def test_a_kill_at_any_moment_leaves_the_old_bytes_or_the_new(hard_link: bool) -> None:
    command = [sys.executable, kill_during_edit.__file__, "--rounds=15", "--size-mb=5"]
    told = subprocess.run(
        [*command, "--hard-link"] if hard_link else command, check=True, timeout=600, capture_output=True, text=True
    ).stdout
    ends = {name: int(count) for name, count in re.findall(r"(\w+) (\d+)", told)}
    assert ends["torn"] == ends["kept"]
    assert hard_link or not ends["torn"]
    assert ends["left"] == 0
    assert ends["old"] + ends["new"] + ends["torn"] == 15


@pytest.mark.parametrize(("threads", "processes", "size"), [(16, 1, 0), (4, 4, 10_000)])
def test_no_update_is_lost_between_threads_and_processes(threads: int, processes: int, size: int) -> None:
    counts = concurrent_rounds(rounds=3, threads=threads, processes=processes, size=size)
    assert counts["written"] == 3 * threads * processes
    assert (counts["lost"], counts["torn"], counts["left"]) == (0, 0, 0)
