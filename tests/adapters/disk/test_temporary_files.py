"""What is ours is gone when we are done with it, and when we were killed."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.disk.directory_handles import DirectoryHandle
from mmtools.adapters.disk.file_locks import release, try_lock
from mmtools.adapters.disk.temporary_files import Sweeper, TemporaryFile, is_temporary, write_all
from tests.adapters.circumstances import file_size_limit, leave_behind


def held(path: Path) -> DirectoryHandle:
    return DirectoryHandle.at(str(path))


def sweep(path: Path, sweeper: Sweeper | None = None) -> None:
    with held(path) as directory:
        (sweeper or Sweeper()).sweep(directory)


@pytest.mark.parametrize("failing", [False, True])
def test_it_is_gone_at_the_end(tmp_path: Path, failing: bool) -> None:
    try:
        with held(tmp_path) as directory, TemporaryFile(directory, 0o600) as file:
            file.write(b"bytes", durable=False)
            assert (tmp_path / file.name).read_bytes() == b"bytes"
            assert is_temporary(file.name)
            if failing:
                raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("durable", [False, True])
def test_renamed_it_stays_and_replaces(tmp_path: Path, durable: bool) -> None:
    (tmp_path / "f").write_bytes(b"old")
    with held(tmp_path) as directory, TemporaryFile(directory, 0o600) as file:
        file.write(b"new", durable=durable)
        file.rename("f")
    assert [path.name for path in tmp_path.iterdir()] == ["f"]
    assert (tmp_path / "f").read_bytes() == b"new"


def test_linked_it_stays_and_replaces_nothing(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"old")
    with held(tmp_path) as directory, TemporaryFile(directory, 0o600) as file:
        with pytest.raises(FileExistsError):
            file.link("f")
        file.link("g")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"f": b"old", "g": b""}
    assert (tmp_path / "g").stat().st_nlink == 1


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o027, 0o077])
def test_the_umask_is_taken_off_by_the_system(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        with held(tmp_path) as directory, TemporaryFile(directory, 0o666) as file:
            assert stat.S_IMODE(os.fstat(file.fd).st_mode) == 0o666 & ~umask
            assert file.status.st_mode == os.fstat(file.fd).st_mode
    finally:
        os.umask(before)


def test_short_writes_are_gone_on_with_and_what_fails_is_told(tmp_path: Path) -> None:
    for size in (0, 1, 4096, 4097, 100_000):
        with open(tmp_path / "f", "wb") as stream, file_size_limit(4096):
            if size <= 4096:
                write_all(stream.fileno(), b"x" * size)
            else:
                with pytest.raises(OSError, match="File too large"):
                    write_all(stream.fileno(), b"x" * size)
        assert (tmp_path / "f").read_bytes() == b"x" * min(size, 4096)


def test_a_pipe_that_takes_little_gets_everything() -> None:
    reader, writer = os.pipe()
    os.set_blocking(reader, True)
    got: list[bytes] = []
    reading = threading.Thread(target=lambda: got.extend(iter(lambda: os.read(reader, 1000), b"")))
    reading.start()
    write_all(writer, bytes(range(256)) * 4000)
    os.close(writer)
    reading.join(30)
    os.close(reader)
    assert b"".join(got) == bytes(range(256)) * 4000


def test_what_a_killed_process_left_is_swept(tmp_path: Path) -> None:
    leave_behind(tmp_path)
    leave_behind(tmp_path, "f" * 16)
    (tmp_path / "f").touch()
    sweep(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["f"]


def test_what_a_living_process_writes_is_not_swept(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from mmtools.adapters.disk.directory_handles import DirectoryHandle\n"
        "from mmtools.adapters.disk.temporary_files import TemporaryFile\n"
        "with DirectoryHandle.at(sys.argv[1]) as directory, TemporaryFile(directory, 0o600) as file:\n"
        "    print(file.name, flush=True)\n"
        "    sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        name = writer.stdout.readline().strip()
        sweep(tmp_path)
        assert (tmp_path / name).exists()
        writer.kill()
    assert (tmp_path / name).exists()
    sweep(tmp_path)
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize(
    "name",
    [
        ".mmtools-tmp",
        "0123456789abcdef.mmtools-tmp",
        ".0123456789abcde.mmtools-tmp",
        ".0123456789abcdef0.mmtools-tmp",
        ".0123456789ABCDEF.mmtools-tmp",
        ".0123456789abcdef.mmtools-tmp~",
        ".0123456789abcdef.mmtools-tmp\n",
        ".0123456789abcdef.mmtools-old",
        ".f.0123456789abcdef.mmtools-old",
        "x.0123456789abcdef.mmtools-tmp",
    ],
)
def test_what_only_looks_like_ours_is_not_swept(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    sweep(tmp_path)
    assert (tmp_path / name).exists()


@given(st.text())
def test_no_name_of_others_is_taken_for_ours(name: str) -> None:
    assert not is_temporary(name)


def test_a_link_under_our_name_is_not_followed_and_stops_no_sweep(tmp_path: Path) -> None:
    (tmp_path / "precious").write_bytes(b"precious")
    (tmp_path / ".0000000000000000.mmtools-tmp").symlink_to("precious")
    (tmp_path / ".0000000000000001.mmtools-tmp").mkdir()
    left = leave_behind(tmp_path)
    sweep(tmp_path)
    assert not left.exists()
    assert (tmp_path / "precious").read_bytes() == b"precious"


def test_after_our_own_write_only_a_change_by_others_is_looked_for(tmp_path: Path) -> None:
    sweeper = Sweeper()
    with held(tmp_path) as directory:
        sweeper.sweep(directory)
        with TemporaryFile(directory, 0o600) as file:
            file.rename("f")
        sweeper.settle(directory)
        time.sleep(0.02)
        left = leave_behind(tmp_path)
        sweeper.sweep(directory)
    assert not left.exists()


def test_what_was_left_while_we_wrote_goes_within_a_few_writes(tmp_path: Path) -> None:
    sweeper = Sweeper()
    with held(tmp_path) as directory:
        sweeper.sweep(directory)
        left = leave_behind(tmp_path)
        for _ in range(20):
            sweeper.settle(directory)
            sweeper.sweep(directory)
    assert not left.exists()


@pytest.mark.slow
def test_a_writer_and_a_sweeper_never_meet(tmp_path: Path) -> None:
    done = threading.Event()

    def keep_sweeping() -> None:
        while not done.is_set():
            sweep(tmp_path)

    sweeping = threading.Thread(target=keep_sweeping)
    sweeping.start()
    try:
        with held(tmp_path) as directory:
            for number in range(300):
                with TemporaryFile(directory, 0o600) as file:
                    file.write(b"%d" % number, durable=False)
                    file.rename("f")
                assert (tmp_path / "f").read_bytes() == b"%d" % number
    finally:
        done.set()
        sweeping.join()
    assert [path.name for path in tmp_path.iterdir()] == ["f"]


def test_the_lock_is_held_while_it_is_written(tmp_path: Path) -> None:
    with held(tmp_path) as directory:
        with TemporaryFile(directory, 0o600) as file:
            fd = os.open(tmp_path / file.name, os.O_RDONLY)
            assert not try_lock(fd)
        assert try_lock(fd)
        release(fd)
