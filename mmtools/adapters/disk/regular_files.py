"""Regular files, opened without ever opening anything else, and locked against other writers."""

from __future__ import annotations

import os
import time
from typing import Self

from mmtools.adapters.disk.directory_handles import SAFELY, DirectoryHandle
from mmtools.adapters.disk.file_errors import refuse_irregular
from mmtools.adapters.disk.file_locks import lock_before, release
from mmtools.adapters.disk.followed_paths import is_opened_from, name_of, parent_of
from mmtools.ports.files import Locked, Place

__all__ = ["LockedFile", "open_to_read"]

#: 256 KiB: stays in a core's cache; larger pieces are no faster.
_COMPARED_AT_ONCE = 1 << 18


class LockedFile:
    """
    A file open for reading and writing, with the lock that all writers of our kind take.

    Closed and unlocked at the end of the `with` block.

    Args:
        directory: Holds the directory of `place`.
        deadline: On the monotonic clock: until when to wait for the lock.

    Raises:
        Locked: It was not had in time.
        IsDirectory, NotRegularFile, Changed, OSError: As for `open_to_read`.
    """

    def __init__(self, directory: DirectoryHandle, place: Place, deadline: float) -> None:
        self.directory = directory
        self.name = name_of(place.path)
        while True:
            self.fd, _ = _open_regular(self.name, directory.fd, place, os.O_RDWR)
            try:
                if not lock_before(self.fd, deadline):
                    raise Locked(place)
                #: As it is once the lock is had.
                self.status = os.fstat(self.fd)
            except BaseException:
                release(self.fd)
                raise
            # Who had the lock before has probably put another file in its place.
            if self.status.st_nlink:
                return
            release(self.fd)
            if time.monotonic() >= deadline:
                raise Locked(place)

    def holds(self, data: bytes) -> bool:
        """Whether the file's bytes are these, by reading them all: no time stamp tells as surely."""
        if self.status.st_size != len(data):
            return False
        position = 0
        while position < len(data):
            piece = os.read(self.fd, min(len(data) - position, _COMPARED_AT_ONCE))
            if not piece or not data.startswith(piece, position):
                return False
            position += len(piece)
        return True

    def is_untouched(self) -> bool:
        """Whether its name leads to it, and nobody wrote, linked or changed it since it was locked."""
        now, then = self.directory.stat(self.name), self.status
        return (
            now.st_ctime_ns == then.st_ctime_ns
            and now.st_mtime_ns == then.st_mtime_ns
            and now.st_size == then.st_size
            and now.st_ino == then.st_ino
            and now.st_dev == then.st_dev
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        release(self.fd)


def open_to_read(place: Place) -> tuple[int, os.stat_result]:
    """
    Open the file at a place, if it is a regular one; a pipe, device or socket is not even opened.

    Raises:
        IsDirectory, NotRegularFile, Changed: As `refuse_irregular` says.
        OSError: The system's refusal.
    """
    fd, status = _open_regular(place.path, None, place, os.O_RDONLY)
    if is_opened_from(place.path, fd):
        return fd, status
    os.close(fd)
    # Renamed this moment, or reached through a new link: the directory's own path tells which.
    with DirectoryHandle.at(parent_of(place.path)) as directory:
        return _open_regular(name_of(place.path), directory.fd, place, os.O_RDONLY)


def _open_regular(name: str, directory_fd: int | None, place: Place, flags: int) -> tuple[int, os.stat_result]:
    refuse_irregular(os.stat(name, dir_fd=directory_fd, follow_symlinks=False).st_mode, place)
    fd = os.open(name, flags | SAFELY, dir_fd=directory_fd)
    try:
        status = os.fstat(fd)
        refuse_irregular(status.st_mode, place)
    except BaseException:
        os.close(fd)
        raise
    return fd, status
