"""A part of a text that is like another text."""

from __future__ import annotations

from attrs import frozen

__all__ = ["Part", "parts_word"]


@frozen
class Part:
    """
    A part of a text, and how alike it is.

    Args:
        start, end: Offsets; half-open.
        alike: From 0 to 1, blanks at the ends of lines left out.
        looks_same: Whether both look the same; then `alike` is 1.
    """

    start: int
    end: int
    alike: float
    looks_same: bool = False


def parts_word(text: str, offset: int) -> bool:
    """Tell whether an offset parts a word; some scripts have no blanks between theirs, so only ASCII counts."""
    around = text[offset - 1 : offset + 1] if offset else ""
    return len(around) == 2 and around.isascii() and around.replace("_", "a").isalnum()
