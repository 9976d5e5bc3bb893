"""Whether a file can have changed, from what a medium tells of it without reading it."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Stamp"]

#: 60 s: a write through a memory map moves a file's times only when its page is clean, and systems clean
#: pages within 35 s; two writes in one tick of the clock (FAT: 2 s) bear the same times.
_SETTLED_NS = 60_000_000_000
#: What stands before `taken_ns` in a stamp is of the file.
_TAKEN = 5


class Stamp(NamedTuple):
    """
    What a medium tells of a file without reading it. A tuple, for one is made at every look.

    Args:
        ctime_ns: When anything of it last changed, its times included; no program can put this back.
        taken_ns: When the medium was asked; wall clock.
        vouches: Whether the medium moves `ctime_ns` at every change, whoever makes it and however.
    """

    device: int
    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int
    taken_ns: int
    vouches: bool = False

    def proves(self, now: Stamp) -> bool:
        """
        Whether no byte can have changed between this stamp and a later one.

        Both must be the medium's word, alike, and the last change must have been settled when this one was taken:
        what changed a moment before may change again unseen. Assumes that nobody sets the clock back onto the very
        tick of an earlier change, nor writes past the file system to its device.
        """
        return (
            self[:_TAKEN] == now[:_TAKEN]
            and self.taken_ns - self.ctime_ns >= _SETTLED_NS
            and self.vouches
            and now.vouches
        )
