"""Files of this machine's disk."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

from mmtools.adapters.disk.atomic_files import create_file, replace_file
from mmtools.adapters.disk.change_times import ChangeTimes
from mmtools.adapters.disk.directory_handles import DirectoryHandle, hold_parents
from mmtools.adapters.disk.file_errors import while_reading, while_writing
from mmtools.adapters.disk.followed_paths import follow, parent_of
from mmtools.adapters.disk.regular_files import open_to_read
from mmtools.adapters.disk.temporary_files import Sweeper, is_temporary
from mmtools.core import paths
from mmtools.core.paths import Flaw
from mmtools.core.stamps import Stamp
from mmtools.ports.files import (
    BadPath,
    Missing,
    OutsideRoots,
    Place,
    Reader,
    Replaced,
    RootGone,
    Snapshot,
    TooLarge,
)

__all__ = ["MAX_SNAPSHOT_BYTES", "LocalFiles"]

#: 256 MiB: a snapshot, its text and the edited text are held at once, about 1 GiB then.
MAX_SNAPSHOT_BYTES = 256 * 1024 * 1024

_MAX_NAMES = 1000
_READ_ON_BYTES = 1 << 14


class LocalFiles:
    """
    Files below directories of this machine, to be read and replaced.

    Safe for threads, and between all processes that use it. A path is followed once, by `locate`;
    afterwards a symlink put on it is refused, so no swap leads out of the roots.

    Args:
        root: Where relative paths start; must exist.
        extra_roots: More directories whose files may be used; must exist.
        outside: What `locate` does with a path that leads out: refuse it, or mark it for a person to see.
        fsync: Have a replaced file on disk before `replace` returns: survives a power cut, costs milliseconds.
        lock_timeout_s: How long `replace` waits for a file that another process has locked.
        clock: Wall time in nanoseconds, for stamps.

    Raises:
        OSError: A root does not exist or is not a directory.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        extra_roots: Sequence[str | os.PathLike[str]] = (),
        outside: Literal["refuse", "ask"] = "refuse",
        fsync: bool = False,
        lock_timeout_s: float = 10.0,
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        self.roots = tuple(_existing_directory(each) for each in (root, *extra_roots))
        self._home = _home()
        self._asks = outside == "ask"
        self._durable = fsync
        self._lock_timeout_s = lock_timeout_s
        self._sweeper = Sweeper()
        self._times = ChangeTimes(clock)

    def absolute(self, path: str) -> str:
        return paths.normalise(self._joined(path))

    def locate(self, path: str) -> Place:
        flaw = paths.flaw(path)
        if flaw is None and self._home is None and paths.names_home(path):
            flaw = Flaw.NO_HOME
        if flaw is None and not path.isascii() and sys.getfilesystemencoding() != "utf-8":
            # Else it would be a file of another name, or none at all, to all that takes names for UTF-8.
            flaw = Flaw.NOT_ASCII
        if flaw is not None:
            raise BadPath(Place(path, path), flaw)
        real, flaw = follow(self._joined(path))
        place = Place(path, real, outside_roots=not self._is_inside(real))
        if place.outside_roots and not self._asks:
            raise OutsideRoots(place)
        self._require_root(place)
        if flaw is not None:
            raise BadPath(place, flaw)
        return place

    def snapshot(self, place: Place) -> Snapshot:
        taken_ns = self._times.clock()
        try:
            fd, status = self._opened(place)
        except Missing:
            return Snapshot(place=place, data=None)
        try:
            data = _read_all(fd, status.st_size, place)
            stamp = self._times.stamp(status, taken_ns)
            if stamp != self._times.stamp(os.fstat(fd), taken_ns):
                stamp = stamp._replace(vouches=False)
            return Snapshot(place=place, data=data, links=status.st_nlink, stamp=stamp)
        except OSError as error:
            raise while_reading(error, place) from error
        finally:
            os.close(fd)

    @contextmanager
    def open(self, place: Place) -> Iterator[Reader]:
        taken_ns = self._times.clock()
        fd, status = self._opened(place)
        try:
            yield _OpenFile(fd, self._times.stamp(status, taken_ns), place)
        finally:
            os.close(fd)

    def replace(self, before: Snapshot, data: bytes) -> Replaced:
        place = before.place
        self._confine(place)
        deadline = time.monotonic() + self._lock_timeout_s
        folder = parent_of(place.path)
        try:
            if before.data is None:
                with hold_parents(folder, kept=self.roots) as directory:
                    self._sweeper.sweep(directory)
                    create_file(directory, place, data, deadline=deadline, durable=self._durable)
                    self._sweeper.settle(directory)
                    return Replaced()
            with DirectoryHandle.at(folder) as directory:
                self._sweeper.sweep(directory)
                replaced = replace_file(directory, place, before.data, data, deadline=deadline, durable=self._durable)
                self._sweeper.settle(directory)
                return replaced
        except OSError as error:
            self._require_root(place)
            raise while_writing(error, place) from error

    def names_beside(self, place: Place) -> tuple[str, ...]:
        if not self._is_inside(place.path):
            return ()
        try:
            with DirectoryHandle.at(parent_of(place.path)) as directory:
                names = directory.names()
        except OSError:
            return ()
        return tuple(sorted(name for name in names if paths.flaw(name) is None and not is_temporary(name))[:_MAX_NAMES])

    def _joined(self, path: str) -> str:
        # Without a home the path is only shown: `locate` refuses it.
        return paths.join(path, base=self.roots[0], home=self._home or f"{self.roots[0]}/~")

    def _require_root(self, place: Place) -> None:
        """
        See that the root of a place is still there.

        Raises:
            RootGone: It is not.
        """
        for root in self.roots:
            if paths.contains(root, place.path) and not os.path.isdir(root):
                raise RootGone(place, root)

    def _is_inside(self, path: str) -> bool:
        return any(paths.contains(root, path) for root in self.roots)

    def _confine(self, place: Place) -> None:
        if not self._is_inside(place.path) and not (self._asks and place.outside_roots):
            raise OutsideRoots(place)

    def _opened(self, place: Place) -> tuple[int, os.stat_result]:
        self._confine(place)
        try:
            return open_to_read(place)
        except OSError as error:
            self._require_root(place)
            raise while_reading(error, place) from error


