"""Files on disk that change behind a server's back: their stamps, and notices of what was written."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import TypeAlias

__all__ = ["Change", "ChangedFiles", "Stamp", "look", "stamp", "vouches"]

#: Times of the last change and of the last change of status, size, inode and device.
Stamp: TypeAlias = tuple[int, int, int, int, int]

#: The coarsest clock of a file system in use: two writes so close to one another may bear the same times.
_COARSE_NS = 1_100_000_000
#: Files beyond which a look would take longer than an answer (ours): a tenth of a second.
_MAX_FILES = 20_000
#: Where no source lies that anybody edits; hidden folders are left out too.
_LEFT_OUT = frozenset({"node_modules", "__pycache__", "venv"})


class Change(IntEnum):
    """What happened to a file, in the protocol's numbers."""

    CREATED = 1
    CHANGED = 2
    DELETED = 3


class ChangedFiles:
    """
    What a server must be told of; noted by any thread, taken by one at a time.

    Args:
        root: Where changes are looked for when it is not known which file was written.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._known = look(root)
        # Reentrant, for a signal handler may note what it has written.
        self._noting = threading.RLock()
        self._noted: set[str] = set()
        self._anything = False

    def note(self, paths: Iterable[str] | None) -> None:
        """Note that files were written, made or deleted; None for any below the root."""
        with self._noting:
            if paths is None:
                self._anything = True
            else:
                self._noted.update(paths)

    def take(self) -> dict[str, Change]:
        """Return what has changed since the last time."""
        if not self._noted and not self._anything:
            return {}
        with self._noting:
            noted, self._noted = self._noted, set()
            anything, self._anything = self._anything, False
        changes = {path: self._change(path) for path in sorted(noted)}
        return {**self._found(), **changes} if anything else changes

    def _change(self, path: str) -> Change:
        now = stamp(path)
        was_known = self._known is None or path in self._known
        if self._known is not None:
            if now is None:
                self._known.pop(path, None)
            else:
                self._known[path] = now
        if now is None:
            return Change.DELETED
        return Change.CHANGED if was_known else Change.CREATED

    def _found(self) -> dict[str, Change]:
        """Compare the files below the root with what was known of them."""
        before, now = self._known, look(self._root)
        self._known = now
        if before is None or now is None:
            return {}
        changes = dict.fromkeys(before.keys() - now.keys(), Change.DELETED)
        for path, at in now.items():
            if before.get(path) != at:
                changes[path] = Change.CHANGED if path in before else Change.CREATED
        return changes


def stamp(path: str) -> Stamp | None:
    """Look at a file; None where there is none, or none to be seen."""
    try:
        return _of_status(os.stat(path))
    except (OSError, ValueError):
        return None


def vouches(stamp: Stamp | None) -> bool:
    """Say whether a stamp taken right now, before a read, will differ after any later write."""
    return stamp is not None and time.time_ns() - max(stamp[:2]) > _COARSE_NS


def look(root: str, *, most: int = _MAX_FILES) -> dict[str, Stamp] | None:
    """
    Return the stamp of each file below a root, by its path; links to folders are not followed.

    Args:
        most: How many files there may be.

    Returns:
        None when there are more.
    """
    found: dict[str, Stamp] = {}
    folders = [root]
    while folders:
        for entry in _entries(folders.pop()):
            if not entry.is_dir(follow_symlinks=False):
                if at := _of_entry(entry):
                    found[entry.path] = at
            elif not entry.name.startswith(".") and entry.name not in _LEFT_OUT:
                folders.append(entry.path)
        if len(found) > most:
            return None
    return found


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except OSError:
        return


def _of_entry(entry: os.DirEntry[str]) -> Stamp | None:
    try:
        return _of_status(entry.stat()) if entry.is_file() else None
    except OSError:
        return None


def _of_status(status: os.stat_result) -> Stamp:
    return (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino, status.st_dev)
