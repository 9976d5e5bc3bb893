"""What a reader cannot see of a file, in words."""

from __future__ import annotations

from mmtools.core.forms import Form, LineEnds
from mmtools.tools.wording.forms import kept, unusual


def test_an_ordinary_file_says_nothing() -> None:
    assert unusual(Form()) == ""
    assert kept(Form(), Form(line_ends=LineEnds.CRLF)) is None


def test_each_feature_has_its_words() -> None:
    form = Form(line_ends=LineEnds.CRLF, encoding="cp1252", bom=True, open_end=True)
    assert unusual(form) == "CRLF line endings, byte order mark, encoding cp1252, no line break at the end"
    assert unusual(Form(line_ends=LineEnds.MIXED)) == "mixed line endings"
    assert unusual(Form(line_ends=LineEnds.NONE, encoding=None)) == ""


def test_what_a_change_kept_is_what_was_and_is() -> None:
    before = Form(line_ends=LineEnds.CRLF, bom=True, open_end=True)
    assert kept(before, Form(line_ends=LineEnds.CRLF, bom=True)) == "[kept: CRLF line endings, byte order mark]"
    assert kept(before, Form()) is None
