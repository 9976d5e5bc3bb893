"""
Where a git repository begins, and which rules it keeps in its `.git`; as ripgrep sees it.

What counts is that there is a `.git`, whatever it is. Of a file `.git` (a worktree's or a submodule's) the first line
says where the repository is; ripgrep reads a relative path there, and in the `commondir` that it leads to, from where
it runs.
"""

from __future__ import annotations

import os
from contextlib import suppress

from mmtools.adapters.search.opening import open_regular

__all__ = ["exclude_file", "in_repository", "is_top"]

_GIT_DIRECTORY = b"gitdir: "
#: More than this is not read of a file that holds one path.
_MOST_PATH_BYTES = 1 << 16


def in_repository(directory: str) -> bool:
    """Whether a `.git` is in a directory or above it."""
    below, above = "", os.path.realpath(directory)
    while above != below:
        if is_top(os.fsencode(above)):
            return True
        below, above = above, os.path.dirname(above)
    return False


def is_top(directory: bytes) -> bool:
    """Whether a repository begins at a directory."""
    return os.path.exists(os.path.join(directory, b".git"))


def exclude_file(directory: bytes) -> bytes | None:
    """
    Return the path of the rules that the repository that begins at a directory keeps; None when it has no place for
    them.
    """
    git = os.path.join(directory, b".git")
    if not os.path.isfile(git):
        return os.path.join(git, b"info/exclude")
    line = _first_line(git)
    if line is None or not line.startswith(_GIT_DIRECTORY):
        return None
    real = line.removeprefix(_GIT_DIRECTORY)
    common = _first_line(os.path.join(real, b"commondir"))
    if common is None:
        return None
    return os.path.join(real if common.startswith(b".") else b"", common, b"info/exclude")


def _first_line(path: bytes) -> bytes | None:
    """Read the first line of a file; None when there is none in UTF-8."""
    with suppress(OSError, ValueError):
        with open(open_regular(path, follow=True), "rb", buffering=0) as file:
            data = file.read(_MOST_PATH_BYTES) or b""
        line, ended, _ = data.partition(b"\n")
        line.decode()
        return (line.removesuffix(b"\r") if ended else line) if data else None
    return None
