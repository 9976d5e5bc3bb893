"""Guesses at what was meant: never the text itself, never blank, never twice."""

from __future__ import annotations

import html

from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.copy_errors import CopyError, undone
from mmtools.testing.strategies import texts

LINES = st.lists(st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"])), min_size=2, max_size=6)


@given(texts())
def test_guesses_differ_from_the_text_and_from_one_another_and_say_something(old: str) -> None:
    meant = [guess for _, guess in undone(old)]
    assert len({old, *meant}) == len(meant) + 1
    assert all(guess.strip() for guess in meant)


@given(texts(), st.sets(st.sampled_from(CopyError)))
def test_only_the_habits_asked_for_are_thought_of(old: str, habits: set[CopyError]) -> None:
    assert {habit for habit, _ in undone(old, habits)} <= habits


@given(
    LINES.filter(lambda lines: "".join(lines).strip()), st.integers(1, 99_999), st.sampled_from(["\t", "|", ":", " "])
)
def test_numbers_before_every_line_come_off(lines: list[str], first: int, separator: str) -> None:
    numbered = "\n".join(f"{number}{separator}{line}" for number, line in enumerate(lines, first))
    assert (CopyError.NUMBERED, "\n".join(lines)) in list(undone(numbered))


@given(texts().filter(str.strip))
def test_escapes_and_entities_are_undone(text: str) -> None:
    escaped = html.escape(text)
    if escaped != text:
        assert html.unescape(escaped) in [guess for _, guess in undone(escaped)]
    typed = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
    if typed != text and "\r" not in text:
        assert (CopyError.ESCAPED, text) in list(undone(typed))


def test_numbers_out_of_order_are_text() -> None:
    assert CopyError.NUMBERED not in [habit for habit, _ in undone("3\ta\n7\tb")]
    assert list(undone("plain")) == []
