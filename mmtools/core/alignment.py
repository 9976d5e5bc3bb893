"""
Where two sequences of lines differ; as few lines as possible when few do.

The work is bounded whatever the lines are: first a shortest script (Myers) up to a limit, then lines
that occur once on both sides as anchors, and between those one stretch after another.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence, Set
from itertools import pairwise

from attrs import frozen

from mmtools.core import myers
from mmtools.core.myers import Effort, Point, Unpaired

__all__ = ["Gap", "gaps", "shared_prefix", "shared_suffix"]

#: Largest slice that is compared at once; past some 64 KB a larger one is no faster.
BLOCK = 1 << 16
#: Differences after which the search for a shortest script ends: some 50 ms, for it costs their square.
MOST_DIFFERENCES = 600
#: The same for one stretch between anchors.
STRETCH_DIFFERENCES = 100


@frozen
class Gap:
    """
    Lines of the old sequence, and those of the new one that stand against them; one side may be empty.

    Args:
        old_start, old_end: Half-open, 0-based, in the old sequence.
        new_start, new_end: The same in the new one.
    """

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def gaps(old: Sequence[str], new: Sequence[str]) -> tuple[Gap, ...]:
    """
    Find where two sequences differ.

    Returns:
        In order, never touching one another; what lies between them is equal on both sides. As few
        lines as possible when a few hundred differ, else a good deal fewer than all.
    """
    start = shared_prefix(old, new)
    end = shared_suffix(old, new, start)
    old_end, new_end = len(old) - end, len(new) - end
    if start in (old_end, new_end):
        return (Gap(start, old_end, start, new_end),) if old_end != new_end else ()
    both = set(old[start:old_end]) & set(new[start:new_end])
    if not both:
        return (Gap(start, old_end, start, new_end),)
    removed, added = _unpaired(old[start:old_end], new[start:new_end], both)
    # An item's index less the unpaired items before it counts the pairs before it: equal in one gap.
    of_old = Counter(index - rank for rank, index in enumerate(removed))
    of_new = Counter(index - rank for rank, index in enumerate(added))
    found = []
    i, j = start, start
    for pairs in sorted(of_old.keys() | of_new.keys()):
        found.append(Gap(i + pairs, i + pairs + of_old[pairs], j + pairs, j + pairs + of_new[pairs]))
        i, j = i + of_old[pairs], j + of_new[pairs]
    return tuple(found)


def shared_prefix(a: Sequence[str], b: Sequence[str]) -> int:
    """Count the items at the start that are equal; two strings compare by characters."""
    low, high = 0, min(len(a), len(b))
    while low < high and a[low : low + BLOCK] == b[low : low + BLOCK]:
        low = min(low + BLOCK, high)
    high = min(low + BLOCK, high)
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def shared_suffix(a: Sequence[str], b: Sequence[str], prefix: int = 0) -> int:
    """Count the items at the end that are equal, the first `prefix` ones left out."""
    n, m = len(a), len(b)
    low, high = 0, min(n, m) - prefix

    def equal(start: int, end: int) -> bool:
        return a[n - end : n - start] == b[m - end : m - start]

    while low < high and equal(low, min(low + BLOCK, high)):
        low = min(low + BLOCK, high)
    high = min(low + BLOCK, high)
    while low < high:
        middle = (low + high + 1) // 2
        if equal(low, middle):
            low = middle
        else:
            high = middle - 1
    return low


def _unpaired(old: Sequence[str], new: Sequence[str], both: Set[str]) -> Unpaired:
    """Leave out first what only one side has: it has no partner whatever the alignment."""
    a = [i for i, line in enumerate(old) if line in both]
    b = [j for j, line in enumerate(new) if line in both]
    removed, added = _align([old[i] for i in a], [new[j] for j in b])
    alone_old = [i for i, line in enumerate(old) if line not in both]
    alone_new = [j for j, line in enumerate(new) if line not in both]
    return sorted([*alone_old, *(a[i] for i in removed)]), sorted([*alone_new, *(b[j] for j in added)])


def _align(a: list[str], b: list[str]) -> Unpaired:
    unpaired, end = myers.search(a, b, MOST_DIFFERENCES, Effort())
    if end == (len(a), len(b)):
        return unpaired
    removed: list[int] = []
    added: list[int] = []
    effort = Effort()
    for (i, j), (i_next, j_next) in pairwise([(-1, -1), *_anchors(a, b), (len(a), len(b))]):
        of_a, of_b = _stretches(a[i + 1 : i_next], b[j + 1 : j_next], effort)
        removed += (i + 1 + index for index in of_a)
        added += (j + 1 + index for index in of_b)
    return removed, added


def _anchors(a: list[str], b: list[str]) -> list[Point]:
    """Pair the lines that occur once on both sides, as many as keep their order."""
    once = _once(a) & _once(b)
    place = {line: j for j, line in enumerate(b) if line in once}
    ends: list[int] = []  # in b: where the best chain of each length ends
    last: list[int] = []  # the same as an index of `chains`
    chains: list[tuple[Point, int]] = []  # a pair, and the index of the one before it
    for i, line in enumerate(a):
        if line not in once:
            continue
        rank = bisect_left(ends, place[line])
        last[rank : rank + 1] = [len(chains)]
        ends[rank : rank + 1] = [place[line]]
        chains.append(((i, place[line]), last[rank - 1] if rank else -1))
    longest: list[Point] = []
    index = last[-1] if last else -1
    while index >= 0:
        pair, index = chains[index]
        longest.append(pair)
    return longest[::-1]


def _once(lines: list[str]) -> set[str]:
    return {line for line, count in Counter(lines).items() if count == 1}


def _stretches(a: list[str], b: list[str], effort: Effort) -> Unpaired:
    """Align stretch by stretch, each as far as it gets with few differences; the rest stays unpaired."""
    removed: list[int] = []
    added: list[int] = []
    i, j = 0, 0
    while i < len(a) and j < len(b) and effort.left > 0:
        (of_a, of_b), (far_a, far_b) = myers.search(a[i:], b[j:], STRETCH_DIFFERENCES, effort)
        removed += (i + index for index in of_a)
        added += (j + index for index in of_b)
        i, j = i + far_a, j + far_b
    return [*removed, *range(i, len(a))], [*added, *range(j, len(b))]
