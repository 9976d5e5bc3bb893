"""What laws are made of tells what went wrong, and passes what did not."""

from __future__ import annotations

import ast
import threading
from functools import partial
from pathlib import Path

import pytest

from mmtools import testing
from mmtools.ports.files import BadPath, Missing, Place
from mmtools.testing.conformance.acts import LawsBroken, fails, hold, side_by_side

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


def keeps(value: int) -> None:
    """Require that a number is small, and say so over
    two lines.

    Not this.
    """
    if value >= 3:
        raise AssertionError(f"{value} is large\nvery large")


def is_even(value: int) -> None:
    """Require that a number is even."""
    if value % 2:
        raise AssertionError(f"{value} is odd")


def divides(value: int) -> None:
    """Require that one can be divided by it."""
    if not 1 / value:
        raise AssertionError("nothing is left")


def test_laws_that_are_kept_are_silent() -> None:
    hold([partial(law, 2) for law in (keeps, is_even, divides)])


def test_every_law_that_is_broken_is_told_in_the_order_of_the_laws() -> None:
    with pytest.raises(LawsBroken) as caught:
        hold([partial(law, 5) for law in (is_even, divides, keeps)])
    assert str(caught.value) == (
        "2 broken, the most dangerous first\n"
        "is_even: Require that a number is even.\n"
        "  5 is odd\n"
        "keeps: Require that a number is small, and say so over two lines.\n"
        "  5 is large\n"
        "  very large"
    )


def test_an_exception_is_told_beside_a_broken_law_and_comes_out_alone() -> None:
    with pytest.raises(LawsBroken, match=r"divides: .*\n  raised ZeroDivisionError.*\nis_even: "):
        hold([partial(divides, 0), partial(is_even, 1)])
    with pytest.raises(ZeroDivisionError) as caught:
        hold([partial(divides, 0), partial(is_even, 0)])
    assert caught.value.__notes__ == [
        "divides: Require that one can be divided by it.\n  raised ZeroDivisionError('division by zero')"
    ]


def test_no_law_is_broken_without_a_word() -> None:
    offenders = [
        f"{file.name}:{node.lineno}"
        for file in Path(testing.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Assert) and node.msg is None
    ]
    assert offenders == []
