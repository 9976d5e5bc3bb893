"""Directories held open: a name looked up in one stays there, whatever is renamed or linked meanwhile."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Self

from mmtools.adapters.disk.file_locks import lock_before, release
from mmtools.adapters.disk.followed_paths import is_opened_from

__all__ = ["SAFELY", "DirectoryHandle", "hold_parents"]

#: No terminal becomes ours, no pipe keeps us waiting, no link is followed; close-on-exec is Python's default.
SAFELY = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
_LISTED = os.O_RDONLY | os.O_DIRECTORY
#: Enough to work in a directory, also in one that may be entered but not listed.
_ENTERED = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY


class DirectoryHandle:
    """
    One directory that is kept open, to act on names in it. Every method lets `OSError` out.

    Args:
        path: Absolute.
        fd: Open on it; closed with this object.
    """

    def __init__(self, path: str, fd: int) -> None:
        self.path = path
        self.fd = fd

    @classmethod
    def at(cls, path: str) -> Self:
        """
        Open the directory at a path that holds no symlink.

        Raises:
            OSError: With ELOOP when there is a symlink on the path after all.
        """
        fd = os.open(path, _ENTERED)
        try:
            if not is_opened_from(path, fd):
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
        except BaseException:
            os.close(fd)
            raise
        return cls(path, fd)

    def child(self, name: str) -> DirectoryHandle:
        """Open a directory in this one."""
        return DirectoryHandle(os.path.join(self.path, name), os.open(name, _ENTERED | os.O_NOFOLLOW, dir_fd=self.fd))

    def stat(self, name: str) -> os.stat_result:
        """Look at the name itself, not through a link."""
        return os.stat(name, dir_fd=self.fd, follow_symlinks=False)

    def has(self, name: str) -> bool:
        """Whether something is there, be it a dangling link."""
        try:
            self.stat(name)
        except FileNotFoundError:
            return False
        return True

    def open(self, name: str, flags: int, mode: int = 0o600) -> int:
        """Open a name, never through a link and never waiting."""
        return os.open(name, flags | SAFELY, mode, dir_fd=self.fd)

    def rename(self, old: str, new: str) -> None:
        """Give a file another name here; what had this name is replaced."""
        os.rename(old, new, src_dir_fd=self.fd, dst_dir_fd=self.fd)

    def link(self, old: str, new: str) -> None:
        """
        Give a file a second name here.

        Raises:
            FileExistsError: The name is taken.
        """
        os.link(old, new, src_dir_fd=self.fd, dst_dir_fd=self.fd, follow_symlinks=False)

    def unlink(self, name: str) -> None:
        """Remove a name."""
        os.unlink(name, dir_fd=self.fd)

    def names(self) -> list[str]:
        """List what is here, in no order."""
        with self._reopened() as fd:
            return os.listdir(fd)

    @contextmanager
    def locked(self, deadline: float) -> Iterator[bool]:
        """Hold the directory's own lock, if it is had until `deadline` on the monotonic clock."""
        with self._reopened() as fd:
            yield lock_before(fd, deadline)

    def sync(self) -> None:
        """Have the names on disk when this returns."""
        with self._reopened() as fd:
            os.fsync(fd)

    @contextmanager
    def _reopened(self) -> Iterator[int]:
        fd = os.open(".", _LISTED, dir_fd=self.fd)
        try:
            yield fd
        finally:
            release(fd)

    def close(self) -> None:
        """Let go."""
        os.close(self.fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def hold_parents(path: str, *, kept: Sequence[str] = ()) -> Iterator[DirectoryHandle]:
    """
    Hold a directory, made with its parents where they are missing; those are removed if the body fails.

    Args:
        path: Absolute, without symlinks.
        kept: Directories that are never made.

    Raises:
        OSError: As `DirectoryHandle.at`, and where a directory cannot be made.
    """
    missing: list[str] = []
    while path not in kept and not os.path.lexists(path):
        path, name = os.path.split(path)
        missing.append(name)
    made: list[str] = []
    directory = DirectoryHandle.at(path)
    try:
        for name in reversed(missing):
            with suppress(FileExistsError):
                os.mkdir(name, dir_fd=directory.fd)
                made.append(os.path.join(directory.path, name))
            parent, directory = directory, directory.child(name)
            parent.close()
        yield directory
    except BaseException:
        for name in reversed(made):
            with suppress(OSError):
                os.rmdir(name)
        raise
    finally:
        directory.close()
