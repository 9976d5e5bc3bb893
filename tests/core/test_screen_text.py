"""Text made fit for a screen: nothing can move the cursor, and what is decided on is all there."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core import screen_text
from mmtools.testing.conformance.displays import HOSTILE

#: Every character there is, the troublesome ones often.
ANYTHING = st.text(
    st.one_of(
        st.sampled_from(
            "\x1b[]0;m\x07\x9b\x9d\x85\r\n\t\b\x00\x7f\u202e\u2066\u200f\u061c\u2028\ud800\u3164\ufe0f ⟨a漢é"
        ),
        st.characters(exclude_categories=[]),
    )
)
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def controls(text: str) -> list[str]:
    return [
        char
        for char in text
        if (unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") and char not in "\n\t") or char in BIDI
    ]


@given(ANYTHING)
def test_plain_text_holds_no_control_and_can_be_encoded(text: str) -> None:
    shown = screen_text.plain(text)
    assert controls(shown) == []
    shown.encode("utf-8")


@pytest.mark.parametrize("text", HOSTILE)
def test_plain_text_of_each_hostile_kind_holds_no_control(text: str) -> None:
    assert controls(screen_text.plain(text)) == []


@given(st.text(st.characters(categories=["L", "N", "P", "S"], include_characters=" \t\n")))
def test_plain_leaves_readable_text_alone(text: str) -> None:
    assert screen_text.plain(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a\r\nb", "a\nb"), ("10%\r100%\r", "10%\n100%\n"), ("\x1b[31mred\x1b[0m", "red"), ("a\u202eb", "a⟨U+202E⟩b")],
)
def test_plain_ends_a_line_where_it_would_be_overwritten(text: str, shown: str) -> None:
    assert screen_text.plain(text) == shown


@given(ANYTHING)
def test_spelled_text_is_visible_and_loses_nothing(text: str) -> None:
    """The original can be read back, unless it held such a spelling itself."""
    shown = screen_text.spelled(text)
    assert controls(shown) == []
    assert all(char.isprintable() or char in "\n\t" for char in shown)
    assert screen_text.invisible_characters(shown) == 0
    if not screen_text.SPELLED.search(text):
        assert screen_text.SPELLED.sub(lambda match: chr(int(match[0][3:-1], 16)), shown) == text
        assert len(screen_text.SPELLED.findall(shown)) == screen_text.invisible_characters(text)


@pytest.mark.parametrize("blank", ["\u3164", "\u2800", "\u115f", "\ufe0f", "\U000e0100", "\u00a0", "\u200b", "\u00ad"])
def test_what_only_looks_like_nothing_is_spelled_too(blank: str) -> None:
    assert screen_text.spelled(f"rm{blank}x") == f"rm⟨U+{ord(blank):04X}⟩x"


@given(ANYTHING.map(lambda text: screen_text.spelled(text).replace("\n", "")), st.integers(2, 40))
def test_rows_are_the_line_and_fit(line: str, columns: int) -> None:
    columns = max(columns, 8)
    rows = list(screen_text.wrapped(line, columns))
    assert "".join(rows) == line
    assert all(rows) or rows == [""]
    assert all(screen_text.width(row) <= columns for row in rows)


@given(st.text("ab ", max_size=60), st.integers(4, 20))
def test_rows_break_after_a_space_when_one_is_near(line: str, columns: int) -> None:
    rows = list(screen_text.wrapped(line, columns))
    for row, after in pairwise(rows):
        late = row[columns // 2 + 1 :]
        assert row.endswith(" ") or " " not in late or after.startswith(" ")


@given(ANYTHING.map(lambda text: screen_text.spelled(text).replace("\n", "").replace("\t", "")), st.integers(2, 40))
def test_a_clipped_line_fits_and_says_that_it_was_cut(line: str, columns: int) -> None:
    columns = max(columns, 3)
    clipped = screen_text.clipped(line, columns)
    assert screen_text.width(clipped) <= columns
    assert clipped == line or (clipped.endswith("…") and line.startswith(clipped[:-1]))


@given(st.text("ab\n", max_size=8))
def test_the_first_line_says_when_more_follow(text: str) -> None:
    full = [line for line in text.split("\n") if line]
    shown = screen_text.first_line(text)
    assert "\n" not in shown
    assert shown == ("" if not full else full[0] if len(full) == 1 else f"{full[0]} …")


def test_wide_characters_take_two_columns() -> None:
    assert screen_text.width("漢字") == 4
    assert re.fullmatch("漢+…", screen_text.clipped("漢" * 10, 6))


@given(ANYTHING)
def test_on_one_line_nothing_but_a_space_is_unseen_and_nothing_is_lost(text: str) -> None:
    shown = screen_text.one_line(text)
    assert shown.isprintable()
    assert screen_text.one_line(shown) == shown
    if not screen_text.SPELLED.search(text):
        assert screen_text.SPELLED.sub(lambda match: chr(int(match[0][3:-1], 16)), shown) == text


@given(ANYTHING)
def test_in_ascii_only_what_can_be_read_stands_for_itself(text: str) -> None:
    shown = screen_text.in_ascii(text)
    plain = screen_text.SPELLED.sub("", shown)
    assert all("!" <= char <= "~" for char in plain)
    if not screen_text.SPELLED.search(text):
        assert screen_text.SPELLED.sub(lambda match: chr(int(match[0][3:-1], 16)), shown) == text


@pytest.mark.parametrize("char", ["\U000e0000", "\U000e0001", "\U000e007f", "\U000e01ef", "\ufeff", "\u2060"])
def test_tags_and_what_is_not_assigned_are_seen_by_nobody(char: str) -> None:
    assert screen_text.invisible_characters(f"a{char}b") == 1
    assert screen_text.one_line(char) == f"⟨U+{ord(char):04X}⟩"


@given(st.text(st.characters()), st.integers(8, 70))
def test_a_name_fits_and_is_printable(name: str, columns: int) -> None:
    shown = screen_text.shown_name(name, columns)
    assert shown.strip()
    assert screen_text.width(shown) <= columns
    assert shown.isprintable()
    shown.encode()


@given(st.text(st.characters(codec="ascii", min_codepoint=33, max_codepoint=126), min_size=1), st.integers(8, 70))
def test_a_plain_name_that_fits_stays_and_a_long_one_keeps_both_ends(name: str, columns: int) -> None:
    shown = screen_text.shown_name(name, columns)
    if len(name) <= columns:
        assert shown == name
    else:
        head, _, tail = shown.rpartition("…")
        assert name.startswith(head)
        assert name.endswith(tail)
        assert len(shown) == columns


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("docs__search", "docs__search"),
        ("", "''"),
        ("  ", "'  '"),
        ("a\nb\tc", "a⟨U+000A⟩b⟨U+0009⟩c"),
        ("\x1b[31mred", "⟨U+001B⟩[31mred"),
        ("a\u202eb", "a⟨U+202E⟩b"),
        ("\udc00", "⟨U+DC00⟩"),
    ],
)
def test_what_cannot_be_seen_is_spelled_out(name: str, shown: str) -> None:
    assert screen_text.shown_name(name, 40) == shown
