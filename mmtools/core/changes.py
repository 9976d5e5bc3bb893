"""What one match changes: the raw characters that are left when its common ends are set aside."""

from __future__ import annotations

from attrs import frozen

from mmtools.core.alignment import shared_prefix
from mmtools.core.text import raw_offset, view

__all__ = ["Change", "reduce"]


@frozen
class Change:
    """
    The place of a text, and which part of it gives way to what. All offsets are raw.

    Args:
        start: Where the match starts.
        end: Where it ends, exclusive.
        changed_start: At or after `start`.
        changed_end: At or before `end`, exclusive.
        new: As it will stand in the file; empty with an empty part means that nothing changes.
    """

    start: int
    end: int
    changed_start: int
    changed_end: int
    new: str

    @property
    def is_empty(self) -> bool:
        """Whether the text stays as it is."""
        return self.changed_start == self.changed_end and not self.new


def reduce(raw: str, start: int, old: str, new: str) -> Change:
    """
    Give the new line breaks their endings, and leave out what both texts share.

    Args:
        raw: Line ends as found.
        start: Raw offset of the match; between a `\\r` and its `\\n` only when `old` holds `\\r`.
        old: What matches there: as it stands when it holds `\\r`, else on the view.
        new: Literal where `old` holds `\\r`; else its `\\n` are line breaks of the file's own kind.
    """
    literal = "\r" in old

    def raw_at(offset: int) -> int:
        return start + offset if literal else raw_offset(raw, offset, start)

    prefix, suffix = _shared(old, new)
    left, right = raw_at(prefix), raw_at(len(old) - suffix)
    inserted = new[prefix : len(new) - suffix]
    if "\n" in inserted and not literal and _ending(raw, start) == "\r\n":
        inserted = view(inserted).replace("\n", "\r\n")
    if "\r" in inserted:
        # A line break spelt out in `new` may be what the file has already.
        prefix, suffix = _shared(raw[left:right], inserted)
        left, right, inserted = left + prefix, right - suffix, inserted[prefix : len(inserted) - suffix]
    return Change(start, raw_at(len(old)), left, right, inserted)


def _ending(raw: str, start: int) -> str:
    """Return the ending of the first line break at or after `start`, else of the last one before it."""
    at = raw.find("\n", start)
    if at < 0:
        at = raw.rfind("\n")
    return "\r\n" if _parts_pair(raw, at) else "\n"


def _shared(old: str, new: str) -> tuple[int, int]:
    """Return how much two texts share at their start, and of the rest at their end; no `\\r\\n` is parted."""
    prefix = shared_prefix(old, new)
    if _parts_pair(old, prefix) or _parts_pair(new, prefix):
        prefix -= 1
    suffix = shared_prefix(old[prefix:][::-1], new[prefix:][::-1])
    if _parts_pair(old, len(old) - suffix) or _parts_pair(new, len(new) - suffix):
        suffix -= 1
    return prefix, suffix


def _parts_pair(text: str, offset: int) -> bool:
    return offset > 0 and text[offset - 1 : offset + 1] == "\r\n"
