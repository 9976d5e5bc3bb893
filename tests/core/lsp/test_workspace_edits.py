"""A server's edit is read whole, in every shape, or refused whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.lsp.positions import Position, Range
from mmtools.core.lsp.workspace_edits import (
    FileEdits,
    NotAFile,
    ResourceOperation,
    TextEdit,
    Unreadable,
    merged,
    parse,
)
from tests.core.lsp.server_json import ANYTHING, damaged, stretch

A, B = "file:///w/a.py", "file:///w/b%20c.py"


def edit(start: int, text: str = "new", end: int | None = None) -> dict[str, object]:
    return {"range": stretch(0, start, start + 3 if end is None else end), "newText": text}


def change(uri: str, *edits: object, version: object = None) -> dict[str, object]:
    return {"textDocument": {"uri": uri, "version": version}, "edits": list(edits)}


def read(start: int, text: str = "new", end: int | None = None) -> TextEdit:
    return TextEdit(Range(Position(0, start), Position(0, start + 3 if end is None else end)), text)


BOTH = (FileEdits("/w/a.py", (read(5), read(0))), FileEdits("/w/b c.py", (read(2),)))


@pytest.mark.parametrize(
    "answer",
    [
        {"changes": {B: [edit(2)], A: [edit(5), edit(0)]}},
        {"documentChanges": [change(B, edit(2)), change(A, edit(5), edit(0))]},
        {"documentChanges": [change(A, edit(5)), change(B, edit(2)), change(A, edit(0))]},
        {"documentChanges": [change(A, edit(5)), change(B, edit(2)), change("file:///w/%61.py", edit(0))]},
        {"documentChanges": [change(B, edit(2)), change(A, edit(5), edit(0))], "changes": {A: [edit(9)]}},
        {"documentChanges": [], "changes": {B: [edit(2)], A: [edit(5), edit(0)]}},
        {"documentChanges": None, "changes": {B: [edit(2)], A: [edit(5), edit(0)]}},
        {"changes": {B: [edit(2)], A: [edit(5), edit(0)], "file:///w/c": []}},
        {"documentChanges": [change(B, {**edit(2), "annotationId": "x"}), change(A, edit(5), edit(0), version=None)]},
    ],
)
def test_both_shapes_say_the_same(answer: object) -> None:
    """C50: one entry or several for a file; both forms at once count once."""
    assert parse(answer) == BOTH


@pytest.mark.parametrize("answer", [None, [], {}, {"changes": {}}, {"documentChanges": []}, {"changes": {A: []}}])
def test_nothing_to_change_is_no_edits(answer: object) -> None:
    assert parse(answer) == ()


@pytest.mark.parametrize(
    "operation",
    [
        {"kind": "create", "uri": A},
        {"kind": "rename", "oldUri": A, "newUri": B},
        {"kind": "delete", "uri": A},
        {"kind": "future"},
    ],
)
@given(st.integers(0, 2))
def test_one_operation_on_files_refuses_all(operation: dict[str, object], at: int) -> None:
    changes: list[object] = [change(A, edit(0)), change(B, edit(0))]
    found = parse({"documentChanges": [*changes[:at], operation, *changes[at:]]})
    assert found == ResourceOperation(str(operation["kind"]))


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "jdt://contents/x", "file://elsewhere/a.py", "", "/w/a.py"])
def test_what_is_no_file_of_ours_refuses_all(uri: str) -> None:
    assert parse({"changes": {A: [edit(0)], uri: [edit(0)]}}) == NotAFile(uri)
    assert parse({"documentChanges": [change(A, edit(0)), change(uri, edit(0))]}) == NotAFile(uri)


@pytest.mark.parametrize(
    "bad",
    [
        {"range": stretch(0, 0, 3)},
        {"newText": "x"},
        {"range": stretch(0, 3, 0), "newText": "backwards"},
        {"range": stretch(1, 0, 0, 0), "newText": "backwards"},
        {"range": stretch(0, 0, 3), "newText": None},
        {"range": stretch(0, 0, 3), "snippet": {"kind": "snippet", "value": "$1"}},
        None,
        [],
        "x",
    ],
)
def test_one_unreadable_edit_refuses_all(bad: object) -> None:
    assert parse({"changes": {A: [edit(0), bad]}}) == Unreadable()
    assert parse({"documentChanges": [change(B, edit(0)), change(A, bad)]}) == Unreadable()


@pytest.mark.parametrize(
    "answer",
    [
        [None],
        "x",
        7,
        True,
        {"changes": []},
        {"changes": {A: None}},
        {"documentChanges": {A: [edit(0)]}},
        {"documentChanges": "x"},
        {"documentChanges": [None]},
        {"documentChanges": [{"edits": [edit(0)]}]},
        {"documentChanges": [change(A, edit(0), version="1")]},
    ],
)
def test_what_is_no_edit_at_all_is_refused(answer: object) -> None:
    assert parse(answer) == Unreadable()


@pytest.mark.parametrize(
    ("versions", "open_version", "is_stale"),
    [
        ([None], 3, False),
        ([3], 3, False),
        ([2], 3, True),
        ([3, None], 3, False),
        ([3, 2], 3, True),
        ([0], None, False),
        ([7], None, False),
    ],
)
def test_an_edit_of_another_text_is_stale_if_the_file_is_open(
    versions: list[object], open_version: int | None, is_stale: bool
) -> None:
    found = parse({"documentChanges": [change(A, edit(9 * i), version=each) for i, each in enumerate(versions)]})
    assert isinstance(found, tuple)
    assert found[0].is_stale(open_version) == is_stale


def test_files_that_turn_out_to_be_one_are_put_together_in_order() -> None:
    first = FileEdits("/real/a", (read(5),), frozenset({1}))
    second = FileEdits("/real/a", (read(0),), frozenset({2}))
    assert merged([FileEdits("/z", (read(1),)), first, FileEdits("/y", ()), second]) == (
        FileEdits("/real/a", (read(5), read(0)), frozenset({1, 2})),
        FileEdits("/z", (read(1),)),
    )


WHOLE = {"documentChanges": [change(A, edit(5), edit(0), version=1), change(B, edit(2))]}


@given(ANYTHING | damaged(WHOLE) | damaged({"changes": {A: [edit(0), edit(5)], B: [edit(2)]}}))
def test_an_edit_is_never_read_in_part(answer: object) -> None:
    found = parse(answer)
    if found and isinstance(found, tuple):
        assert isinstance(answer, dict)
        several = answer.get("documentChanges")
        lists = [each["edits"] for each in several] if several else list(answer["changes"].values())
        assert sum(len(file.edits) for file in found) == sum(map(len, lists)) > 0
        assert all(file.edits for file in found)
    else:
        assert isinstance(found, tuple | ResourceOperation | NotAFile | Unreadable)
