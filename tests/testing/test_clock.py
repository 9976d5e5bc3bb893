"""The fixed clock moves only when told to."""

from __future__ import annotations

import pytest

from mmtools.testing.clock import FixedClock


def test_it_stands_still_until_advanced() -> None:
    clock = FixedClock(100)
    assert (clock(), clock()) == (100, 100)
    clock.advance(2.5)
    clock.advance(0)
    assert clock() == 102.5


def test_it_does_not_go_back() -> None:
    with pytest.raises(ValueError, match="does not go back"):
        FixedClock().advance(-1)
