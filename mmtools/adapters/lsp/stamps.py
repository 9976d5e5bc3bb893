"""Whether a file can have changed since it was read, without reading it again."""

from __future__ import annotations

import os
import time
from typing import TypeAlias

__all__ = ["Stamp", "of_status", "take", "vouches"]

#: Times of the last change and of the last change of status, size, inode and device.
Stamp: TypeAlias = tuple[int, int, int, int, int]

#: The coarsest clock of a file system in use: two writes so close to one another may bear the same times.
_COARSE_NS = 1_100_000_000


def take(path: str) -> Stamp | None:
    """Look at a file; None where there is none, or none to be seen."""
    try:
        return of_status(os.stat(path))
    except (OSError, ValueError):
        return None


def of_status(status: os.stat_result) -> Stamp:
    """Return the stamp in a file's status."""
    return (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino, status.st_dev)


def vouches(stamp: Stamp | None) -> bool:
    """Say whether a stamp taken right now, before a read, will differ after any later write."""
    return stamp is not None and time.time_ns() - max(stamp[:2]) > _COARSE_NS
