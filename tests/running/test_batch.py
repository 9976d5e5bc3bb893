"""Who may run beside whom."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mmtools.call import ToolKind
from mmtools.running import batch

READ, EDIT, SEARCH, EXECUTE = ToolKind.READ, ToolKind.EDIT, ToolKind.SEARCH, ToolKind.EXECUTE
kinds = st.lists(st.sampled_from(ToolKind), max_size=12)


@given(kinds)
def test_every_call_is_in_exactly_one_group_and_order_is_kept(sent: list[ToolKind]) -> None:
    assert [position for group in batch.groups(sent) for position in group] == list(range(len(sent)))


@given(kinds)
def test_a_call_that_may_change_something_is_alone(sent: list[ToolKind]) -> None:
    for group in batch.groups(sent):
        if any(sent[position] not in {READ, SEARCH, ToolKind.FETCH, ToolKind.THINK} for position in group):
            assert len(group) == 1


def test_neighbouring_reads_share_a_group() -> None:
    assert batch.groups([READ, SEARCH, EDIT, READ, EXECUTE, EXECUTE]) == [
        range(0, 2),
        range(2, 3),
        range(3, 4),
        range(4, 5),
        range(5, 6),
    ]
