"""Files below some roots, wherever they are kept."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

from attrs import field, frozen

from mmtools.core.stamps import Stamp
from mmtools.errors import MmtoolsError

__all__ = [
    "AccessDenied",
    "BadPath",
    "Changed",
    "FileProblem",
    "Files",
    "IsDirectory",
    "Locked",
    "Missing",
    "NotRegularFile",
    "OutsideRoots",
    "ParentNotDirectory",
    "Place",
    "Reader",
    "Replaced",
    "RootGone",
    "Snapshot",
    "TooLarge",
    "WriteFailed",
]


@frozen
class Place:
    """
    Where a path leads.

    Args:
        requested: As the caller wrote it.
        path: Absolute, every symlink resolved.
        outside_roots: Beyond the roots, and allowed only after a person has seen `path`.
    """

    requested: str
    path: str
    outside_roots: bool = False


@frozen(kw_only=True)
class Snapshot:
    """
    The bytes of a file at one moment; the ticket with which it may be replaced.

    Args:
        data: None when there is no such file.
        links: How many names the file has (1 for most).
        stamp: That of the file before its bytes were read and after, where it stayed the same; None where the
            medium has none.
    """

    place: Place
    data: bytes | None = field(repr=False)
    links: int = 1
    stamp: Stamp | None = field(default=None, repr=False, eq=False)


@frozen(kw_only=True)
class Replaced:
    """
    How a file was replaced.

    Args:
        in_place: The bytes were written into the old file, because a new file could not have taken its
            place: it has several names, its owner cannot be kept, or nothing may be renamed there.
    """

    in_place: bool = False


class FileProblem(MmtoolsError):
    """
    The reason why a file cannot be read or written. No text for a model: tools word it.

    Args:
        place: Where the path leads, as far as it is known.
        reason: The system's own words, where there are some.
    """

    def __init__(self, place: Place, reason: str = "") -> None:
        super().__init__(f"{type(self).__name__}: {place.requested!r} {reason}".rstrip())
        self.place = place
        self.reason = reason


class BadPath(FileProblem):
    """
    A path that no file can have: empty, NUL, not encodable, too long, a loop of links, a
    slash at the end where no directory is. `reason` names which.
    """


class OutsideRoots(FileProblem):
    """A path that leads out of the roots; `place.path` tells where to."""


class RootGone(FileProblem):
    """A path below a root that was removed or moved away; `reason` names the root. Nothing is made in its place."""


class Missing(FileProblem):
    """A path where nothing is; a dangling symlink counts as nothing."""


class IsDirectory(FileProblem):
    """A path where a directory is."""


class NotRegularFile(FileProblem):
    """A path where a device, pipe or socket is; it was not opened. `reason` names which."""


class ParentNotDirectory(FileProblem):
    """A path with a parent that is a file; `reason` names it."""


class AccessDenied(FileProblem):
    """An access that the system does not let us have."""


class TooLarge(FileProblem):
    """A file that is too large to hold; `reason` gives its size and the limit."""


class Changed(FileProblem):
    """
    A file that is no longer what the snapshot holds, or whose path leads elsewhere since it
    was located; nothing was written.
    """


class Locked(FileProblem):
    """A file whose lock another program held for too long; nothing was written."""


class WriteFailed(FileProblem):
    """
    A write that did not come to its end (disk full, limit); the old bytes are there. Should a
    dying medium not even take these back, `reason` names the file that holds them.
    """


class Reader(Protocol):
    """One file that is read in pieces."""

    @property
    def size(self) -> int:
        """In bytes, when the file was opened."""
        ...

    @property
    def stamp(self) -> Stamp | None:
        """The file's, when it was opened; None where the medium has none."""
        ...

    def read(self, max_bytes: int, /) -> bytes:
        """
        Return the next bytes, as many as there are up to `max_bytes`; empty at the end.

        Raises:
            AccessDenied: The medium failed.
        """
        ...


class Files(Protocol):
    """
    The regular files below some roots, to read and to replace.

    No method follows a path out of the roots, opens anything but a regular file, or leaves a file
    half written. All errors are `FileProblem`s.
    """

    def absolute(self, path: str) -> str:
        """Return the absolute form of a path, by its letters alone: no I/O, never raises."""
        ...

    def locate(self, path: str) -> Place:
        """
        Find where a path leads, symlinks followed; it need not exist.

        Args:
            path: Relative to the first root, absolute, or starting with `~/`. Never a pattern.

        Raises:
            BadPath: No file can have this path.
            OutsideRoots: It leads out, and this is not left to a person.
        """
        ...

    def snapshot(self, place: Place) -> Snapshot:
        """
        Read a whole file, or find that nothing is there.

        Raises:
            IsDirectory, NotRegularFile, ParentNotDirectory, AccessDenied, TooLarge: As they say.
            Changed: A symlink now stands on the path.
            OutsideRoots: No `locate` of this object can have given this place.
        """
        ...

    def open(self, place: Place) -> AbstractContextManager[Reader]:
        """
        Open a file to read it in pieces, without loading it.

        Raises:
            Missing, IsDirectory, NotRegularFile, ParentNotDirectory, AccessDenied: As they say.
            Changed, OutsideRoots: As for `snapshot`.
        """
        ...

    def replace(self, before: Snapshot, data: bytes) -> Replaced:
        """
        Put `data` in the file's place, if its bytes are still those of `before`.

        The comparison and the replacement are one step for every other user of this port, in any
        thread or process. Mode, owner, symlinks and hard links stay; missing parents are made for a
        new file. A crash at any moment leaves the old bytes or the new; only a file that had to be
        written in place may be left with some of both, and then its old bytes lie whole in a file
        beside it that nothing removes.

        Raises:
            Changed: The file is not, or no longer, what `before` holds.
            BadPath: The medium does not take this name for a new file.
            IsDirectory, NotRegularFile, ParentNotDirectory, AccessDenied, Locked, WriteFailed:
                As they say; the old bytes are there and nothing is left beside them.
            OutsideRoots: As for `snapshot`.
        """
        ...

    def names_beside(self, place: Place) -> tuple[str, ...]:
        """
        List the names in the same directory, sorted, at most 1,000; empty when it cannot be listed
        or lies outside.
        """
        ...
