"""A search leaves equal items on both sides, to the end or as far as it got."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.myers import Effort, search

LINES = st.lists(st.sampled_from("abc"), max_size=14)


@given(LINES, LINES, st.integers(0, 12), st.integers(0, 60))
def test_what_is_left_is_equal_as_far_as_the_search_got(a: list[str], b: list[str], most: int, left: int) -> None:
    (removed, added), (far_a, far_b) = search(a, b, most, Effort(left))
    assert [item for i, item in enumerate(a[:far_a]) if i not in removed] == [
        item for j, item in enumerate(b[:far_b]) if j not in added
    ]
    assert removed == sorted(set(removed))
    assert added == sorted(set(added))
    assert len(removed) + len(added) <= most
    if (far_a, far_b) != (len(a), len(b)) and most and left:
        assert far_a + far_b > 0


def test_effort_is_counted_and_shared() -> None:
    effort = Effort(1_000)
    search(["a", "b"] * 20, ["b", "a", "c"] * 20, 100, effort)
    assert effort.left < 1_000
