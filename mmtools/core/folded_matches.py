"""Where a text holds what looks the same as another text."""

from __future__ import annotations

from collections.abc import Iterator

from mmtools.core.confusables import fold
from mmtools.core.parts import Part, parts_word

__all__ = ["find"]

#: Places that are looked at; in text made for it, each could cost some hundred folds.
MOST_PLACES = 20
#: Accents that a letter has at most.
MOST_ACCENTS = 4


def find(text: str, wanted: str) -> Part | None:
    """
    Return the first part that looks the same, no word parted.

    Args:
        text: Small: it is folded some fifty times.
        wanted: With at least one character that is not blank.

    Returns:
        With as many blanks at both ends as `wanted` has there, in the sense that it begins and ends in the same line.
    """
    folded, sought = fold(text), fold(wanted)
    at = folded.find(sought) if sought else -1
    for _ in range(MOST_PLACES):
        if at < 0:
            break
        begins = _where(text, len(folded) - at)
        for start, end in _around(begins, _until(text, begins, len(sought)), len(text)):
            if fold(text[start:end]) == sought and not parts_word(text, start) and not parts_word(text, end):
                return _widened(text, start, end, wanted)
        at = folded.find(sought, at + 1)
    return None


def _widened(text: str, start: int, end: int, wanted: str) -> Part:
    """Take in blanks at both ends where the wanted text has some."""
    before, after = wanted.split(wanted.strip(), 1)
    start -= _like(text[:start][::-1], before[::-1])
    return Part(start, end + _like(text[end:], after), 1.0, looks_same=True)


def _where(text: str, folded_length: int) -> int:
    """Return where the end of a text begins that is this long when folded."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if len(fold(text[middle:])) >= folded_length:
            low = middle
        else:
            high = middle - 1
    return low


def _until(text: str, start: int, folded_length: int) -> int:
    """Return where a part ends that begins at `start` and is this long when folded."""
    low, high = start, len(text)
    while low < high:
        middle = (low + high) // 2
        if len(fold(text[start:middle])) >= folded_length:
            high = middle
        else:
            low = middle + 1
    return low


def _around(start: int, end: int, length: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of a part and some wider ones: accents that stand by themselves have no length when folded."""
    for wider in range(MOST_ACCENTS + 1):
        for left in range(wider + 1):
            if start - left >= 0 and end + wider - left <= length:
                yield start - left, end + wider - left


def _like(text: str, blanks: str) -> int:
    """Return how many of the blanks at the start of a text stand for others: as many line breaks, and what follows."""
    run = text[: len(text) - len(text.lstrip())].split("\n")
    *broken, rest = blanks.split("\n")
    parts = run[: len(broken) + bool(rest)]
    return sum(map(len, parts)) + min(len(broken), len(run) - 1)
