"""Folding forgets blanks, case and look-alikes, and nothing else."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.confusables import fold, stable
from mmtools.testing.strategies import texts


@given(texts())
def test_every_normal_form_of_a_text_looks_the_same(text: str) -> None:
    for same in (unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)):
        assert fold(same) == fold(text)


@given(st.text(st.characters(codec="ascii")))
def test_ascii_text_loses_only_blanks_case_and_the_backquote(text: str) -> None:
    assert fold(text) == "".join(text.lower().replace("`", "'").split())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a\u00a0b", "a b"),
        ("“x” ‘y’", "\"x\" 'y'"),
        ("a — b – c − d", "a - b - c - d"),
        ("a\u200bb\ufeffc\u00add", "abcd"),
        ("\uff41\uff08\uff09", "a()"),
        ("ﬁn…", "fin..."),
        ("p\u0430ssw\u043erd", "password"),
        ("Straße", "STRASSE"),
    ],
)
def test_what_looks_the_same_folds_to_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("a", "b"), ("é", "e"), ("0", "O"), ("_", "-"), ("(", "[")])
def test_what_does_not_look_the_same_stays_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(texts())
def test_what_is_stable_stands_in_every_composed_text_at_its_place(text: str) -> None:
    composed = unicodedata.normalize("NFC", text)
    kept = stable(composed)
    assert len(kept) == len(composed)
    assert all(char in (" ", composed[at]) for at, char in enumerate(kept))
    assert stable("naïve “quote” — \u00a0日本") == "na ve  quote     日本"
