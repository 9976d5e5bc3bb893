"""What becomes of one file in a rename: the words and nothing else, or a reason."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.edits import NotText, Overlapping, Unencodable
from mmtools.core.lsp.code_units import Units
from mmtools.core.lsp.languages import language
from mmtools.core.lsp.positions import Document, LineColumn, Position, Range
from mmtools.core.lsp.rename_plans import Astray, Outdated, Plan, Planned, plan
from mmtools.core.lsp.renames import Rename
from mmtools.core.lsp.text_edits import StartsOutside, Unchanged
from mmtools.core.lsp.workspace_edits import TextEdit
from mmtools.core.text import Binary, LegacyText, Text, decode

PYTHON = language("a.py").names
PIECES = ["foo", "fo", "_", " ", "(", "\n", "\r\n", "\r", '"\U0001f600"', "é", "\ufeff"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
CODECS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16"])


def edits(text: str, units: Units, new: str = "total") -> list[TextEdit]:
    document = Document(text, units)
    spans = [found.span() for found in re.finditer(r"(?<!\w)foo(?!\w)", text)]
    return [TextEdit(Range(document.position(start), document.position(end)), new) for start, end in spans]


def planned(data: bytes, *some: TextEdit, sent: str | None = None, encodings: tuple[str, ...] = ()) -> Planned:
    rename = Rename("foo", "total", PYTHON)
    return plan(data, some, rename, units=Units.UTF16, sent=sent, encodings=encodings)


def edit(start: int, end: int, new: str = "total", line: int = 0) -> TextEdit:
    return TextEdit(Range(Position(line, start), Position(line, end)), new)


@given(TEXTS, CODECS, st.sampled_from(Units), st.booleans())
def test_the_words_change_and_no_other_byte(text: str, codec: str, units: Units, is_open: bool) -> None:
    data = f"foo\n{text}".encode(codec)
    decoded = decode(data)
    assert isinstance(decoded, Text)
    some = edits(decoded.content, units)
    sent = decoded.content if is_open else None
    found = plan(data, some, Rename("foo", "total", PYTHON), units=units, sent=sent)
    assert isinstance(found, Plan)
    assert found.after == decoded.encode(re.sub(r"(?<!\w)foo(?!\w)", "total", decoded.content))
    assert (found.edits, found.line) == (len(some), 1)


def test_the_first_changed_line_is_told() -> None:
    found = planned(b"a\r\nb\nfoo foo\n", edit(4, 7, line=2), edit(0, 3, line=2))
    assert isinstance(found, Plan)
    assert (found.line, found.edits, found.after) == (3, 2, b"a\r\nb\ntotal total\n")


@pytest.mark.parametrize(
    ("data", "some", "flaw"),
    [
        (b"foo\0", [edit(0, 3)], Binary(4)),
        (b"\xe9 foo", [edit(2, 5)], NotText((0,))),
        (b"foo = bar", [edit(6, 9)], Astray(LineColumn(1, 7), "bar", "total")),
        (b"foo = bar", [edit(0, 3), edit(5, 5, " total ")], Astray(LineColumn(1, 6), "", " total ")),
        (b"foo", [edit(0, 3), edit(1, 2)], Overlapping(1, 0)),
        (b"foo\n", [edit(0, 3, line=7)], StartsOutside(0, 7, 2)),
        (b"foo", [edit(0, 3, "\ud800")], Unencodable(0, 0)),
        (b"bar = 1", [edit(0, 7, "bar = 1")], Unchanged()),
    ],
)
def test_what_cannot_be_made_says_why(data: bytes, some: list[TextEdit], flaw: object) -> None:
    found = planned(data, *some)
    assert found == flaw or (isinstance(found, Astray) and isinstance(flaw, Astray) and found.place == flaw.place)


def test_a_text_that_the_server_was_not_sent_is_left_alone() -> None:
    assert planned(b"foo = 1", edit(0, 3), sent="foo = 2") == Outdated()
    assert isinstance(planned(b"\xef\xbb\xbffoo = 1", edit(0, 3), sent="foo = 1"), Plan)


def test_what_is_not_utf_8_is_edited_where_no_encoding_has_to_be_guessed() -> None:
    found = planned(b"foo = 1  # \xe9\xff", edit(0, 3), sent="foo = 1  # \ufffd\ufffd")
    assert isinstance(found, Plan)
    assert isinstance(found.decoded, LegacyText)
    assert found.after == b"total = 1  # \xe9\xff"


def test_a_named_encoding_is_used() -> None:
    found = planned("é foo".encode("cp1252"), edit(2, 5), encodings=("cp1252",))
    assert isinstance(found, Plan)
    assert found.after == "é total".encode("cp1252")
    assert planned("é foo".encode("cp1252"), edit(2, 5, "t☃"), encodings=("cp1252",)) == Unencodable(0, 1)
