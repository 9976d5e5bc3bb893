"""
Advisory locks on open files, between threads as well as processes.

`flock` locks belong to the open file description: every `os.open` has its own, so two threads exclude
each other, and a lock ends with its process, in whatever namespace that ran.
"""

from __future__ import annotations

import fcntl
import os
import time

__all__ = ["lock_before", "release", "try_lock"]

_FIRST_PAUSE_S = 0.0005
_LONGEST_PAUSE_S = 0.02


def try_lock(fd: int) -> bool:
    """Take the exclusive lock if it is free."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def lock_before(fd: int, deadline: float) -> bool:
    """Take the exclusive lock, waiting until `deadline` on the monotonic clock; whether it was had."""
    pause_s = _FIRST_PAUSE_S
    while not try_lock(fd):
        if time.monotonic() >= deadline:
            return False
        time.sleep(pause_s)
        pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)
    return True


def release(fd: int) -> None:
    """
    Unlock and close.

    A child forked meanwhile shares the description: closing alone would leave it the lock.
    """
    try:
        fcntl.flock(fd, fcntl.LOCK_UN)
    finally:
        os.close(fd)
