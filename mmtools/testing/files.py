"""`Files` in memory, for tests of tools and hosts."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Literal

from mmtools.core import paths
from mmtools.core.paths import Flaw
from mmtools.core.stamps import Stamp
from mmtools.ports.files import (
    BadPath,
    Changed,
    FileProblem,
    IsDirectory,
    Missing,
    OutsideRoots,
    ParentNotDirectory,
    Place,
    Reader,
    Replaced,
    Snapshot,
)

__all__ = ["MemoryFiles"]

_HOME = "/home/tester"
_MAX_NAMES = 1000
#: An hour lies between any two changes, so that every stamp is settled.
_TICK_NS = 3_600_000_000_000


class MemoryFiles:
    """
    Files in a dict: no links, no modes, and no bytes on any disk.

    Directories are where files are: they come and go with them. Every change takes place at a time of its own, so
    that stamps tell all of them.

    Args:
        contents: By path, as a tool would name it; text is stored as UTF-8. Absolute paths may lie
            outside the root.
        root: Absolute: where relative paths start.
        outside: As for `LocalFiles`.
    """

    def __init__(
        self,
        contents: Mapping[str, bytes | str] | None = None,
        *,
        root: str = "/repo",
        outside: Literal["refuse", "ask"] = "refuse",
    ) -> None:
        self.root = root
        self._asks = outside == "ask"
        self._lock = threading.RLock()
        self._data: dict[str, bytes] = {}
        self._changed_ns: dict[str, int] = {}
        self._now_ns = 0
        self._unreadable: dict[str, FileProblem] = {}
        self._unwritable: dict[str, FileProblem] = {}
        for path, content in (contents or {}).items():
            self.put(path, content)

    @property
    def contents(self) -> dict[str, bytes]:
        """Every file's bytes, by path relative to the root, sorted; absolute outside of it."""
        with self._lock:
            return {paths.relative(path, [self.root]): self._data[path] for path in sorted(self._data)}

    def put(self, path: str, content: bytes | str) -> None:
        """Change a file behind the tools' back, as an editor beside them would."""
        self._store(self.absolute(path), content.encode() if isinstance(content, str) else content)

    def touch(self, path: str) -> None:
        """Give a file new times and leave its bytes."""
        with self._lock:
            real = self.absolute(path)
            self._store(real, self._data[real])

    def remove(self, path: str) -> None:
        """Remove a file behind the tools' back."""
        with self._lock:
            del self._data[self.absolute(path)]

    def fail(
        self, path: str, problem: type[FileProblem], reason: str = "", *, when: Literal["read", "written"]
    ) -> None:
        """Have every later read, or every later write, of a path end with a problem."""
        place = Place(path, self.absolute(path))
        failing = self._unreadable if when == "read" else self._unwritable
        failing[place.path] = problem(place, reason)

    def absolute(self, path: str) -> str:
        return paths.normalise(self._joined(path))

    def locate(self, path: str) -> Place:
        flaw = paths.flaw(path)
        if flaw is not None:
            raise BadPath(Place(path, path), flaw)
        real = self.absolute(path)
        place = Place(path, real, outside_roots=not paths.contains(self.root, real))
        if place.outside_roots and not self._asks:
            raise OutsideRoots(place)
        if paths.too_long(real):
            raise BadPath(place, Flaw.TOO_LONG)
        if paths.names_directory(self._joined(path)) and not self._is_directory(real):
            raise BadPath(place, Flaw.NO_DIRECTORY)
        return place

    def snapshot(self, place: Place) -> Snapshot:
        with self._lock:
            try:
                return Snapshot(place=place, data=self._read(place), stamp=self._stamp(place))
            except Missing:
                return Snapshot(place=place, data=None)

    @contextmanager
    def open(self, place: Place) -> Iterator[Reader]:
        with self._lock:
            pieces = _Pieces(self._read(place), self._stamp(place))
        yield pieces

    def replace(self, before: Snapshot, data: bytes) -> Replaced:
        place = before.place
        with self._lock:
            if self._now(before) != before.data:
                raise Changed(place)
            if place.path in self._unwritable:
                raise self._unwritable[place.path]
            self._store(place.path, data)
        return Replaced()

    def names_beside(self, place: Place) -> tuple[str, ...]:
        folder = place.path.rpartition("/")[0] + "/"
        if not paths.contains(self.root, place.path):
            return ()
        with self._lock:
            names = {path[len(folder) :].partition("/")[0] for path in self._data if path.startswith(folder)}
        return tuple(sorted(names)[:_MAX_NAMES])

    def _store(self, path: str, data: bytes) -> None:
        with self._lock:
            self._now_ns += _TICK_NS
            self._data[path], self._changed_ns[path] = data, self._now_ns

    def _stamp(self, place: Place) -> Stamp:
        changed_ns, size = self._changed_ns[place.path], len(self._data[place.path])
        return Stamp(
            device=0,
            inode=0,
            size=size,
            mtime_ns=changed_ns,
            ctime_ns=changed_ns,
            taken_ns=self._now_ns + _TICK_NS,
            vouches=True,
        )

    def _joined(self, path: str) -> str:
        return paths.join(path, base=self.root, home=_HOME)

    def _is_directory(self, path: str) -> bool:
        return paths.contains(path, self.root) or any(
            paths.contains(path, other) and path != other for other in self._data
        )

    def _now(self, before: Snapshot) -> bytes | None:
        try:
            return self._read(before.place)
        except Missing:
            return None
        except IsDirectory as problem:
            if before.data is None:
                raise Changed(before.place) from problem
            raise

    def _read(self, place: Place) -> bytes:
        if not paths.contains(self.root, place.path) and not (self._asks and place.outside_roots):
            raise OutsideRoots(place)
        with self._lock:
            if place.path in self._unreadable:
                raise self._unreadable[place.path]
            if place.path in self._data:
                return self._data[place.path]
            if self._is_directory(place.path):
                raise IsDirectory(place)
            for other in self._data:
                if paths.contains(other, place.path):
                    raise ParentNotDirectory(place, other)
        raise Missing(place)


class _Pieces:
    """A reader that hands out bytes from their start."""

    def __init__(self, data: bytes, stamp: Stamp) -> None:
        self.size = len(data)
        self.stamp = stamp
        self._data = data
        self._position = 0

    def read(self, max_bytes: int, /) -> bytes:
        piece = self._data[self._position : self._position + max_bytes]
        self._position += len(piece)
        return piece
