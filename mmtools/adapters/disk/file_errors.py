"""The system's errors as the problems of the `Files` port."""

from __future__ import annotations

import errno
import os
import stat

from mmtools.core.paths import Flaw
from mmtools.ports.files import (
    AccessDenied,
    BadPath,
    Changed,
    FileProblem,
    IsDirectory,
    Missing,
    NotRegularFile,
    ParentNotDirectory,
    Place,
    WriteFailed,
)

__all__ = ["refuse_irregular", "while_reading", "while_writing"]

_DENIED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ETXTBSY})
_SPECIAL = {
    stat.S_IFIFO: "named pipe",
    stat.S_IFSOCK: "socket",
    stat.S_IFCHR: "character device",
    stat.S_IFBLK: "block device",
}


def refuse_irregular(mode: int, place: Place) -> None:
    """
    Let only regular files pass.

    Args:
        mode: `st_mode` of what stands at the place itself, links not followed.

    Raises:
        IsDirectory, NotRegularFile: As they say.
        Changed: A symlink is there, where `locate` has followed them all.
    """
    kind = stat.S_IFMT(mode)
    if kind == stat.S_IFREG:
        return
    if kind == stat.S_IFDIR:
        raise IsDirectory(place)
    if kind == stat.S_IFLNK:
        raise Changed(place, _elsewhere())
    raise NotRegularFile(place, _SPECIAL.get(kind, "special file"))


def while_reading(error: OSError, place: Place) -> FileProblem:
    """Word an error met on the way to a file, or reading it."""
    if error.errno == errno.ENOENT:
        return Missing(place)
    return _on_the_way(error, place) or AccessDenied(place, _words(error))


def while_writing(error: OSError, place: Place) -> FileProblem:
    """Word an error met while a file is replaced or made."""
    if error.errno == errno.ENOENT:
        return Changed(place, _words(error))
    if error.errno in _DENIED:
        return AccessDenied(place, _words(error))
    return _on_the_way(error, place) or WriteFailed(place, _words(error))


def _on_the_way(error: OSError, place: Place) -> FileProblem | None:
    match error.errno:
        case errno.EISDIR:
            return IsDirectory(place)
        case errno.ENOTDIR:
            return ParentNotDirectory(place, _parent_in_the_way(place.path))
        case errno.ELOOP:
            return Changed(place, _elsewhere())
        case errno.ENAMETOOLONG:
            return BadPath(place, Flaw.TOO_LONG)
        case _:
            return None


def _parent_in_the_way(path: str) -> str:
    parent = os.path.dirname(path)
    while parent != "/" and not os.path.lexists(parent):
        parent = os.path.dirname(parent)
    return parent


def _elsewhere() -> str:
    return "its path leads elsewhere now"


def _words(error: OSError) -> str:
    return error.strerror or str(error)
