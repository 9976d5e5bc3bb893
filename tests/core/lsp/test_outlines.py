"""Outlines from trees and from flat lists, in order of place, as deep as they may be."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.lsp.outlines import Outline, Symbol, outline
from mmtools.core.lsp.positions import Document
from tests.core.lsp.server_json import ANYTHING, damaged, stretch

DOCUMENT = Document("\n" * 30)


def node(name: str, kind: int, line: int, last: int, *children: object, detail: str | None = None) -> dict[str, object]:
    """A `DocumentSymbol` whose name is on its second line, as under a decorator."""
    told = {} if detail is None else {"detail": detail}
    return {
        "name": name,
        "kind": kind,
        "range": stretch(line, 0, 0, last),
        "selectionRange": stretch(line + 1, 4, 9),
        "children": list(children),
        **told,
    }


def flat(name: str, kind: int, line: int, last: int, container: str | None = None) -> dict[str, object]:
    location = {"uri": "file:///a.py", "range": stretch(line, 0, 0, last)}
    return {"name": name, "kind": kind, "location": location, "containerName": container}


def told(found: Outline) -> list[str]:
    return [
        f"{'  ' * each.depth}{each.kind} {each.name} [{each.detail}] {each.line}".replace(" []", "")
        for each in found.symbols
    ]


TREE = [
    node("main", 12, 20, 25, detail="func()"),
    node("Person", 23, 1, 9, node("Greet", 6, 5, 8, node("inner", 13, 6, 7)), node("name", 8, 2, 3, detail="str\n  ")),
]


def test_a_tree_is_listed_depth_first_in_order_of_place() -> None:
    assert outline(TREE, DOCUMENT) == Outline(
        (
            Symbol(depth=0, kind="struct", name="Person", detail="", line=3),
            Symbol(depth=1, kind="field", name="name", detail="str", line=4),
            Symbol(depth=1, kind="method", name="Greet", detail="", line=7),
            Symbol(depth=2, kind="variable", name="inner", detail="", line=8),
            Symbol(depth=0, kind="function", name="main", detail="func()", line=22),
        )
    )


def test_a_flat_list_becomes_the_tree_it_was_made_from() -> None:
    answer = [
        flat("main", 12, 20, 25),
        flat("Greet", 6, 5, 8, "Person"),
        flat("inner", 13, 6, 7, "Greet"),
        flat("Person", 5, 1, 9),
        flat("name", 8, 2, 3, "Person"),
        flat("elsewhere", 13, 27, 28, "Person"),
    ]
    assert told(outline(answer, DOCUMENT)) == [
        "class Person 2",
        "  field name 3",
        "  method Greet 6",
        "    variable inner 7",
        "function main 21",
        "variable elsewhere [Person] 28",
    ]


def test_a_flat_list_of_single_lines_names_the_containers() -> None:
    answer = [flat("Person", 5, 1, 1, ""), flat("Greet", 6, 2, 2, "Person"), flat("main", 12, 5, 5, None)]
    assert told(outline(answer, DOCUMENT)) == ["class Person 2", "method Greet [Person] 3", "function main 6"]


def test_siblings_with_one_name_hold_each_their_own() -> None:
    answer = [
        flat("f", 12, 1, 4),
        flat("f", 12, 5, 9),
        flat("x", 13, 2, 3, "f"),
        flat("y", 13, 6, 7, "f"),
    ]
    assert told(outline(answer, DOCUMENT)) == ["function f 2", "  variable x 3", "function f 6", "  variable y 7"]


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        (1, "file"),
        (5, "class"),
        (9, "constructor"),
        (22, "enum member"),
        (26, "type parameter"),
        (12.0, "function"),
        (0, "symbol"),
        (27, "symbol"),
        (-1, "symbol"),
        ("12", "symbol"),
        (None, "symbol"),
    ],
)
def test_kinds_have_words(kind: object, word: str) -> None:
    answer = [{**node("x", 1, 1, 2), "kind": kind}]
    assert outline(answer, DOCUMENT).symbols[0].kind == word


def test_lines_are_those_of_a_reader() -> None:
    answer = [node("x", 13, 0, 1), node("far", 13, 99, 99)]
    assert [each.line for each in outline(answer, Document("a\rb\nc")).symbols] == [1, 2]


def test_names_stay_on_their_line() -> None:
    assert outline([node("it(\n  'works')", 12, 1, 2)], DOCUMENT).symbols[0].name == "it( 'works')"


@pytest.mark.parametrize(
    ("answer", "count", "unread"),
    [(None, 0, 0), ([], 0, 0), ({}, 0, 0), ([3, None], 0, 2), ([{"name": "x"}], 0, 1), ([*TREE, {"kind": 1}], 5, 1)],
)
def test_what_cannot_be_read_is_counted(answer: object, count: int, unread: int) -> None:
    found = outline(answer, DOCUMENT)
    assert (len(found.symbols), found.unread) == (count, unread)


FLAT = [flat("Person", 5, 1, 9), flat("Greet", 6, 5, 8, "Person")]


@given(ANYTHING | damaged(TREE) | damaged(FLAT) | damaged([*TREE, *FLAT]))
def test_there_is_an_outline_of_everything(answer: object) -> None:
    for symbol in outline(answer, DOCUMENT).symbols:
        assert 1 <= symbol.line <= DOCUMENT.lines + 1


STARTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from("ab"), st.sampled_from(["", "a"])))


@given(STARTS)
def test_a_flat_list_keeps_every_symbol(entries: list[tuple[int, int, str, str]]) -> None:
    answer = [flat(name, 12, start, start + size, container) for start, size, name, container in entries]
    found = outline(answer, DOCUMENT).symbols
    assert sorted((each.name, each.line) for each in found) == sorted(
        (name, start + 1) for start, _, name, _ in entries
    )


@pytest.mark.slow
def test_no_depth_and_no_number_of_symbols_is_too_much() -> None:
    deep = node("x", 12, 1, 2)
    for _ in range(5_000):
        deep = node("x", 12, 1, 2, deep)
    assert outline([deep], DOCUMENT).symbols[-1].depth == 5_000
    started = time.thread_time()
    assert len(outline([flat(f"n{i}", 12, 1, 20, f"n{i + 1}") for i in range(20_000)], DOCUMENT).symbols) == 20_000
    assert time.thread_time() - started < 30
