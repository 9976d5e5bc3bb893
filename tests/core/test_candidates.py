"""Pieces vote for the place where the small text would begin."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from mmtools.core import candidates
from mmtools.core.candidates import Piece
from mmtools.testing.strategies import texts


@given(texts(max_pieces=30), st.sampled_from([candidates.lines, candidates.words, candidates.parts]))
def test_pieces_are_few_distinct_and_stand_in_the_text_but_for_their_case(text: str, pieces_of: object) -> None:
    assert callable(pieces_of)
    pieces = pieces_of(text)
    assert len(pieces) <= 2 * candidates.MOST_PIECES
    assert all(isinstance(piece, Piece) and piece.text and piece.text == piece.text.strip() for piece in pieces)


@given(texts(max_pieces=30))
def test_lines_stand_where_they_are_said_to(text: str) -> None:
    for piece in candidates.lines(text):
        assert text.startswith(piece.text, piece.offset)


@given(st.text("abc \n", min_size=1, max_size=40), st.text("xyz \n", max_size=40), st.text("xyz \n", max_size=40))
def test_a_text_that_is_there_is_among_the_candidates(small: str, before: str, after: str) -> None:
    found = candidates.candidates(before + small + after, candidates.lines(small), tolerance=4)
    if small.strip():
        assert any(one.first <= len(before) <= one.last for one in found)


def test_the_place_with_most_votes_comes_first_and_others_are_not_near() -> None:
    rng = random.Random(1)
    lines = [f"{rng.choice(['alpha', 'beta', 'gamma'])} {rng.randrange(50)}" for _ in range(2_000)]
    lines[1_200:1_204] = ["one thing", "two things", "three things", "four things"]
    lines[300] = "two things"
    text = "\n".join(lines)
    found = candidates.candidates(text, candidates.lines("\n".join(lines[1_200:1_204])), tolerance=20)
    assert found[0].first == text.index("one thing")
    assert all(abs(one.first - other.first) > 20 for one in found for other in found if one is not other)
    assert len(found) <= candidates.MOST_CANDIDATES
