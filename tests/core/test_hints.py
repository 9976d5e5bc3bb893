"""The union of hints is closed and its members are values."""

from __future__ import annotations

from typing import get_args

import pytest

from mmtools.core import hints
from mmtools.core.copy_errors import CopyError
from mmtools.core.hints import AlreadyThere, Closest, Hint, LooksAlike, Misquoted, NothingAlike, Spot, Unwritable

SPOT = Spot(line=1, last_line=2, text="a\nb")


def test_every_hint_is_in_the_union() -> None:
    assert {kind.__name__ for kind in get_args(Hint)} == set(hints.__all__) - {"Hint", "Spot"}


@pytest.mark.parametrize(
    "hint",
    [
        Unwritable(0),
        LooksAlike(SPOT, ()),
        Misquoted(CopyError.NUMBERED, SPOT),
        AlreadyThere(SPOT),
        Closest(SPOT, (), 0.5),
        NothingAlike(),
    ],
)
def test_a_hint_is_a_value_and_does_not_print_the_files_text(hint: Hint) -> None:
    assert len({hint, hint}) == 1
    assert "a\\nb" not in repr(hint)
