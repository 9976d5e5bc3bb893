"""What makes a file the same file for its users, beside its bytes: owner, mode, extended attributes."""

from __future__ import annotations

import os
import stat
import sys

__all__ = ["copy_metadata"]


def copy_metadata(fd: int, own: os.stat_result, *, of_fd: int, of: os.stat_result) -> bool:
    """
    Give a new file the owner, attributes (access lists are among them) and mode of another.

    Args:
        fd: Of the new file, with its status in `own`.
        of_fd: Of the other, with its status in `of`.

    Returns:
        Whether the system let us; after False the new file must not be used.
    """
    try:
        changed = (own.st_uid, own.st_gid) != (of.st_uid, of.st_gid)
        if changed:
            os.fchown(fd, of.st_uid, of.st_gid)
        changed |= _copy_attributes(of_fd, fd)
        # Last: a change of the owner or of an access list takes bits of the mode away.
        if own.st_mode != of.st_mode or changed:
            os.fchmod(fd, stat.S_IMODE(of.st_mode))
    except OSError:
        return False
    return True


if sys.platform == "linux":

    def _copy_attributes(source: int, target: int) -> bool:
        wanted, found = _attributes(source), _attributes(target)
        if wanted == found:
            return False
        for name in found.keys() - wanted.keys():
            os.removexattr(target, name)
        for name, value in wanted.items():
            if found.get(name) != value:
                os.setxattr(target, name, value)
        return True

    def _attributes(fd: int) -> dict[str, bytes]:
        try:
            names = os.listxattr(fd)
        except OSError:
            return {}
        return {name: os.getxattr(fd, name) for name in names}

else:

    def _copy_attributes(source: int, target: int) -> bool:
        """Leave them: Python reaches extended attributes on Linux only."""
        return False
