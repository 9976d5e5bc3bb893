"""Names made up by models, on one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.metrics.names import shown_name
from mmtools.adapters.terminal import screen_text


@given(st.text(st.characters()), st.integers(8, 70))
def test_a_name_fits_and_is_printable(name: str, columns: int) -> None:
    shown = shown_name(name, columns)
    assert shown.strip()
    assert screen_text.width(shown) <= columns
    assert shown.isprintable()
    shown.encode()


@given(st.text(st.characters(codec="ascii", min_codepoint=33, max_codepoint=126), min_size=1), st.integers(8, 70))
def test_a_plain_name_that_fits_stays_and_a_long_one_keeps_both_ends(name: str, columns: int) -> None:
    shown = shown_name(name, columns)
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
    assert shown_name(name, 40) == shown
