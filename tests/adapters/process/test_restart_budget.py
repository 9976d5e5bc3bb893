"""So many starts within so long a time."""

from __future__ import annotations

from mmtools.adapters.process.restart_budget import RestartBudget
from mmtools.testing.clock import FixedClock


def test_no_more_than_so_many_starts_are_counted_within_so_long() -> None:
    clock = FixedClock()
    budget = RestartBudget(2, 10, clock)
    assert budget.spend()
    clock.advance(5)
    assert budget.spend()
    assert not budget.spend()
    clock.advance(4)
    assert not budget.spend()
    clock.advance(1)
    assert budget.spend()
    assert not budget.spend()
    clock.advance(5)
    assert budget.spend()


def test_a_start_that_counts_for_none_may_be_made_again() -> None:
    budget = RestartBudget(1, 10, FixedClock())
    for _ in range(3):
        assert budget.spend()
        budget.refund()
    assert budget.spend()
    assert not budget.spend()
