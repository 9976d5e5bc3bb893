"""How often a text occurs in another, overlapping places included: `aa` is twice in `aaa`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TypeAlias

from attrs import frozen

__all__ = ["Never", "Occurrences", "Often", "Once", "count", "places"]

#: Occurrences whose lines are told: enough to choose from (ours).
_MAX_LINES = 10
#: Occurrences counted one by one; beyond, "more" is all that helps (ours).
_MAX_COUNT = 10_000
#: Characters that may be compared to count them: hostile input costs some 0.1 s (ours).
_MAX_COMPARED = 20_000_000


@frozen
class Never:
    """The finding that it does not occur."""


@frozen
class Once:
    """
    The finding that it occurs in one place.

    Args:
        offset: 0-based.
    """

    offset: int


@frozen
class Often:
    """
    The finding that it occurs in several places.

    Args:
        count: At least two.
        lines: 1-based, where each of the first ten starts; one line may be named twice.
        more: Whether counting stopped at `count` although there are more.
    """

    count: int
    lines: tuple[int, ...]
    more: bool = False


Occurrences: TypeAlias = Never | Once | Often


def count(text: str, part: str) -> Occurrences:
    """
    Count the places of `part` in `text`; in time linear in both.

    Args:
        part: Not empty.
    """
    first = text.find(part)
    if first < 0:
        return Never()
    if text.find(part, first + 1) < 0:
        return Once(first)
    return _count_from(text, part, first)


def places(text: str, part: str) -> Iterator[tuple[int, int]]:
    """
    Yield the offset and the 1-based line of every place of `part` in `text`.

    Args:
        part: Not empty.
    """
    line, counted = 1, 0
    at = text.find(part)
    while at >= 0:
        line += text.count("\n", counted, at)
        counted = at
        yield at, line
        at = text.find(part, at + 1)


def _count_from(text: str, part: str, first: int) -> Often:
    limit = max(2 * _MAX_LINES, min(_MAX_COUNT, _MAX_COMPARED // len(part)))
    lines = tuple(line for _, line in islice(places(text, part), _MAX_LINES))
    found, at = 0, first
    while at >= 0 and found < limit:
        found += 1
        at = text.find(part, at + 1)
    return Often(found, lines, more=at >= 0)
