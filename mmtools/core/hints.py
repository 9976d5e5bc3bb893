"""
What can be said of a text that was not found. Nothing but values.

    Unwritable      the text holds half an emoji: no file can have it
    LooksAlike      the file has it but for blanks, case or characters that resemble one another
    Misquoted       it was copied wrongly as a whole: with line numbers, with typed escapes, …
    AlreadyThere    what should replace it is in the file
    Closest         the place that is most alike, at least by half
    NothingAlike    there is none
"""

from __future__ import annotations

from typing import TypeAlias

from attrs import field, frozen

from mmtools.core.copy_errors import CopyError
from mmtools.core.differences import Difference

__all__ = ["AlreadyThere", "Closest", "Hint", "LooksAlike", "Misquoted", "NothingAlike", "Spot", "Unwritable"]


@frozen(kw_only=True)
class Spot:
    """
    Whole lines of the file.

    Args:
        line: 1-based, the first one.
        last_line: 1-based.
        text: Sent as `old`, it is found exactly. Without the last line's break, unless what was looked for ends with one.
        widened: Whether they hold more than what is like the text that was looked for.
        others: Lines where the same text begins again; at most 10.
    """

    line: int
    last_line: int
    text: str = field(repr=False)
    widened: bool = False
    others: tuple[int, ...] = ()


@frozen
class Unwritable:
    """
    A text that holds a lone surrogate.

    Args:
        index: 0-based, in the text, of the first one.
    """

    index: int


@frozen
class LooksAlike:
    """A part of the file that looks the same."""

    spot: Spot
    differences: tuple[Difference, ...]


@frozen
class Misquoted:
    """
    A part of the file that is the text when one habit of copying is undone.

    Args:
        differences: What differs even then; empty for most.
    """

    copy_error: CopyError
    spot: Spot
    differences: tuple[Difference, ...] = ()


@frozen
class AlreadyThere:
    """The new text, found in the file, once: the edit may have been made before."""

    spot: Spot


@frozen
class Closest:
    """
    The place that is most alike.

    Args:
        alike: From 0.5 up to 1.
    """

    spot: Spot
    differences: tuple[Difference, ...]
    alike: float


@frozen
class NothingAlike:
    """The finding that no place is alike."""


#: A closed union.
Hint: TypeAlias = Unwritable | LooksAlike | Misquoted | AlreadyThere | Closest | NothingAlike
