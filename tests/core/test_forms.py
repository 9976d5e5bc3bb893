"""What a text has beside its lines, read in one piece or in many."""

from __future__ import annotations

import codecs
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.forms import Form, LineEnds, Survey, form_of
from mmtools.core.text import Text, decode

contents = st.lists(st.sampled_from(["\n", "\r\n", "\r", "a", "é", "\ufeff"]), max_size=12).map("".join)


@given(contents)
def test_a_form_is_that_of_the_lines(content: str) -> None:
    lines = content.split("\n")
    ends = {line.endswith("\r") for line in lines[:-1]}
    expected = {(): LineEnds.NONE, (False,): LineEnds.LF, (True,): LineEnds.CRLF}.get(tuple(ends), LineEnds.MIXED)
    assert form_of(Text(content)) == Form(line_ends=expected, open_end=lines[-1] != "")


@given(contents, st.lists(st.integers(0, 40), max_size=5).map(sorted))
def test_pieces_tell_what_the_whole_does(content: str, cuts: list[int]) -> None:
    data = content.encode("utf-8")
    survey = Survey()
    for begin, end in pairwise([0, *cuts, max(len(data), 40)]):
        survey.feed(data[begin:end])
    whole = decode(data)
    assert isinstance(whole, Text)
    assert survey.form() == form_of(whole)
    assert survey.lines == len(whole.content.removesuffix("\n").split("\n")) * bool(whole.content)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_mark_and_an_encoding_are_part_of_it(encoding: str) -> None:
    mark = codecs.BOM_UTF16_LE if encoding == "utf-16-le" else codecs.BOM_UTF16_BE
    wide = decode(mark + "a\n".encode(encoding))
    assert isinstance(wide, Text)
    assert form_of(wide) == Form(encoding=encoding, bom=True)


def test_nobody_knows_the_encoding_of_a_legacy_text() -> None:
    legacy = decode(b"\xe9\n")
    assert not isinstance(legacy, Text)
    assert form_of(legacy) == Form(encoding=None)  # type: ignore[arg-type] # it is no binary either
