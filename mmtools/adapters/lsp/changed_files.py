"""Notices of files that were written behind a server's back."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from enum import IntEnum

from mmtools.adapters.lsp import folders, stamps

__all__ = ["Change", "ChangedFiles"]


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
        self._known = folders.look(root)
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
        now = stamps.take(path)
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
        before, now = self._known, folders.look(self._root)
        self._known = now
        if before is None or now is None:
            return {}
        changes = dict.fromkeys(before.keys() - now.keys(), Change.DELETED)
        for path, stamp in now.items():
            if before.get(path) != stamp:
                changes[path] = Change.CHANGED if path in before else Change.CREATED
        return changes
