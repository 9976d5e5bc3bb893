"""How long characters are to a server."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Units", "fitting", "width"]


class Units(StrEnum):
    """What a character of a position counts; the values are the protocol's."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


def width(part: str, units: Units) -> int:
    """Return how many code units some characters take."""
    if part.isascii() or units is Units.UTF32:
        return len(part)
    if units is Units.UTF8:
        return len(part.encode("utf-8", "surrogatepass"))
    return len(part.encode("utf-16-le", "surrogatepass")) // 2


def fitting(line: str, most: int, units: Units) -> int:
    """Return how many whole characters fit into some code units."""
    if line.isascii() or units is Units.UTF32:
        return min(most, len(line))
    # A character takes at least one unit, so the answer is in the first `most` ones.
    head = line[:most]
    low, high = 0, len(head)
    while low < high:
        middle = (low + high + 1) // 2
        if width(head[:middle], units) <= most:
            low = middle
        else:
            high = middle - 1
    return low
