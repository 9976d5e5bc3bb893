"""Edits that are not the rename asked for are found out, whoever counted how."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.edits import Applied
from mmtools.core.lsp.code_units import Units
from mmtools.core.lsp.languages import language
from mmtools.core.lsp.positions import Document, Position, Range
from mmtools.core.lsp.renames import Misplaced, Rename, misplaced
from mmtools.core.lsp.text_edits import Placed, place
from mmtools.core.lsp.workspace_edits import TextEdit

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
    placed = place(text, edits)
    if not isinstance(placed, Placed) or misplaced(placed, Rename(old, new, PYTHON)):
        return None
    applied = placed.applied()
    return applied.text if isinstance(applied, Applied) else text


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
    placed = place(text, [TextEdit(Range(Position(0, start), Position(0, end)), "salute")])
    assert isinstance(placed, Placed)
    wrong = misplaced(placed, Rename("greet", "salute", PYTHON))
    assert isinstance(wrong, Misplaced)
    assert (wrong.found, wrong.left) == (found, left)
    assert wrong.offset == placed.pieces[0].start


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
    placed = place(text, edits)
    assert isinstance(placed, Placed)
    assert misplaced(placed, Rename(old, new, language(path).names)) is None


def test_several_edits_may_make_one_name_together() -> None:
    asked = [(0, 2, "salu"), (2, 4, ""), (4, 5, "te")]
    placed = place("greet()", [TextEdit(Range(Position(0, a), Position(0, b)), new) for a, b, new in asked])
    assert isinstance(placed, Placed)
    assert misplaced(placed, Rename("greet", "salute", PYTHON)) is None
    assert isinstance(misplaced(placed, Rename("greet", "salut", PYTHON)), Misplaced)


@given(
    st.text(max_size=12), st.lists(st.tuples(st.integers(0, 12), st.integers(0, 3), st.text(max_size=4)), max_size=3)
)
def test_there_is_an_answer_to_everything(text: str, asked: list[tuple[int, int, str]]) -> None:
    edits = [TextEdit(Range(Position(0, at), Position(0, at + size)), new) for at, size, new in asked]
    placed = place(text, edits)
    if isinstance(placed, Placed):
        assert isinstance(misplaced(placed, Rename("foo", "bar", PYTHON)), Misplaced | None)
