"""What lies below a root, at one moment: to find out later what has changed."""

from __future__ import annotations

import os
from collections.abc import Iterator

from mmtools.adapters.lsp import stamps
from mmtools.adapters.lsp.stamps import Stamp

__all__ = ["look"]

#: Files beyond which a look would take longer than an answer (ours): a tenth of a second.
_MAX_FILES = 20_000
#: Where no source lies that anybody edits; hidden folders are left out too.
_LEFT_OUT = frozenset({"node_modules", "__pycache__", "venv"})


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
                if stamp := _stamp(entry):
                    found[entry.path] = stamp
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


def _stamp(entry: os.DirEntry[str]) -> Stamp | None:
    try:
        return stamps.of_status(entry.stat()) if entry.is_file() else None
    except OSError:
        return None
