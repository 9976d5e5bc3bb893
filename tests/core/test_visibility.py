"""What nobody sees."""

from __future__ import annotations

import pytest

from mmtools.core.visibility import DECEIVING, is_unseen


def test_what_deceives_is_seen_by_nobody() -> None:
    """Tag characters, those kept for later among them, are so for whatever version of Unicode Python knows."""
    assert all(map(is_unseen, DECEIVING))
    assert {"\U000e0000", "\U000e0041", "\u202e", "\u2066", "\u2060", "\ufeff"} <= DECEIVING
    assert DECEIVING.isdisjoint("\u200c\u200d\ufe0f\xad")


@pytest.mark.parametrize(
    "char", ["\u3164", "\u2800", "\u115f", "\ufe0f", "\U000e0100", "\xa0", "\u200b", "\xad", "\x00"]
)
def test_blanks_and_controls_are_unseen(char: str) -> None:
    assert is_unseen(char)


def test_what_has_a_picture_is_seen_and_so_are_space_tab_and_line_feed() -> None:
    assert not any(map(is_unseen, " \n\ta漢é😀\u0301"))
