"""What laws are made of tells what went wrong, and passes what did not."""

from __future__ import annotations

import threading

import pytest

from mmtools.ports.files import BadPath, Missing, Place
from mmtools.testing.conformance.acts import fails, side_by_side

PROBLEM = Missing(Place("a", "/a"))


def raises(problem: Exception) -> object:
    raise problem


def test_the_problem_that_was_due_is_returned_and_anything_else_is_told() -> None:
    assert fails(Missing, raises, PROBLEM) is PROBLEM
    with pytest.raises(AssertionError, match="Missing was due, and there was the answer 'a'"):
        fails(Missing, str, "a")
    with pytest.raises(Missing):
        fails(BadPath, raises, PROBLEM)


def test_acts_are_done_at_once_and_the_first_failure_is_told() -> None:
    met = threading.Barrier(3, timeout=20)
    side_by_side([met.wait] * 3, patience_s=20)
    with pytest.raises(AssertionError, match=r"raised between threads: ValueError\('x'\)"):
        side_by_side([lambda: raises(ValueError("x")), dict], patience_s=20)


def test_an_act_that_does_not_end_is_told() -> None:
    end = threading.Event()
    try:
        with pytest.raises(AssertionError, match="still waiting"):
            side_by_side([end.wait], patience_s=0.01)
    finally:
        end.set()
