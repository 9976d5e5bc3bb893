"""Folding forgets blanks, case and look-alikes, and nothing else."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core import confusables
from mmtools.core.confusables import fold, folded, parts_word, stable
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


@given(texts())
def test_letter_by_letter_the_fold_is_the_same_and_every_letter_leads_back_to_what_it_was_made_of(text: str) -> None:
    page = folded(text)
    assert page.text == fold(text)
    for start, end in zip(page.starts, page.ends, strict=True):
        assert fold(text[start:end]) in page.text
    for start in range(len(page.text)):
        for end in range(start + 1, min(start + 4, len(page.text)) + 1):
            origin = page.origin(start, end)
            assert origin is None or fold(text[slice(*origin)]) == page.text[start:end]


@pytest.mark.parametrize(
    ("text", "part", "origin"),
    [
        pytest.param("a\tb", "ab", "a\tb", id="a blank between"),
        pytest.param("xe\u0301y", "\u00e9", "e\u0301", id="a letter and its accent"),
        pytest.param("xe\u200b\u0301y", "\u00e9", "e\u200b\u0301", id="with something unseen between them"),
        pytest.param("a\u200b b", "a", "a", id="nothing unseen at the end"),
        pytest.param("\u1112\u1161\u11ab.", "\ud55c", "\u1112\u1161\u11ab", id="a syllable from its parts"),
        pytest.param("ﬁn", "fi", "ﬁ", id="a ligature"),
        pytest.param("ﬁn", "in", None, id="half a ligature"),
    ],
)
def test_a_part_of_a_folded_text_has_an_origin(text: str, part: str, origin: str | None) -> None:
    page = folded(text)
    start = page.text.index(part)
    bounds = page.origin(start, start + len(part))
    assert (bounds and text[slice(*bounds)]) == origin


def part_of(text: str, wanted: str) -> str | None:
    part = confusables.find(text, wanted)
    return None if part is None else text[part[0] : part[1]]


@given(texts(max_pieces=20), texts(max_pieces=8).filter(str.strip))
def test_a_twin_looks_the_same(text: str, wanted: str) -> None:
    part = part_of(text, wanted)
    if part is not None:
        assert fold(part) == fold(wanted)
    if fold(wanted):
        assert part_of(f" {wanted} ", wanted) is not None


@pytest.mark.parametrize(
    ("text", "wanted", "part"),
    [
        pytest.param("\tfoo(1)\n", "  foo(1)", "\tfoo(1)", id="the indent when one is wanted"),
        pytest.param("\tfoo(1) \n", "foo( 1 )", "foo(1)", id="no blanks when none are"),
        pytest.param("a\n\n\tb\n", "\n b\n", "\n\tb\n", id="as many line breaks"),
        pytest.param("a\tb  \nc", "b\n", "b  \n", id="blanks before the line break"),
        pytest.param("a\tb", "b\n\n", "b", id="what there is"),
        pytest.param("a e\u0301 b", "\u00e9", "e\u0301", id="a letter with its accent"),
        pytest.param("max=10", "x = 1", None, id="no part of a word"),
        pytest.param("x1 x  =  1", "x = 1", "x  =  1", id="the first that parts no word"),
        pytest.param("这中文\u3000测试了", "中文 测试", "中文\u3000测试", id="a script without blanks"),
    ],
)
def test_the_ends_of_a_twin_are_where_the_wanted_text_has_them(text: str, wanted: str, part: str | None) -> None:
    assert part_of(text, wanted) == part


def test_text_made_to_be_slow_is_given_up() -> None:
    started = time.thread_time()
    assert confusables.find("aa" * 5_000, "a a") is None
    assert time.thread_time() - started < 20


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