class _OpenFile:
    """An open file, read from its start."""

    def __init__(self, fd: int, stamp: Stamp, place: Place) -> None:
        self._fd = fd
        self._stamp = stamp
        self._place = place

    @property
    def size(self) -> int:
        return self._stamp.size

    @property
    def stamp(self) -> Stamp:
        return self._stamp

    def read(self, max_bytes: int, /) -> bytes:
        try:
            return os.read(self._fd, max_bytes)
        except OSError as error:
            raise while_reading(error, self._place) from error


def _read_all(fd: int, size: int, place: Place) -> bytes:
    """Read to the end, which need not be at `size`: a file may grow, and those of the kernel have no size."""
    pieces: list[bytes] = []
    total = 0
    while size <= MAX_SNAPSHOT_BYTES:
        piece = os.read(fd, max(size + 1 - total, _READ_ON_BYTES))
        pieces.append(piece)
        total += len(piece)
        if not piece or total == size:
            return b"".join(pieces)
        size = max(size, total)
    raise TooLarge(place, f"{size} bytes; at most {MAX_SNAPSHOT_BYTES} are held")


def _home() -> str | None:
    """Return the home directory; None where HOME is no absolute path, and where an unknown user has none."""
    home = os.environ.get("HOME", os.path.expanduser("~"))
    return os.path.abspath(home) if home.startswith("/") else None


def _existing_directory(path: str | os.PathLike[str]) -> str:
    real = os.path.realpath(path, strict=True)
    if not os.path.isdir(real):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), real)
    return real
