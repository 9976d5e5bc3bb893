"""What becomes of one file in a rename: the words and nothing else; edits of anything else are found out."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.edits import NotText, Overlapping, Unencodable
from mmtools.core.lsp.languages import language
from mmtools.core.lsp.positions import Document, LineColumn, Position, Range, Units
from mmtools.core.lsp.renames import Astray, Flaw, Outdated, Plan, Rename, astray, plan
from mmtools.core.lsp.text_edits import Placed, StartsOutside, place
from mmtools.core.lsp.workspace_edits import TextEdit
from mmtools.core.text import Binary, LegacyText, Text, decode

PYTHON = language("a.py").names

#: How a server writes the edits that rename: text, old name, new name, what it counts.
Shape: TypeAlias = Callable[[str, str, str, Units], list[TextEdit]]

#: Programs of a few names, with characters that are longer on the wire than in Python.
PROGRAMS = st.lists(
    st.sampled_from(
        ["foo", "fo", "foot", "bar", "x", " ", "(", ")", ".", '"\U0001f600"', "\U0001f600\U0001f600", "é", "\n", "\r\n"]
    ),
    max_size=16,
).map("".join)
OLD = st.sampled_from(["foo", "x", "fo"])
NEW = st.sampled_from(["foo2", "y", "total", "f", "oof", "fox"])


def occurrences(text: str, name: str) -> list[tuple[int, int]]:
    return [found.span() for found in re.finditer(rf"(?<!\w){name}(?!\w)", text)]


def edit(text: str, start: int, end: int, new: str, counted: Units) -> TextEdit:
    """An edit as a server writes it that counts in some units."""
    document = Document(text, counted)
    return TextEdit(Range(document.position(start), document.position(end)), new)


def whole(text: str, old: str, new: str, counted: Units) -> list[TextEdit]:
    return [edit(text, start, end, new, counted) for start, end in occurrences(text, old)]


def fragments(text: str, old: str, new: str, counted: Units) -> list[TextEdit]:
    """The same in as many small edits as a differ makes of it."""
    steps = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [
        edit(text, start + i, start + j, new[k:n], counted)
        for start, _ in occurrences(text, old)
        for tag, i, j, k, n in steps
        if tag != "equal"
    ]


def all_at_once(text: str, old: str, new: str, counted: Units) -> list[TextEdit]:
    """The same as one edit of the whole file, with line feeds only."""
    if not occurrences(text, old):
        return []
    return [TextEdit(Range(Position(0, 0), Position(10**6, 0)), renamed(text, old, new).replace("\r\n", "\n"))]


def renamed(text: str, old: str, new: str) -> str:
    return re.sub(rf"(?<!\w){old}(?!\w)", new, text)


def result(text: str, edits: list[TextEdit], old: str, new: str) -> str | None:
    """The text after a rename, or None when it is refused."""
    placed = place(Text(text), edits)
    if not isinstance(placed, Placed) or astray(placed, Rename(old, new, PYTHON)):
        return None
    applied = placed.applied()
    return applied.text if applied else text


SHAPES = st.sampled_from([whole, fragments, all_at_once])


@given(PROGRAMS, OLD, NEW, SHAPES)
def test_a_right_rename_goes_through_in_every_shape(text: str, old: str, new: str, shape: Shape) -> None:
    assert result(text, shape(text, old, new, Units.UTF16), old, new) == renamed(text, old, new)


@given(PROGRAMS, OLD, NEW, st.sampled_from([whole, fragments]), st.sampled_from([Units.UTF32, Units.UTF8]))
def test_columns_of_another_kind_never_cut_a_word(text: str, old: str, new: str, shape: Shape, counted: Units) -> None:
    """python-lsp-server and jedi send characters where they announce UTF-16."""
    assert result(text, shape(text, old, new, counted), old, new) in (None, renamed(text, old, new))


@given(PROGRAMS, OLD, NEW, SHAPES)
def test_a_rename_of_another_name_is_refused(text: str, old: str, new: str, shape: Shape) -> None:
    other = "bar"
    found = result(text, shape(text, other, new, Units.UTF16), old, new)
    assert found == (text if not occurrences(text, other) else None)


@pytest.mark.parametrize(
    ("text", "asked", "found", "left"),
    [
        ('f("\U0001f600", greet("x"))', (7, 12), " greet", "salutet"),
        ('"\U0001f600"; greet("wörld")', (5, 10), " greet", "salutet"),
        ("greet_all greet", (0, 5), "greet_all", "salute_all"),
        ("greet = 1", (6, 7), "=", "salute"),
        ("greet = 1", (5, 5), "greet", "greetsalute"),
        ("a.greet", (0, 1), "a", "salute"),
    ],
)
def test_what_an_edit_would_cut_is_shown(text: str, asked: tuple[int, int], found: str, left: str) -> None:
    start, end = asked
    placed = place(Text(text), [TextEdit(Range(Position(0, start), Position(0, end)), "salute")])
    assert isinstance(placed, Placed)
    place_ = Document(text).line_column(placed.pieces[0].start)
    assert astray(placed, Rename("greet", "salute", PYTHON)) == Astray(place_, found, left)


@pytest.mark.parametrize(
    ("path", "text", "sent", "old", "new"),
    [
        ("a.ts", "import { greet } from './a'", {"greet": "greet as salute"}, "greet", "salute"),
        ("a.ts", "f({ greet })", {"greet": "greet: salute"}, "greet", "salute"),
        ("a.ts", "f({ greet })", {"": ""}, "greet", "salute"),
        ("a.rs", "fn f(&self) {}", {"&self": "this: &Self"}, "self", "this"),
        ("a.rs", "S { name }", {"name": "name: title"}, "name", "title"),
        ("a.rs", "let r#type = 1;", {"type": "kind"}, "r#type", "kind"),
        ("a.rb", "@name = name?", {"name": "title"}, "@name", "@title"),
        ("a.rb", "self.ok?", {"ok": "fine"}, "ok?", "fine?"),
        ("a.rb", "self.ok?", {"ok?": "fine?"}, "ok?", "fine?"),
        ("a.go", 'import "x/bar"', {'"x/bar"': 'foo "x/bar"'}, "bar", "foo"),
        ("a.go", "// Greet greets.\nfunc Greet() {}", {"Greet": "Hello"}, "Greet", "Hello"),
        ("a.css", "a { color: var(--main-color) }", {"--main-color": "--accent"}, "--main-color", "--accent"),
    ],
)
def test_what_languages_add_to_a_rename_goes_through(
    path: str, text: str, sent: dict[str, str], old: str, new: str
) -> None:
    [(part, by)] = sent.items()
    at, edits = text.find(part) if part else -1, list[TextEdit]()
    while at >= 0:
        edits.append(edit(text, at, at + len(part), by, Units.UTF16))
        at = -1 if path == "a.rb" else text.find(part, at + 1)
    placed = place(Text(text), edits)
    assert isinstance(placed, Placed)
    assert astray(placed, Rename(old, new, language(path).names)) is None


def test_several_edits_may_make_one_name_together() -> None:
    asked = [(0, 2, "salu"), (2, 4, ""), (4, 5, "te")]
    placed = place(Text("greet()"), [TextEdit(Range(Position(0, a), Position(0, b)), new) for a, b, new in asked])
    assert isinstance(placed, Placed)
    assert astray(placed, Rename("greet", "salute", PYTHON)) is None
    assert isinstance(astray(placed, Rename("greet", "salut", PYTHON)), Astray)


@given(
    st.text(max_size=12), st.lists(st.tuples(st.integers(0, 12), st.integers(0, 3), st.text(max_size=4)), max_size=3)
)
def test_there_is_an_answer_to_everything(text: str, asked: list[tuple[int, int, str]]) -> None:
    edits = [TextEdit(Range(Position(0, at), Position(0, at + size)), new) for at, size, new in asked]
    placed = place(Text(text), edits)
    if isinstance(placed, Placed):
        assert isinstance(astray(placed, Rename("foo", "bar", PYTHON)), Astray | None)


# One file's bytes.

PIECES = ["foo", "fo", "_", " ", "(", "\n", "\r\n", "\r", '"\U0001f600"', "é", "\ufeff"]
FILES = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
CODECS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16"])


def edits(text: str, units: Units, new: str = "total") -> list[TextEdit]:
    document = Document(text, units)
    spans = [found.span() for found in re.finditer(r"(?<!\w)foo(?!\w)", text)]
    return [TextEdit(Range(document.position(start), document.position(end)), new) for start, end in spans]


def planned(
    data: bytes, *some: TextEdit, sent: str | None = None, encodings: tuple[str, ...] = ()
) -> Plan | Flaw | None:
    rename = Rename("foo", "total", PYTHON)
    return plan(data, some, rename, units=Units.UTF16, sent=sent, encodings=encodings)


def at(start: int, end: int, new: str = "total", line: int = 0) -> TextEdit:
    return TextEdit(Range(Position(line, start), Position(line, end)), new)


@given(FILES, CODECS, st.sampled_from(Units), st.booleans())
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
    found = planned(b"a\r\nb\nfoo foo\n", at(4, 7, line=2), at(0, 3, line=2))
    assert isinstance(found, Plan)
    assert (found.line, found.edits, found.after) == (3, 2, b"a\r\nb\ntotal total\n")


@pytest.mark.parametrize(
    ("data", "some", "flaw"),
    [
        (b"foo\0", [at(0, 3)], Binary(4)),
        (b"\xe9 foo", [at(2, 5)], NotText((0,))),
        (b"foo = bar", [at(6, 9)], Astray(LineColumn(1, 7), "bar", "total")),
        (b"foo = bar", [at(0, 3), at(5, 5, " total ")], Astray(LineColumn(1, 6), "", " total ")),
        (b"foo", [at(0, 3), at(1, 2)], Overlapping(1, 0)),
        (b"foo\n", [at(0, 3, line=7)], StartsOutside(0, 7, 2)),
        (b"foo", [at(0, 3, "\ud800")], Unencodable(0, 0)),
        (b"bar = 1", [at(0, 7, "bar = 1")], None),
    ],
)
def test_what_cannot_be_made_says_why(data: bytes, some: list[TextEdit], flaw: object) -> None:
    found = planned(data, *some)
    assert found == flaw or (isinstance(found, Astray) and isinstance(flaw, Astray) and found.place == flaw.place)


def test_a_text_that_the_server_was_not_sent_is_left_alone() -> None:
    assert planned(b"foo = 1", at(0, 3), sent="foo = 2") == Outdated()
    assert isinstance(planned(b"\xef\xbb\xbffoo = 1", at(0, 3), sent="foo = 1"), Plan)


def test_what_is_not_utf_8_is_edited_where_no_encoding_has_to_be_guessed() -> None:
    found = planned(b"foo = 1  # \xe9\xff", at(0, 3), sent="foo = 1  # \ufffd\ufffd")
    assert isinstance(found, Plan)
    assert isinstance(found.decoded, LegacyText)
    assert found.after == b"total = 1  # \xe9\xff"


def test_a_named_encoding_is_used() -> None:
    found = planned("é foo".encode("cp1252"), at(2, 5), encodings=("cp1252",))
    assert isinstance(found, Plan)
    assert found.after == "é total".encode("cp1252")
    assert planned("é foo".encode("cp1252"), at(2, 5, "t☃"), encodings=("cp1252",)) == Unencodable(0, 1)
