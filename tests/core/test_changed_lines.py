"""Blocks of whole lines hold what changes; inside them only lines that differ count."""

from __future__ import annotations

from hypothesis import given

from mmtools.core import changed_lines
from mmtools.core.changed_lines import Block
from mmtools.core.edits import Span
from mmtools.core.text import view
from mmtools.testing.strategies import texts


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


def test_spans_in_one_line_or_in_touching_lines_share_a_block() -> None:
    text = "aa\nbb\ncc\ndd\n"
    spans = [Span(0, 1, "x", 0), Span(1, 2, "y", 1), Span(4, 4, "z", 2), Span(10, 11, "", 3)]
    assert list(changed_lines.widened(text, spans)) == [Block(0, 6, "xy\nbzb\n"), Block(9, 12, "d\n")]


def test_lines_end_with_a_line_feed_and_nothing_else() -> None:
    assert changed_lines.lines("a\r\nb\rc\fd\u2028\n\ne") == ["a\r\n", "b\rc\fd\u2028\n", "\n", "e"]
    assert changed_lines.lines("") == []
