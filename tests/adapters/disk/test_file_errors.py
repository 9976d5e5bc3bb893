"""Every error of the system becomes a problem of the port, with its words."""

from __future__ import annotations

import errno
import os
import socket
import tempfile
from pathlib import Path

import pytest

from mmtools.adapters.disk.file_errors import refuse_irregular, while_reading, while_writing
from mmtools.ports.files import (
    AccessDenied,
    BadPath,
    Changed,
    FileProblem,
    IsDirectory,
    Missing,
    NotRegularFile,
    ParentNotDirectory,
    Place,
    WriteFailed,
)

PLACE = Place("a/b", "/repo/a/b")
BOTH: dict[int, type[FileProblem]] = {
    errno.EISDIR: IsDirectory,
    errno.ENOTDIR: ParentNotDirectory,
    errno.ELOOP: Changed,
    errno.ENAMETOOLONG: BadPath,
    errno.EACCES: AccessDenied,
    errno.EPERM: AccessDenied,
    errno.EROFS: AccessDenied,
    errno.ETXTBSY: AccessDenied,
}


def error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


@pytest.mark.parametrize("number", sorted(errno.errorcode))
def test_every_error_has_its_problem(number: int) -> None:
    read, write = while_reading(error(number), PLACE), while_writing(error(number), PLACE)
    assert type(read) is BOTH.get(number, Missing if number == errno.ENOENT else AccessDenied)
    assert type(write) is BOTH.get(number, Changed if number == errno.ENOENT else WriteFailed)
    for problem in (read, write):
        assert problem.place == PLACE
        assert problem.reason or isinstance(problem, Missing | IsDirectory)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EDQUOT])
def test_a_failed_write_keeps_the_systems_words(number: int) -> None:
    assert while_writing(error(number), PLACE).reason == os.strerror(number)


def test_the_file_that_stands_where_a_directory_should_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for path in ("file/x", "file/x/y", "file/x/y/z"):
        place = Place(path, str(tmp_path / path))
        assert while_reading(error(errno.ENOTDIR), place).reason == str(tmp_path / "file")


def test_only_regular_files_pass(tmp_path: Path) -> None:
    (tmp_path / "regular").write_bytes(b"")
    refuse_irregular((tmp_path / "regular").lstat().st_mode, PLACE)
    (tmp_path / "link").symlink_to("regular")
    os.mkfifo(tmp_path / "pipe")
    # A socket's path has little room: not every temporary directory of a test is short enough.
    with tempfile.TemporaryDirectory() as short, socket.socket(socket.AF_UNIX) as server:
        server.bind(f"{short}/socket")
        kinds: list[tuple[Path, type[FileProblem], str]] = [
            (tmp_path, IsDirectory, ""),
            (tmp_path / "link", Changed, "its path leads elsewhere now"),
            (tmp_path / "pipe", NotRegularFile, "named pipe"),
            (Path(short, "socket"), NotRegularFile, "socket"),
            (Path("/dev/null"), NotRegularFile, "character device"),
        ]
        for path, kind, reason in kinds:
            with pytest.raises(kind) as refusal:
                refuse_irregular(path.lstat().st_mode, PLACE)
            assert refusal.value.reason == reason
    with pytest.raises(NotRegularFile, match="block device"):
        refuse_irregular(0o060644, PLACE)
