"""
Files under our own names, for bytes on their way; what a killed process leaves of them is swept.

Whoever writes a temporary file holds its lock. A name of ours whose lock is free belongs to nobody.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import Self

from mmtools.adapters.disk.directory_handles import DirectoryHandle
from mmtools.adapters.disk.file_locks import release, try_lock

__all__ = ["Sweeper", "TemporaryFile", "is_temporary", "write_all"]

_SUFFIX = ".mmtools-tmp"
_NAME = re.compile(r"\.[0-9a-f]{16}\.mmtools-tmp\Z")
#: Listing 30 names takes a tenth of the time of a write: a listing every 16 writes does not show.
_TRUSTED_WRITES = 16
_MANY_DIRECTORIES = 1024
_UNKNOWN = (0, 0)


class TemporaryFile:
    """
    A new file under a name of ours; at the end of the `with` block it is gone, unless renamed.

    Args:
        mode: As for `os.open`: the system takes the umask off.
    """

    def __init__(self, directory: DirectoryHandle, mode: int) -> None:
        self._directory = directory
        self._is_ours = True
        self.name, self.fd, self.status = _make_locked(directory, mode)

    def write(self, data: bytes, *, durable: bool) -> None:
        """Write all of `data`; when `durable`, it is on disk when this returns."""
        write_all(self.fd, data)
        if durable:
            os.fsync(self.fd)

    def rename(self, name: str) -> None:
        """Become the file `name`; what was there is replaced in the same instant."""
        self._directory.rename(self.name, name)
        self._is_ours = False

    def link(self, name: str) -> None:
        """
        Become the file `name`, if nothing is there.

        Raises:
            FileExistsError: Something is.
        """
        self._directory.link(self.name, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self._is_ours:
                with suppress(FileNotFoundError):
                    self._directory.unlink(self.name)
        finally:
            release(self.fd)


class Sweeper:
    """
    A remover of temporary files that no living process writes.

    A directory is listed when others have changed it since our last write there, and every few writes
    in any case: what is left while we write ourselves does not show in its time of change.
    """

    def __init__(self) -> None:
        #: Per path: when it had changed after our last write there, and our writes since it was listed.
        self._known: dict[str, tuple[int, int]] = {}

    def sweep(self, directory: DirectoryHandle) -> None:
        """Remove what was left here; a directory that cannot be listed stays as it is."""
        changed_ns, writes = self._known.get(directory.path, _UNKNOWN)
        if 0 < writes < _TRUSTED_WRITES and changed_ns == _changed_ns(directory):
            return
        self._known.pop(directory.path, None)
        try:
            names = directory.names()
        except OSError:
            return
        if _SUFFIX in "/".join(names):
            for name in filter(is_temporary, names):
                with suppress(OSError):
                    _remove_if_free(directory, name)

    def settle(self, directory: DirectoryHandle) -> None:
        """Take the directory as swept after a write of our own."""
        _, writes = self._known.get(directory.path, _UNKNOWN)
        if len(self._known) >= _MANY_DIRECTORIES:
            self._known.clear()
        self._known[directory.path] = (_changed_ns(directory), writes + 1)


def is_temporary(name: str) -> bool:
    """Whether a name is one that only a `TemporaryFile` has."""
    return _NAME.match(name) is not None


def write_all(fd: int, data: bytes) -> None:
    """Write all of `data` where the file stands, however little the system takes at once."""
    written = os.write(fd, data)
    while written < len(data):
        written += os.write(fd, memoryview(data)[written:])


def _make_locked(directory: DirectoryHandle, mode: int) -> tuple[str, int, os.stat_result]:
    while True:
        name = f".{os.urandom(8).hex()}{_SUFFIX}"
        fd = directory.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        kept = False
        try:
            # A sweeper may have found the name before the lock was ours: then there is no name any more.
            if try_lock(fd) and (status := os.fstat(fd)).st_nlink:
                kept = True
                return name, fd, status
        finally:
            if not kept:
                os.close(fd)
                with suppress(FileNotFoundError):
                    directory.unlink(name)


def _changed_ns(directory: DirectoryHandle) -> int:
    return os.fstat(directory.fd).st_mtime_ns


def _remove_if_free(directory: DirectoryHandle, name: str) -> None:
    fd = directory.open(name, os.O_RDONLY)
    try:
        if try_lock(fd):
            directory.unlink(name)
    finally:
        release(fd)
