"""
The shortest script that makes one sequence of lines out of another, as far as it is cheap to find.

Myers' greedy search: with d differences, how far can one get on each diagonal? The rows of answers are
kept, so the way can be walked back.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TypeAlias

from attrs import define

__all__ = ["MOST_STEPS", "Effort", "Point", "Unpaired", "search"]

#: Points that one search, or several together, may visit: some 100 ms.
MOST_STEPS = 500_000

#: Ascending indices of the items that have no partner: of the old sequence, of the new one.
Unpaired: TypeAlias = tuple[list[int], list[int]]
#: An index on each side.
Point: TypeAlias = tuple[int, int]


@define
class Effort:
    """The count of the points that may still be visited."""

    left: int = MOST_STEPS


def search(a: list[str], b: list[str], most: int, effort: Effort) -> tuple[Unpaired, Point]:
    """
    Follow a shortest script, or the start of one when it is too long.

    Args:
        most: Differences after which the search ends.

    Returns:
        What has no partner, and how far on both sides it was sought: the two lengths when to the end.
    """
    n, m = len(a), len(b)
    rows: list[list[int]] = []
    starts = [0]
    for d in range(min(most, n + m) + 1):
        rows.append(_slide(a, b, starts))
        goal, odd = divmod(n - m + d, 2)
        if not odd and 0 <= goal <= d and rows[d][goal] >= n:
            return _trace(rows, goal), (n, m)
        effort.left -= sum(rows[d]) - sum(starts) + d + 1
        if effort.left < 0:
            break
        starts = _starts(rows[d])
    d = len(rows) - 1
    # A point may lie beyond an end, but not that of the way which leads to both ends at last.
    inside = [i for i, x in enumerate(rows[d]) if x <= n and x - (2 * i - d) <= m]
    best = max(inside, key=lambda i: rows[d][i] - i)
    return _trace(rows, best), (rows[d][best], rows[d][best] - (2 * best - d))


def _starts(row: list[int]) -> list[int]:
    """
    Take one more difference: on each diagonal one item more of `b`, or of `a`, whichever is further.

    Args:
        row: How far in `a` each diagonal got with d differences; item i is diagonal 2i - d.
    """
    return [row[0], *(max(down, right + 1) for right, down in pairwise(row)), row[-1] + 1]


def _slide(a: list[str], b: list[str], starts: list[int]) -> list[int]:
    """Go on along every diagonal as far as both sides are equal."""
    n, m = len(a), len(b)
    row = []
    diagonal = 1 - len(starts)
    for start in starts:
        x, y = start, start - diagonal
        while x < n and y < m and a[x] == b[y]:
            x += 1
            y += 1
        row.append(x)
        diagonal += 2
    return row


def _trace(rows: list[list[int]], index: int) -> Unpaired:
    """Walk back from a point of the last row: each row gave one item of `a` or of `b`."""
    removed: list[int] = []
    added: list[int] = []
    for d in range(len(rows) - 1, 0, -1):
        before = rows[d - 1]
        if index == d or (index and before[index - 1] + 1 > before[index]):
            index -= 1
            removed.append(before[index])
        else:
            added.append(before[index] - (2 * index - (d - 1)))
    return removed[::-1], added[::-1]
