"""
Where in a large text something like a small one may stand, found by pieces that stand there exactly.

Each piece is looked for with `str.find`, so the large text is never split, and a few passes over it are
all that is spent. A piece found votes for the place where the small text would then begin.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from attrs import frozen

from mmtools.core.confusables import stable

__all__ = ["Candidate", "Piece", "candidates", "lines", "parts", "words"]

#: Pieces looked for at each turn: each costs up to one pass.
MOST_PIECES = 4
#: Occurrences of one piece that vote; a piece that occurs more often says little.
MOST_VOTES = 500
#: Candidates that are worth a closer look.
MOST_CANDIDATES = 5
#: Characters of the small text that give pieces; enough to tell any place from any other.
LONGEST = 8_000
_LINE = re.compile(r"\S(?:.*\S)?")
_WORD = re.compile(r"\w+")
_PART = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}|\d{4,}")


@frozen
class Piece:
    """
    A part of the small text.

    Args:
        offset: Where it begins there.
    """

    text: str
    offset: int


@frozen
class Candidate:
    """The offsets of the large text between which the small one seems to begin."""

    first: int
    last: int


def lines(text: str) -> list[Piece]:
    """Return the longest lines, blanks at both ends taken off."""
    return _longest([Piece(match[0], match.start()) for match in _LINE.finditer(text[:LONGEST])])


def words(text: str) -> list[Piece]:
    """Return the longest words, without characters that are often written otherwise."""
    composed = unicodedata.normalize("NFC", text[:LONGEST])
    return _longest([Piece(match[0], match.start()) for match in _WORD.finditer(stable(composed))])


def parts(text: str) -> list[Piece]:
    """Return what the longest words consist of, sub-words or halves, and these words in another case."""
    found: list[Piece] = []
    for word in words(text)[:2]:
        inside = [(match[0], match.start()) for match in _PART.finditer(word.text)]
        if len(inside) < 2:
            half = len(word.text) // 2
            inside = [(word.text[:half], 0), (word.text[half:], half)]
        cased = {word.text.lower(), word.text.upper(), word.text.capitalize()} - {word.text}
        parts = [*inside, *((other, 0) for other in sorted(cased))]
        found += (Piece(part, word.offset + offset) for part, offset in parts if len(part) > 2)
    return found[:MOST_PIECES]


def candidates(text: str, pieces: Sequence[Piece], tolerance: int) -> list[Candidate]:
    """
    Find the places that most pieces vote for, rare and long ones counting more.

    Args:
        tolerance: How many characters two votes for one place may lie apart.

    Returns:
        The best first, at most 5, none near another.
    """
    votes: list[tuple[int, int]] = []
    weights = []
    for index, piece in enumerate(pieces):
        places = [place - piece.offset for place in _places(text, piece.text)]
        weights.append(len(piece.text) / (len(places) or 1))
        votes += ((place, index) for place in places)
    votes.sort()
    best: list[Candidate] = []
    for _, candidate in sorted(_groups(votes, weights, tolerance), key=lambda group: -group[0]):
        if all(abs(candidate.first - other.first) > tolerance for other in best):
            best.append(candidate)
        if len(best) == MOST_CANDIDATES:
            break
    return best


def _longest(pieces: list[Piece]) -> list[Piece]:
    """Choose the longest pieces, each text once; those of one or two characters only if there are no others."""
    first = {piece.text: piece for piece in reversed(pieces)}
    ranked = sorted(first.values(), key=lambda piece: (-len(piece.text), piece.offset))[:MOST_PIECES]
    return [piece for piece in ranked if len(piece.text) > 2] or ranked


def _places(text: str, piece: str) -> Iterator[int]:
    at = text.find(piece)
    for _ in range(MOST_VOTES):
        if at < 0:
            return
        yield at
        at = text.find(piece, at + len(piece))


def _groups(
    votes: Sequence[tuple[int, int]], weights: Sequence[float], tolerance: int
) -> Iterator[tuple[float, Candidate]]:
    """Weigh the votes around each vote; each piece counts once in a group."""
    inside: Counter[int] = Counter()
    end = 0
    for first, piece in votes:
        while end < len(votes) and votes[end][0] <= first + tolerance:
            inside[votes[end][1]] += 1
            end += 1
        yield sum(weights[index] for index in inside), Candidate(first, votes[end - 1][0])
        inside[piece] -= 1
        if not inside[piece]:
            del inside[piece]
