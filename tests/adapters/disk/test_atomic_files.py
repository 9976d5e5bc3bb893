"""One step for everybody, on file systems of every kind."""

from __future__ import annotations

import errno
import os
import threading
import time
from pathlib import Path

import pytest

from mmtools.adapters.disk.atomic_files import create_file, replace_file
from mmtools.adapters.disk.directory_handles import DirectoryHandle
from mmtools.ports.files import Changed, Locked, Place, Replaced
from tests.adapters.circumstances import RefusingDirectory, facts, file_size_limit


def place(path: Path) -> Place:
    return Place(path.name, str(path))


def replace(
    path: Path, old: bytes, new: bytes, *, directory: DirectoryHandle | None = None, wait_s: float = 30
) -> Replaced:
    with directory or DirectoryHandle.at(str(path.parent)) as there:
        return replace_file(there, place(path), old, new, deadline=time.monotonic() + wait_s, durable=False)


def create(path: Path, data: bytes, *, directory: DirectoryHandle | None = None, wait_s: float = 30) -> None:
    with directory or DirectoryHandle.at(str(path.parent)) as there:
        create_file(there, place(path), data, deadline=time.monotonic() + wait_s, durable=False)


def refusing(folder: Path, call: str, error: int) -> RefusingDirectory:
    directory = RefusingDirectory.at(str(folder))
    directory.refused, directory.error = call, error
    return directory


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "f").write_bytes(b"old")
    (tmp_path / "f").chmod(0o640)
    return tmp_path / "f"


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("rename", errno.EBUSY),
        ("rename", errno.EPERM),
        ("rename", errno.EACCES),
        ("create", errno.EACCES),
        ("create", errno.EPERM),
        ("create", errno.EROFS),
    ],
)
def test_where_no_file_can_take_its_place_it_is_written_in_place(file: Path, call: str, error: int) -> None:
    inode = file.stat().st_ino
    assert replace(file, b"old", b"new!", directory=refusing(file.parent, call, error)) == Replaced(in_place=True)
    assert facts(file).data == b"new!"
    assert file.stat().st_ino == inode
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize(("call", "error"), [("rename", errno.EIO), ("create", errno.ENOSPC), ("create", errno.EDQUOT)])
def test_where_the_disk_fails_nothing_is_written(file: Path, call: str, error: int) -> None:
    before = facts(file)
    with pytest.raises(OSError, match=os.strerror(error)):
        replace(file, b"old", b"new!", directory=refusing(file.parent, call, error))
    assert facts(file) == before
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize("error", [errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK])
def test_where_there_are_no_links_a_new_file_still_replaces_nothing(tmp_path: Path, error: int) -> None:
    create(tmp_path / "f", b"new", directory=refusing(tmp_path, "link", error))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"f": b"new"}
    with pytest.raises(Changed):
        create(tmp_path / "f", b"newer", directory=refusing(tmp_path, "link", error))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"f": b"new"}


def test_where_there_are_no_links_one_of_many_creators_wins(tmp_path: Path) -> None:
    won: list[bytes] = []

    def run(data: bytes) -> None:
        try:
            create(tmp_path / "f", data, directory=refusing(tmp_path, "link", errno.EPERM))
        except Changed:
            return
        won.append(data)

    threads = [threading.Thread(target=run, args=(b"%d" % number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(won) == 1
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"f": won[0]}


def test_where_there_are_no_links_creators_wait_for_one_another(tmp_path: Path) -> None:
    with DirectoryHandle.at(str(tmp_path)) as directory, directory.locked(0.0), pytest.raises(Locked):
        create(tmp_path / "f", b"new", directory=refusing(tmp_path, "link", errno.EPERM), wait_s=0.05)
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_cannot_be_given_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        create(tmp_path / "f", b"new", directory=refusing(tmp_path, "link", errno.EIO))
    assert list(tmp_path.iterdir()) == []


def test_a_new_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with file_size_limit(10), pytest.raises(OSError, match="File too large"):
        create(tmp_path / "f", b"x" * 100)
    assert list(tmp_path.iterdir()) == []


class MeddledDirectory(DirectoryHandle):
    """A directory where somebody does something to the file in the last moment: between comparison and rename."""

    meddling = ""
    times = 1

    def stat(self, name: str) -> os.stat_result:
        if self.meddling and self.times:
            self.times -= 1
            path = Path(self.path, name)
            time.sleep(0.02)
            match self.meddling:
                case "touch":
                    path.touch()
                case "chmod":
                    path.chmod(0o600)
                case "write":
                    path.write_bytes(b"odd")
                case "link":
                    path.with_name("g").hardlink_to(path)
                case "remove":
                    path.unlink()
        return super().stat(name)


def meddled(folder: Path, meddling: str, times: int = 1) -> MeddledDirectory:
    directory = MeddledDirectory.at(str(folder))
    directory.meddling, directory.times = meddling, times
    return directory


def test_a_touch_in_the_last_moment_costs_nothing(file: Path) -> None:
    assert replace(file, b"old", b"new", directory=meddled(file.parent, "touch")) == Replaced()
    assert file.read_bytes() == b"new"


def test_a_touch_in_the_last_moment_costs_nothing_in_place_either(file: Path) -> None:
    file.with_name("g").hardlink_to(file)
    assert replace(file, b"old", b"new", directory=meddled(file.parent, "touch")) == Replaced(in_place=True)
    assert file.read_bytes() == b"new"
    assert sorted(file.parent.iterdir()) == [file, file.with_name("g")]


def test_a_mode_set_in_the_last_moment_is_kept(file: Path) -> None:
    replace(file, b"old", b"new", directory=meddled(file.parent, "chmod"))
    assert (facts(file).data, facts(file).mode) == (b"new", 0o600)


def test_a_name_given_in_the_last_moment_is_kept(file: Path) -> None:
    assert replace(file, b"old", b"new", directory=meddled(file.parent, "link")) == Replaced(in_place=True)
    assert file.read_bytes() == file.with_name("g").read_bytes() == b"new"
    assert file.samefile(file.with_name("g"))


def test_bytes_written_in_the_last_moment_are_kept(file: Path) -> None:
    with pytest.raises(Changed):
        replace(file, b"old", b"new", directory=meddled(file.parent, "write"))
    assert file.read_bytes() == b"odd"
    assert list(file.parent.iterdir()) == [file]


def test_a_file_removed_in_the_last_moment_is_not_brought_back(file: Path) -> None:
    with pytest.raises(FileNotFoundError):
        replace(file, b"old", b"new", directory=meddled(file.parent, "remove"))
    assert list(file.parent.iterdir()) == []


def test_a_file_that_is_never_left_alone_ends_the_attempts(file: Path) -> None:
    with pytest.raises(Locked):
        replace(file, b"old", b"new", directory=meddled(file.parent, "touch", times=10_000), wait_s=0.2)
    assert file.read_bytes() == b"old"
    assert list(file.parent.iterdir()) == [file]
