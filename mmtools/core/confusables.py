"""
What two texts look like: the same, when only blanks, case or characters that resemble one another differ.

For hints alone. Nothing is ever matched or changed by looks.
"""

from __future__ import annotations

import unicodedata
from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache

from attrs import field, frozen

__all__ = ["Folded", "find", "fold", "folded", "parts_word", "stable"]

#: What is read for what. NFKC leaves these apart; what cannot be seen is read for nothing.
_READ_FOR = {
    "'": "‘’‚‛′´`‹›",
    '"': "“”„‟″«»",
    "-": "‐‑‒–—―−﹣",
    "/": "⁄∕",
    "": "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad\ufe0e\ufe0f",
}
#: Cyrillic and Greek letters, and the Latin ones that they look like.
_FOREIGN = "аеорсухіјѕһԁԛԝАВЕКМНОРСТХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧο"
_LATIN = "aeopcyxijshdqwABEKMHOPCTXIJSABEZHIKMNOPTYXo"
_MARKS = {ord(char): plain for plain, twins in _READ_FOR.items() for char in twins}
_TABLE: dict[int, str | int] = {**_MARKS, **str.maketrans(_FOREIGN, _LATIN)}
#: Places of a folded text that are looked at, to find one that parts no word.
_MOST_PLACES = 20


def fold(text: str) -> str:
    """Return what all texts that look like this one have in common; no blanks, no line breaks."""
    if not text.isascii():
        plain = unicodedata.normalize("NFC", text).translate(_TABLE)
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", plain).casefold()).translate(_TABLE)
    return "".join(text.lower().replace("`", "'").split())


@frozen
class Folded:
    """
    A folded text, and where each of its characters comes from.

    Args:
        text: As `fold` returns it.
        starts, ends: For each of its characters the bounds of those that were folded together, one letter with its
            accents for example; half-open offsets of the original.
    """

    text: str
    starts: Sequence[int] = field(repr=False)
    ends: Sequence[int] = field(repr=False)

    def origin(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the bounds in the original of a part that is not empty; None where it holds half of a character."""
        begins = start == 0 or self.starts[start - 1] != self.starts[start]
        closes = end == len(self.text) or self.ends[end - 1] != self.ends[end]
        return (self.starts[start], self.ends[end - 1]) if begins and closes else None


def folded(text: str) -> Folded:
    """Fold a text, and keep the way back."""
    if text.isascii():
        offsets = array("q", (at for at, char in enumerate(text) if not char.isspace()))
        return Folded(fold(text), offsets, array("q", (at + 1 for at in offsets)))
    pieces: list[str] = []
    starts, ends = array("q"), array("q")
    for start, end in _letters(text):
        piece = fold(text[start:end])
        pieces.append(piece)
        starts.extend([start] * len(piece))
        ends.extend([end] * len(piece))
    return Folded("".join(pieces), starts, ends)


def find(text: str, wanted: str) -> tuple[int, int] | None:
    """
    Return the bounds of the first part that looks the same, no word parted.

    Args:
        wanted: With at least one character that is not blank.

    Returns:
        With as many blanks at both ends as `wanted` has there, in the sense that it begins and ends in the same line.
    """
    sought = fold(wanted)
    if not sought or sought not in fold(text):
        return None
    page = folded(text)
    at = page.text.find(sought)
    for _ in range(_MOST_PLACES):
        if at < 0:
            break
        bounds = page.origin(at, at + len(sought))
        if bounds and not any(parts_word(text, bound) for bound in bounds):
            return _widened(text, *bounds, wanted)
        at = page.text.find(sought, at + 1)
    return None


def parts_word(text: str, offset: int) -> bool:
    """Tell whether an offset parts a word; some scripts have no blanks between theirs, so only ASCII counts."""
    around = text[offset - 1 : offset + 1] if offset else ""
    return len(around) == 2 and around.isascii() and around.replace("_", "a").isalnum()


def stable(text: str) -> str:
    """
    Return a text with a space for every character that may well stand there as another one.

    The words left are likely to be in every text that looks the same. Offsets stay, if `text` is composed (NFC).
    """
    if text.isascii():
        return text.replace("`", " ")
    return "".join(
        " " if ord(char) in _MARKS or unicodedata.decomposition(char) else char
        for char in unicodedata.normalize("NFC", text)
    )


def _letters(text: str) -> Iterator[tuple[int, int]]:
    """Yield the bounds of what must be folded together; between them stands what folds to nothing."""
    start = end = 0
    for at, char in enumerate(text):
        if _TABLE.get(ord(char)) == "":
            continue
        if end > start and _joins(char):
            end = at + 1
            continue
        if end > start:
            yield start, end
        start, end = at, at if char.isspace() else at + 1
    if end > start:
        yield start, end


@lru_cache(maxsize=4096)
def _joins(char: str) -> bool:
    """Whether a character may become one with a letter before it: an accent, or the rest of a Korean syllable."""
    first = unicodedata.normalize("NFKD", char)[0]
    return unicodedata.category(first).startswith("M") or "\u1160" <= first <= "\u11ff"


def _widened(text: str, start: int, end: int, wanted: str) -> tuple[int, int]:
    """Take in blanks at both ends where the wanted text has some."""
    before, after = wanted.split(wanted.strip(), 1)
    return start - _like(text[:start][::-1], before[::-1]), end + _like(text[end:], after)


def _like(text: str, blanks: str) -> int:
    """Return how many of the blanks at the start of a text stand for others: as many line breaks, and what follows."""
    run = text[: len(text) - len(text.lstrip())].split("\n")
    *broken, rest = blanks.split("\n")
    parts = run[: len(broken) + bool(rest)]
    return sum(map(len, parts)) + min(len(broken), len(run) - 1)
