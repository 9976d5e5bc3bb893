"""What nobody sees is not in what everybody reads."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mmtools.core.visibility import DECEIVING, is_unseen
from mmtools.core.web.invisible_characters import is_binary, plain


@given(st.text(max_size=100))
def test_no_control_or_hidden_character_is_left(text: str) -> None:
    kept = plain(text)
    assert all(char in "\t\n\r\x85" or unicodedata.category(char) != "Cc" for char in kept.text)
    assert DECEIVING.isdisjoint(kept.text)
    assert len(kept.text.encode()) >= len(kept.text)
    assert plain(kept.text).text == kept.text
    assert kept.dropped == len(text) - len(kept.text) >= 0


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters=DECEIVING), max_size=100))
@example("\u200d\ufe0f\xad\u0378\ue000")
def test_what_does_not_deceive_stays_also_where_it_is_not_seen(text: str) -> None:
    assert plain(text).text == text
    assert plain(text + "\r\n\t").text == text + "\r\n\t"
    assert not is_binary(text)


@pytest.mark.slow
def test_nothing_that_is_seen_goes() -> None:
    """Of all characters there are but ESC, which takes others with it, and halves of surrogate pairs."""
    everything = [chr(code) for code in range(0x110000) if code != 0x1B and not 0xD800 <= code < 0xE000]
    gone = set(everything).difference(plain("".join(everything)).text)
    assert all(map(is_unseen, gone))
    assert {char for char in gone if unicodedata.category(char) != "Cc"} == DECEIVING
    assert "\U000e0000" in gone


def test_what_moves_a_terminal_is_gone() -> None:
    assert plain("a\x1b[2Jb\x1b]0;t\x07c\x9b31md\x08e\rf\fg").text == "abc31mde\nf\ng"
    assert plain("\ud83d").text == "?"
    assert plain("a\ufeffb").dropped == 1


def test_binary_is_known_by_its_controls() -> None:
    assert is_binary("\x00\x01\x02" * 100)
    assert is_binary("\x89PNG\r\n\x1a\n" + "\0\0\0\rIHDR" * 5)
    assert not is_binary("text with one \0 and \x1b[31mcolour\x1b[0m" * 3)
    assert not is_binary("")
