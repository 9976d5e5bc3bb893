"""What the status of a file tells about its changes, and where that can be relied on."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from attrs import define, field

from mmtools.core.stamps import Stamp

__all__ = ["ChangeTimes"]

#: File systems of Linux whose change time moves at every write, also at one through a memory map to a clean page.
#: Not so on tmpfs; those of a network tell what they remember; btrfs hides which file system a file is on.
_RELIABLE = frozenset({"ext2", "ext3", "ext4", "f2fs", "xfs"})

_MOUNTS = "/proc/self/mountinfo"


@define(eq=False)
class ChangeTimes:
    """
    A maker of stamps from what the system says of files.

    Args:
        clock: Wall time in nanoseconds.
        mounts: The system's list of what is mounted; without one, nothing is relied on.
    """

    clock: Callable[[], int] = time.time_ns
    mounts: str = _MOUNTS
    _reliable: dict[int, bool] = field(init=False, factory=dict)

    def stamp(self, status: os.stat_result, taken_ns: int) -> Stamp:
        """
        Return what a status says.

        Args:
            taken_ns: By the clock, before the status was asked for.
        """
        device = status.st_dev
        vouches = self._reliable.get(device)
        if vouches is None:
            vouches = self._reliable[device] = self._is_reliable(device)
        return Stamp(
            device,
            status.st_ino,
            status.st_size,
            status.st_mtime_ns,
            status.st_ctime_ns,
            taken_ns,
            vouches,
        )

    def _is_reliable(self, device: int) -> bool:
        number = f"{os.major(device)}:{os.minor(device)}"
        try:
            with open(self.mounts, encoding="utf-8", errors="surrogateescape") as lines:
                kinds = {_kind(line) for line in lines if line.split(" ", 3)[2] == number}
        except (OSError, IndexError):
            return False
        return bool(kinds) and kinds <= _RELIABLE


def _kind(line: str) -> str:
    """Read the file system's name, which stands after the only field that is a lone hyphen."""
    return line.partition(" - ")[2].partition(" ")[0]
