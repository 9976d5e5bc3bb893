"""What is written in place can be brought back, and its old bytes are never nowhere."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from pathlib import Path

import pytest

from mmtools.adapters.disk.directory_handles import DirectoryHandle
from mmtools.adapters.disk.files_in_place import Backup, back_up, write_in_place
from mmtools.ports.files import Place, WriteFailed
from tests.adapters.circumstances import RefusingDirectory, file_size_limit

OLD = b"old bytes\n" * 50
PLACE = Place("f", "/repo/f")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "f").write_bytes(OLD)
    return tmp_path / "f"


def aside(file: Path, *, durable: bool = False) -> Backup:
    with DirectoryHandle.at(str(file.parent)) as directory:
        return back_up(directory, file.name, file.read_bytes(), durable=durable)


@pytest.mark.parametrize("new", [b"", b"short", OLD, OLD * 100])
@pytest.mark.parametrize("durable", [False, True])
def test_a_finished_write_leaves_the_new_bytes_and_no_copy(file: Path, new: bytes, durable: bool) -> None:
    with open(file, "r+b", buffering=0) as stream:
        stream.seek(3)
        write_in_place(stream.fileno(), OLD, new, copy=aside(file), place=PLACE, durable=durable)
    assert file.read_bytes() == new
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize("limit", [len(OLD), len(OLD) + 1, 4096])
def test_a_failed_write_brings_the_old_bytes_back(file: Path, limit: int) -> None:
    copy = aside(file)
    with (
        open(file, "r+b", buffering=0) as stream,
        file_size_limit(limit),
        pytest.raises(OSError, match=os.strerror(errno.EFBIG)),
    ):
        write_in_place(stream.fileno(), OLD, b"n" * 100_000, copy=copy, place=PLACE, durable=False)
    assert file.read_bytes() == OLD
    assert list(file.parent.iterdir()) == [file]


def test_when_nothing_can_be_brought_back_the_copy_stays_and_is_named(file: Path) -> None:
    copy = aside(file)
    with open(file, "rb") as stream, pytest.raises(WriteFailed) as failure:
        write_in_place(stream.fileno(), OLD, b"new", copy=copy, place=PLACE, durable=False)
    assert copy.path in failure.value.reason
    assert Path(copy.path).read_bytes() == OLD


@pytest.mark.parametrize("name", ["f", "a file.txt", "é" * 127, "\U0001f600" * 63, "x" * 255, "\udcff" * 200])
@pytest.mark.parametrize("durable", [False, True])
def test_the_copy_lies_beside_the_file_under_a_name_that_tells(tmp_path: Path, name: str, durable: bool) -> None:
    with DirectoryHandle.at(str(tmp_path)) as directory:
        copy = Path(back_up(directory, name, OLD, durable=durable).path)
    assert copy.parent == tmp_path
    assert copy.name.startswith(f".{name[:40]}" if "\udcff" not in name else ".")
    assert copy.name.endswith(".mmtools-old")
    assert copy.read_bytes() == OLD
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [copy]


@pytest.mark.parametrize("error", [errno.EACCES, errno.EPERM, errno.EROFS])
def test_where_the_directory_takes_no_file_the_copy_goes_to_the_temporary_one(tmp_path: Path, error: int) -> None:
    with RefusingDirectory.at(str(tmp_path)) as directory:
        directory.refused, directory.error = "create", error
        copy = back_up(directory, "f", OLD, durable=False)
    assert Path(copy.path).parent == Path(tempfile.gettempdir()).resolve()
    assert Path(copy.path).read_bytes() == OLD
    copy.drop()
    assert not os.path.lexists(copy.path)


def test_without_room_for_the_copy_nothing_is_left(tmp_path: Path) -> None:
    with (
        DirectoryHandle.at(str(tmp_path)) as directory,
        file_size_limit(10),
        pytest.raises(OSError, match=os.strerror(errno.EFBIG)),
    ):
        back_up(directory, "f", OLD, durable=False)
    assert list(tmp_path.iterdir()) == []
