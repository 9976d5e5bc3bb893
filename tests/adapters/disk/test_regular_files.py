"""Only regular files are opened, and one writer has them at a time."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mmtools.adapters.disk.directory_handles import DirectoryHandle
from mmtools.adapters.disk.file_locks import release, try_lock
from mmtools.adapters.disk.regular_files import LockedFile, open_to_read
from mmtools.ports.files import Changed, IsDirectory, Locked, NotRegularFile, Place


def place(path: Path) -> Place:
    return Place(path.name, str(path))


def held(path: Path) -> DirectoryHandle:
    return DirectoryHandle.at(str(path.parent))


def soon() -> float:
    return time.monotonic() + 30


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "f").write_bytes(b"bytes")
    return tmp_path / "f"


def test_a_pipe_is_not_opened_by_reading_or_writing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for opening in (
        lambda: open_to_read(place(tmp_path / "pipe")),
        lambda: LockedFile(held(tmp_path / "pipe"), place(tmp_path / "pipe"), soon()),
    ):
        # A writer waits until somebody reads: one that finds nobody tells that nobody ever did.
        with pytest.raises(NotRegularFile):
            opening()
        with pytest.raises(OSError, match="No such device or address"):
            os.open(tmp_path / "pipe", os.O_WRONLY | os.O_NONBLOCK)


@pytest.mark.parametrize("number", range(20))
def test_what_is_refused_leaves_nothing_open(tmp_path: Path, number: int) -> None:
    (tmp_path / "link").symlink_to("d")
    (tmp_path / "d").mkdir()
    (tmp_path / "d/f").touch()
    before = set(os.listdir("/dev/fd"))
    for path, kind in (("d", IsDirectory), ("link", Changed), ("link/f", OSError), ("none", FileNotFoundError)):
        with pytest.raises(kind):
            open_to_read(place(tmp_path / path))
    with held(tmp_path / "d") as directory, pytest.raises(IsDirectory):
        LockedFile(directory, place(tmp_path / "d"), soon())
    assert set(os.listdir("/dev/fd")) == before


def test_reading_never_meets_a_link_where_a_file_is_replaced_all_the_time(file: Path) -> None:
    done = threading.Event()

    def replace() -> None:
        while not done.is_set():
            (file.parent / "new").write_bytes(b"bytes")
            os.replace(file.parent / "new", file)

    busy = threading.Thread(target=replace)
    busy.start()
    try:
        for _ in range(500):
            fd, status = open_to_read(place(file))
            assert os.read(fd, 99) == b"bytes"
            assert status.st_size == 5
            os.close(fd)
    finally:
        done.set()
        busy.join()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=20), other=st.binary(max_size=20))
def test_a_file_holds_its_bytes_and_no_others(file: Path, data: bytes, other: bytes) -> None:
    file.write_bytes(data)
    for asked in (data, other):
        with held(file) as directory, LockedFile(directory, place(file), soon()) as locked:
            assert locked.holds(asked) == (asked == data)


@pytest.mark.parametrize("size", [2**18 - 1, 2**18, 2**18 + 1, 2**20 + 7])
def test_one_byte_makes_the_difference_wherever_it_is(file: Path, size: int) -> None:
    data = os.urandom(size)
    file.write_bytes(data)
    for at in (0, size // 2, size - 1, 2**18 - 2):
        other = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        for asked in (other, data):
            with held(file) as directory, LockedFile(directory, place(file), soon()) as locked:
                assert locked.holds(asked) == (asked is data)


def grow(path: Path) -> None:
    path.write_bytes(b"bytes and more")


def rewrite(path: Path) -> None:
    path.write_bytes(b"other")


def put_another_there(path: Path) -> None:
    path.with_name("g").write_bytes(b"bytes")
    path.with_name("g").replace(path)


def link(path: Path) -> None:
    path.with_name("g").hardlink_to(path)


@pytest.mark.parametrize("change", [grow, rewrite, put_another_there, link, lambda path: path.chmod(0o600), Path.touch])
def test_whatever_is_done_to_a_locked_file_shows(file: Path, change: Callable[[Path], None]) -> None:
    with held(file) as directory, LockedFile(directory, place(file), soon()) as locked:
        assert locked.holds(b"bytes")
        assert locked.is_untouched()
        time.sleep(0.02)
        change(file)
        assert not locked.is_untouched()


def test_the_lock_is_waited_for_and_given_back(file: Path) -> None:
    fd = os.open(file, os.O_RDONLY)
    assert try_lock(fd)
    with held(file) as directory:
        with pytest.raises(Locked):
            LockedFile(directory, place(file), time.monotonic() + 0.05)
        release(fd)
        for _ in range(2):
            with LockedFile(directory, place(file), 0.0):
                pass


def test_who_waited_gets_the_file_that_is_there_now(file: Path) -> None:
    fd = os.open(file, os.O_RDONLY)
    assert try_lock(fd)
    seen: list[bool] = []

    def wait() -> None:
        with held(file) as directory, LockedFile(directory, place(file), soon()) as locked:
            seen.append(locked.holds(b"the new file"))

    waiting = threading.Thread(target=wait)
    waiting.start()
    time.sleep(0.02)
    file.with_name("g").write_bytes(b"the new file")
    file.with_name("g").replace(file)
    release(fd)
    waiting.join(30)
    assert seen == [True]
