"""Blocks of whole lines hold what changes; inside them only lines that differ count."""

from __future__ import annotations

import pytest
from hypothesis import given

from mmtools.core import changed_lines
from mmtools.core.changed_lines import Block
from mmtools.core.edits import Applied, Replacement, Span, resolve
from mmtools.core.text import view
from mmtools.testing.strategies import Edits, applicable_edits, texts


@given(texts(max_pieces=20), texts(max_pieces=20))
def test_the_block_between_two_texts_makes_one_of_the_other(old: str, new: str) -> None:
    blocks = list(changed_lines.between(old, new))
    assert len(blocks) == (old != new)
    for block in blocks:
        assert old[: block.start] + block.text + old[block.end :] == new
        assert block.start == 0 or old[block.start - 1] == "\n"
        assert block.end == len(old) or old[block.end - 1] == "\n"


@given(texts(max_pieces=20), texts(max_pieces=20))
def test_changed_lines_make_one_view_of_the_other(old: str, new: str) -> None:
    pieces: list[str] = []
    at = 0
    for change in changed_lines.changed(old, changed_lines.between(old, new)):
        assert view(old[change.start : change.end]) == "".join(change.removed)
        assert old.count("\n", 0, change.start) == change.line
        pieces += view(old[at : change.start]), "".join(change.added)
        at = change.end
    assert "".join([*pieces, view(old[at:])]) == view(new)


@given(applicable_edits())
def test_changed_lines_of_edits_make_the_new_text(case: tuple[str, Edits]) -> None:
    text, edits = case
    found = resolve(text, [Replacement(old, new) for old, new in edits])
    assert isinstance(found, Applied)
    pieces: list[str] = []
    at = 0
    for change in changed_lines.changed(text, changed_lines.widened(text, found.spans)):
        assert view(text[change.start : change.end]) == "".join(change.removed)
        assert text.count("\n", 0, change.start) == change.line
        pieces += view(text[at : change.start]), "".join(change.added)
        at = change.end
    assert "".join([*pieces, view(text[at:])]) == view(found.text)


@pytest.mark.parametrize(
    ("old", "new", "block"),
    [
        ("a\nb\nc\nd\ne\n", "a\nb\nX\nd\ne\n", Block(4, 6, "X\n")),
        ("a\na\na\n", "a\na\n", Block(4, 6, "")),
        ("ab\nab\ncd\nef", "ab\nab\nabc\ncd\nef", Block(6, 9, "abc\ncd\n")),
        ("a\nb", "a\nc", Block(2, 3, "c")),
    ],
)
def test_the_block_between_two_texts_leaves_out_the_lines_they_share(old: str, new: str, block: Block) -> None:
    assert list(changed_lines.between(old, new)) == [block]


def test_spans_in_one_line_or_in_touching_lines_share_a_block() -> None:
    text = "aa\nbb\ncc\ndd\n"
    spans = [Span(0, 1, "x", 0), Span(1, 2, "y", 1), Span(4, 4, "z", 2), Span(10, 11, "", 3)]
    assert list(changed_lines.widened(text, spans)) == [Block(0, 6, "xy\nbzb\n"), Block(9, 12, "d\n")]


def test_lines_end_with_a_line_feed_and_nothing_else() -> None:
    assert changed_lines.lines("a\r\nb\rc\fd\u2028\n\ne") == ["a\r\n", "b\rc\fd\u2028\n", "\n", "e"]
    assert changed_lines.lines("") == []


def test_lines_are_counted_from_block_to_block_and_within_one() -> None:
    blocks = [Block(2, 4, "B\n"), Block(6, 14, "d\nE\nf\nG\n")]
    found = list(changed_lines.changed("a\nb\nc\nd\ne\nf\ng\n", blocks))
    assert [(change.start, change.end, change.line) for change in found] == [(2, 4, 1), (8, 10, 4), (12, 14, 6)]
    assert [(*change.removed, *change.added) for change in found] == [("b\n", "B\n"), ("e\n", "E\n"), ("g\n", "G\n")]
