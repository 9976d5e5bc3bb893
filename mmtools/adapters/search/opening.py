"""To open files that somebody else may change meanwhile."""

from __future__ import annotations

import errno
import os
import stat

__all__ = ["open_regular"]

_READING = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


def open_regular(path: bytes, *, follow: bool = False) -> int:
    """
    Open a file if it is a regular one; nothing else is waited for.

    Raises:
        OSError: It cannot be opened, or is something else.
    """
    descriptor = os.open(path, _READING if follow else _READING | os.O_NOFOLLOW)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    return descriptor
