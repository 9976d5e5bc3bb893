"""What a file is known by, whatever path leads to it."""

from __future__ import annotations

import os

__all__ = ["identify"]


def identify(path: str) -> tuple[str, ...]:
    """
    Return names that two paths to one file have in common, and no others.

    Returns:
        Where it really is, every link followed, and for what exists also its device and number: a hard link, or
        another spelling on a disk that takes capitals for small letters, has the same.
    """
    try:
        real = os.path.realpath(path)
    except ValueError:
        # No file has such a name.
        return ()
    try:
        status = os.stat(real)
    except OSError:
        return (real,)
    return real, f"{status.st_dev}:{status.st_ino}"
