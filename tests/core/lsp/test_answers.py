"""Locations, hover texts and readiness to rename, in every shape that servers use, and in none of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.lsp import answers
from mmtools.core.lsp.answers import MAX_SOURCE, Opened, Renamable, Row, Target, Targets
from mmtools.core.lsp.positions import Document, Position, Range
from tests.core.lsp.server_json import ANYTHING, damaged, stretch

RANGE = Range(Position(1, 2), Position(1, 5))
LOCATION = {"uri": "file:///a.py", "range": stretch(1, 2, 5)}
LINK = {
    "originSelectionRange": stretch(9, 0, 1),
    "targetUri": "file:///a.py",
    "targetRange": stretch(0, 0, 0, 9),
    "targetSelectionRange": stretch(1, 2, 5),
}
PLACE = Target("file:///a.py", RANGE)


@pytest.mark.parametrize(
    ("answer", "found", "unread"),
    [
        (None, [], 0),
        ([], [], 0),
        (LOCATION, [PLACE], 0),
        ([LOCATION, LOCATION], [PLACE, PLACE], 0),
        (LINK, [PLACE], 0),
        ([LINK, LOCATION], [PLACE, PLACE], 0),
        (
            [{key: LINK[key] for key in ("targetUri", "targetRange")}],
            [Target("file:///a.py", Range(Position(0, 0), Position(9, 0)))],
            0,
        ),
        ([{"uri": "file:///a.py"}, LOCATION], [PLACE], 1),
        ({"uri": "file:///a.py"}, [], 1),
        ([None, 3, LOCATION, "x"], [PLACE], 3),
        ("file:///a.py", [], 1),
        (True, [], 1),
    ],
)
def test_locations_come_in_all_shapes(answer: object, found: list[Target], unread: int) -> None:
    assert answers.locations(answer) == Targets(tuple(found), unread)


@given(ANYTHING | damaged([LOCATION, LINK]) | damaged(LINK))
def test_no_entry_is_lost_uncounted(answer: object) -> None:
    targets = answers.locations(answer)
    entries = len(answer) if isinstance(answer, list) else 0 if answer is None else 1
    assert len(targets.found) + targets.unread == entries
    answers.rows(targets.found, {})
    answers.rows(targets.found, {"file:///a.py": Opened("a.py", Document("a\r\U0001f600\n"))})


FILES = {
    "file:///w/a.py": Opened("a.py", Document('s = "\U0001f600"; foo = foo + 1\n  \tbar\r\nlast')),
    "file:///w/%61.py": Opened("a.py", Document('s = "\U0001f600"; foo = foo + 1\n  \tbar\r\nlast')),
    "file:///w/gone.py": Opened("gone.py", None),
    "file:///w/cr.py": Opened("cr.py", Document("a\rb\nc")),
}


def target(uri: str, line: int, character: int) -> Target:
    return Target(uri, Range(Position(line, character), Position(line, character)))


@pytest.mark.parametrize(
    ("place", "row"),
    [
        (target("file:///w/a.py", 0, 16), Row("a.py", 1, 16, 's = "\U0001f600"; foo = foo + 1')),
        (target("file:///w/a.py", 1, 3), Row("a.py", 2, 4, "bar")),
        (target("file:///w/a.py", 1, 99), Row("a.py", 2, 7, "bar")),
        (target("file:///w/a.py", 99, 99), Row("a.py", 3, 5, "last")),
        (target("file:///w/a.py", -1, -1), Row("a.py", 1, 1, 's = "\U0001f600"; foo = foo + 1')),
        (target("file:///w/cr.py", 1, 0), Row("cr.py", 1, 3, "a\rb")),
        (target("file:///w/gone.py", 4, 7), Row("gone.py", 5, 8, "")),
        (target("jdt://x/String.class", 4, -7), Row("jdt://x/String.class", 5, 1, "")),
    ],
)
def test_a_row_says_where_in_characters_of_that_file(place: Target, row: Row) -> None:
    """C49: the server answers character 16."""
    assert answers.rows([place], FILES) == (row,)


def test_rows_are_sorted_and_each_place_is_there_once_however_its_file_is_spelt() -> None:
    places = [
        target(uri, line, character)
        for uri in ("file:///w/gone.py", "file:///w/%61.py", "file:///w/a.py")
        for line, character in ((2, 1), (1, 4), (1, 3), (0, 0))
    ]
    expected = [("a.py", 1, 1), ("a.py", 2, 4), ("a.py", 2, 5), ("a.py", 3, 2)]
    expected += [("gone.py", 1, 1), ("gone.py", 2, 4), ("gone.py", 2, 5), ("gone.py", 3, 2)]
    for order in (places, places[::-1], places[5:] + places[:5]):
        assert [(row.path, row.line, row.column) for row in answers.rows(order, FILES)] == expected


def test_a_long_source_line_is_cut() -> None:
    document = Document("  " + "x" * MAX_SOURCE + "\n  " + "y" * (MAX_SOURCE + 1))
    files = {"u": Opened("u", document)}
    whole, cut = answers.rows([target("u", 0, 0), target("u", 1, 0)], files)
    assert whole.source == "x" * MAX_SOURCE
    assert cut.source == "y" * (MAX_SOURCE - 1) + "…"


@pytest.mark.parametrize(
    ("contents", "text"),
    [
        ({"kind": "markdown", "value": "```go\nfunc Greet()\n```"}, "```go\nfunc Greet()\n```"),
        ({"kind": "plaintext", "value": "  def f() -> int\n"}, "  def f() -> int\n"),
        ("a plain string", "a plain string"),
        ({"language": "go", "value": "func Greet()"}, "```go\nfunc Greet()\n```"),
        ({"language": "md", "value": "```x```"}, "````md\n```x```\n````"),
        ([{"language": "go", "value": "x"}, "told", ""], "```go\nx\n```\n\ntold"),
        (["one\n", "\ntwo"], "one\n\ntwo"),
        (["only\n"], "only\n"),
        ({"kind": "markdown", "value": ""}, ""),
        ({"kind": "markdown", "value": " \n"}, ""),
        ({"language": "go", "value": ""}, ""),
        ([], ""),
        ("", ""),
        (None, ""),
        (7, ""),
    ],
)
def test_a_hover_is_its_text_whatever_its_shape(contents: object, text: str) -> None:
    assert answers.hover({"contents": contents, "range": stretch(0, 0, 1)}) == text
    assert answers.hover(contents) == text


@pytest.mark.parametrize("answer", [None, [], {}, {"range": stretch(0, 0, 1)}, "", 0, False])
def test_no_hover_is_no_text(answer: object) -> None:
    assert answers.hover(answer) == ""


@given(ANYTHING | damaged({"contents": [{"language": "go", "value": "x"}, "y", {"kind": "markdown", "value": "z"}]}))
def test_a_hover_is_a_text_or_empty_never_blank(answer: object) -> None:
    text = answers.hover(answer)
    assert text == "" or text.strip()


@given(st.text("`ab\n"))
def test_a_fence_is_longer_than_any_in_the_code(code: str) -> None:
    text = answers.hover({"contents": {"language": "x", "value": code}})
    if text:
        fence = text.split("x\n", 1)[0]
        assert set(fence) == {"`"}
        assert len(fence) >= 3
        assert fence not in code
        assert text == f"{fence}x\n{code}\n{fence}"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (stretch(1, 2, 5), Renamable(RANGE)),
        ({"range": stretch(1, 2, 5), "placeholder": "foo"}, Renamable(RANGE)),
        ({"defaultBehavior": True}, Renamable()),
        ({"defaultBehavior": False}, None),
        (None, None),
        ([], None),
        ({}, None),
        (True, None),
    ],
)
def test_readiness_to_rename_comes_in_four_shapes(answer: object, expected: object) -> None:
    assert answers.prepared(answer) == expected


@given(ANYTHING | damaged({"range": stretch(1, 2, 5), "placeholder": "foo"}))
def test_whatever_else_is_no_readiness(answer: object) -> None:
    assert isinstance(answers.prepared(answer), Renamable | None)
