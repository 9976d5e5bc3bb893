"""Gaps leave equal lines between them, are shortest when few lines differ, and cost a bounded effort."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core import alignment

LINES = st.lists(st.sampled_from("abc"), max_size=14) | st.lists(st.sampled_from("abcdefghij"), max_size=14)


def differing(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Check that gaps describe the two sequences, and count what they hold on each side."""
    i = j = removed = added = 0
    found = alignment.gaps(old, new)
    for index, gap in enumerate(found):
        assert index == 0 or (gap.old_start > i and gap.new_start > j)
        assert old[i : gap.old_start] == new[j : gap.new_start]
        assert gap.old_end > gap.old_start or gap.new_end > gap.new_start
        removed += gap.old_end - gap.old_start
        added += gap.new_end - gap.new_start
        i, j = gap.old_end, gap.new_end
    assert old[i:] == new[j:]
    return removed, added


def longest_common(old: Sequence[str], new: Sequence[str]) -> int:
    """Count the longest common subsequence by the textbook's table."""
    row = [0] * (len(new) + 1)
    for item in old:
        below = [0]
        for j, other in enumerate(new):
            below.append(row[j] + 1 if item == other else max(row[j + 1], below[j]))
        row = below
    return row[-1]


@given(LINES, LINES)
def test_few_differences_are_as_few_as_possible(old: list[str], new: list[str]) -> None:
    common = longest_common(old, new)
    assert differing(old, new) == (len(old) - common, len(new) - common)


@given(st.lists(st.integers(0, 30).map(str), max_size=40), st.randoms(use_true_random=False))
def test_a_sequence_differs_from_itself_nowhere_and_from_a_shuffle_consistently(
    old: list[str], rng: random.Random
) -> None:
    assert alignment.gaps(old, old) == ()
    differing(old, rng.sample(old, len(old)))


@given(st.text("ab", max_size=30), st.text("ab", max_size=30))
def test_shared_ends_are_the_longest_and_do_not_overlap(a: str, b: str) -> None:
    prefix = alignment.shared_prefix(a, b)
    assert a[:prefix] == b[:prefix]
    assert a[prefix : prefix + 1] != b[prefix : prefix + 1] or prefix == min(len(a), len(b))
    suffix = alignment.shared_suffix(a, b, prefix)
    assert prefix + suffix <= min(len(a), len(b))
    assert a[len(a) - suffix :] == b[len(b) - suffix :]
    if prefix + suffix < min(len(a), len(b)):
        assert a[len(a) - suffix - 1] != b[len(b) - suffix - 1]


def test_shared_ends_are_found_across_the_blocks_in_which_they_are_compared() -> None:
    size = 3 * alignment.BLOCK + 5
    for at in (0, 1, alignment.BLOCK - 1, alignment.BLOCK, alignment.BLOCK + 1, 2 * alignment.BLOCK, size - 1):
        other = "a" * at + "b" + "a" * (size - at - 1)
        assert alignment.shared_prefix("a" * size, other) == at
        assert alignment.shared_suffix("a" * size, other) == size - at - 1


def test_few_changes_in_a_repetitive_file_stay_few() -> None:
    rng = random.Random(1)
    old = [rng.choice("abc") for _ in range(10_000)]
    new = list(old)
    for place in rng.sample(range(len(new)), 22):
        new[place] = f"changed {place}"
    assert differing(old, new) == (22, 22)


@pytest.mark.slow
def test_whatever_the_lines_are_the_effort_is_bounded() -> None:
    rng = random.Random(2)
    unlike = [str(number) for number in range(40_000)]
    alike = [str(rng.randrange(101)) for _ in range(40_000)]
    hostile = [
        (unlike, rng.sample(unlike, len(unlike))),
        (alike, rng.sample(alike, len(alike))),
        (unlike, [f"{line}!" for line in unlike]),
        (["", "a"] * 20_000, ["a", "", ""] * 13_000),
        ([""] * 30_000 + ["x"] + [""] * 300, [""] * 300 + ["x"] + [""] * 30_000),
        (["a", "b"] * 5, ["b", "a"] * 20_000),
    ]
    for old, new in hostile:
        started = time.thread_time()
        removed, added = differing(old, new)
        assert time.thread_time() - started < 20
        assert len(old) - removed == len(new) - added


def test_many_changes_still_keep_most_of_what_is_common() -> None:
    """Past the limit the answer need not be shortest, but must not give up the whole file."""
    rng = random.Random(3)
    old = [f"{number} {rng.random()}" if number % 10 == 0 else rng.choice("abc") for number in range(6_000)]
    new = [f"new {number}" if rng.random() < 0.2 else line for number, line in enumerate(old)]
    removed, added = differing(old, new)
    changed = sum(before != after for before, after in zip(old, new, strict=True))
    assert removed == added
    assert removed < 2 * changed
