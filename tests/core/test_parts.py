"""What parts a word, and what does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.parts import Part, parts_word


@pytest.mark.parametrize(
    ("text", "offset", "parted"),
    [("ab", 1, True), ("a_", 1, True), ("a1", 1, True), ("a b", 1, False), ("a-b", 1, False), ("中文", 1, False)],
)
def test_words_are_parted_between_their_letters(text: str, offset: int, parted: bool) -> None:
    assert parts_word(text, offset) is parted


@given(st.text())
def test_no_word_is_parted_at_the_ends_of_a_text(text: str) -> None:
    assert not parts_word(text, 0)
    assert not parts_word(text, len(text))


def test_a_part_looks_the_same_only_where_it_says_so() -> None:
    assert not Part(0, 1, 1.0).looks_same
