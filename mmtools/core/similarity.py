"""Which part of a small stretch of text is most like another text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import chain, islice

from attrs import frozen

from mmtools.core import alignment
from mmtools.core.confusables import parts_word

__all__ = ["Part", "closest", "likeness"]

#: Lines that differ and are compared by characters; the rest counts as different.
MOST_PAIRS = 12
#: Characters per line that are compared; difflib needs their square.
LONGEST = 160
#: The same for finding where in its line a text begins and ends.
LINE = 400
#: How far a part may be widened to whole words.
WORD = 40
#: Shorter runs of equal characters are chance.
SHORTEST_RUN = 3


@frozen
class Part:
    """
    A part of a text, and how alike it is to another.

    Args:
        start, end: Offsets; half-open.
        alike: From 0 to 1, blanks at the ends of lines left out.
        looks_same: Whether both look the same; then `alike` is 1.
    """

    start: int
    end: int
    alike: float
    looks_same: bool = False


def closest(text: str, wanted: str, near: int) -> Part:
    """
    Return the part that is most alike.

    Args:
        near: Where it seems to begin.
    """
    lines, wanted_lines = text.split("\n"), wanted.split("\n")
    windows = dict.fromkeys(_windows(lines, wanted_lines, text.count("\n", 0, near)))
    parts = []
    for first, last in windows:
        start = _offset(lines, first) + _left(lines[first], wanted_lines[0], whole=len(wanted_lines) > 1)
        end = max(start, _offset(lines, last) + _right(lines[last], wanted_lines[-1]))
        parts.append(Part(start, end, likeness(text[start:end], wanted)))
    return max(parts, key=lambda part: part.alike)


def likeness(one: str, other: str) -> float:
    """Return how much of two texts is in both, from 0 to 1; blanks at the ends of lines left out."""
    a, b = [line.strip() for line in one.split("\n")], [line.strip() for line in other.split("\n")]
    total = sum(map(len, a)) + sum(map(len, b))
    gaps = alignment.gaps(a, b)
    shared = sum(map(len, a)) - sum(len(line) for gap in gaps for line in a[gap.old_start : gap.old_end])
    pairs = (zip(a[gap.old_start : gap.old_end], b[gap.new_start : gap.new_end], strict=False) for gap in gaps)
    shared += sum(_shared(line, twin) for line, twin in islice(chain.from_iterable(pairs), MOST_PAIRS))
    return 2 * shared / total if total else 0.0


def _windows(lines: Sequence[str], wanted_lines: Sequence[str], near: int) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of as many lines as are wanted, and of a few more or less where some are new."""
    found, wanted = [line.strip() for line in lines], [line.strip() for line in wanted_lines]
    kept = _kept(found, wanted)
    weights: Counter[int] = Counter()
    for i, j, count in kept:
        weights[i - j] += sum(map(len, found[i : i + count]))
    shift = weights.most_common(1)[0][0] if weights else near
    slack = 2 + len(wanted) // 8
    around = [(i, j, count) for i, j, count in kept if abs(i - j - shift) <= slack] or [(shift, 0, 0)]
    (first_i, first_j, _), (last_i, last_j, _) = around[0], around[-1]
    for start, end in ((near, near), (shift, shift), (first_i - first_j, last_i - last_j)):
        first = min(max(start, 0), len(lines) - 1)
        yield first, min(max(end + len(wanted) - 1, first), len(lines) - 1)


def _kept(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int, int]]:
    """Return the stretches of equal lines: where they begin on both sides, and how many there are."""
    kept = []
    i, j = 0, 0
    for gap in alignment.gaps(a, b):
        kept.append((i, j, gap.old_start - i))
        i, j = gap.old_end, gap.new_end
    kept.append((i, j, len(a) - i))
    return [(i, j, count) for i, j, count in kept if any(a[i : i + count])]


def _offset(lines: Sequence[str], index: int) -> int:
    return sum(map(len, lines[:index])) + index


def _left(line: str, wanted: str, *, whole: bool) -> int:
    """
    Return where, in a line, what is like `wanted` begins.

    Args:
        whole: Whether more lines follow, so that an empty `wanted` is the line's end.
    """
    if not wanted.strip():
        return len(line) if whole and not wanted and line.strip() else 0
    runs = _runs(line[:LINE], wanted[:LINE])
    start = 0
    if runs:
        start = runs[0][0] - _past(line[: runs[0][0]][::-1], _letters(wanted[: runs[0][1]]))
    for _ in range(WORD):
        start -= parts_word(line, start)
    if line[:start].strip():
        return start
    return 0 if wanted[0].isspace() else len(line) - len(line.lstrip())


def _right(line: str, wanted: str) -> int:
    """Return where, in a line, what is like `wanted` ends."""
    if not wanted.strip():
        return 0
    runs = _runs(line[:LINE], wanted[:LINE])
    end = len(line)
    if runs:
        start, wanted_start, size = runs[-1]
        end = start + size + _past(line[start + size :], _letters(wanted[wanted_start + size :]))
    for _ in range(WORD):
        end += parts_word(line, end)
    if line[end:].strip():
        return end
    return len(line) if wanted[-1].isspace() else len(line.rstrip())


def _letters(text: str) -> int:
    return sum(not char.isspace() for char in text)


def _past(text: str, letters: int) -> int:
    """Return the offset behind so many characters that are not blank, or the text's end."""
    for offset, char in enumerate(text):
        if not letters:
            return offset
        letters -= not char.isspace()
    return len(text)


def _shared(one: str, other: str) -> int:
    prefix = alignment.shared_prefix(one, other)
    suffix = alignment.shared_suffix(one, other, prefix)
    one, other = one[prefix : len(one) - suffix], other[prefix : len(other) - suffix]
    return prefix + suffix + sum(size for _, _, size in _runs(one[:LONGEST], other[:LONGEST]))


def _runs(one: str, other: str) -> list[tuple[int, int, int]]:
    """Return the runs of equal characters: where they begin on both sides, and how long they are."""
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    least = min(SHORTEST_RUN, len(one), len(other)) or 1
    return [(block.a, block.b, block.size) for block in blocks if block.size >= least]
