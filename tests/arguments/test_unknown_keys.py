"""Unknown keys are renamed, left out, or refused where the call would mean something else without them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.arguments.test_repairs import ITEM, refusal, understood
from tests.arguments.zoo import EDIT, READ, PlainArgs, spec_of


@pytest.mark.parametrize("key", ["explanation", "", "Path", "path ", "\ud800", "x" * 1000, 5, None, (1, 2), b"path"])
def test_an_unknown_key_beside_the_fields_is_left_out(key: Any) -> None:
    assert understood({"path": "f.txt", key: "why"}, READ) == {"path": "f.txt"}


def test_unknown_keys_are_named_when_something_is_missing() -> None:
    assert refusal({"file": "f.txt"}, READ) == 'path is missing; "file" is not an argument of read_file'
    assert refusal({"file": "f.txt", "lines": 5}, READ) == (
        'path is missing; "file", "lines" are not arguments of read_file'
    )


def test_an_alias_is_read_as_its_field_when_the_field_is_absent() -> None:
    assert understood({"file_path": "a"}, READ) == {"path": "a"}
    assert understood({"file_path": "a", "path": None}, READ) == {"path": "a"}
    assert understood({"filename": "a", "offset": "3"}, READ) == {"path": "a", "start": 3}


@pytest.mark.parametrize("order", [("path", "file_path"), ("file_path", "path")])
def test_the_field_itself_wins_over_its_alias(order: tuple[str, str]) -> None:
    values = {"path": "right", "file_path": "wrong"}
    assert understood({key: values[key] for key in order}, READ) == {"path": "right"}


def test_two_aliases_of_one_field_are_refused() -> None:
    text = "file_path and filename both mean path: send path alone"
    assert refusal({"file_path": "a", "filename": "b"}, READ) == text
    assert understood({"file_path": "a", "filename": None}, READ) == {"path": "a"}


@pytest.mark.parametrize("value", [True, "true", 1, 0, "", []])
def test_a_key_that_would_change_the_meaning_is_refused_also_beside_the_fields(value: object) -> None:
    text = refusal({"path": "f", "edits": [ITEM], "replace_all": value}, EDIT)
    assert text == "replace_all is not an argument of edit_file; send one edit per place"


@pytest.mark.parametrize("value", [False, None])
def test_such_a_key_says_nothing_when_it_is_false_or_null(value: object) -> None:
    sent = {"path": "f", "edits": [ITEM], "replace_all": value}
    assert understood(sent, EDIT) == {"path": "f", "edits": [ITEM]}


def test_a_key_beside_the_field_it_belongs_inside_is_refused_with_an_example() -> None:
    example = '"edits": [{"old": …, "new": …}]'
    assert refusal({"path": "f", "old": "a", "new": "b"}, EDIT) == f'"old", "new" belong inside edits: {example}'
    assert refusal({"path": "f", "edits": [ITEM], "old_string": "a"}, EDIT) == (
        f'"old_string" belongs inside edits: {example}'
    )
    assert refusal({"text": "", "whole": 1, "old": ""}, spec_of(PlainArgs)) == (
        '"old" belongs inside edit: "edit": {"old": …, "new": …}'
    )
    assert understood({"path": "f", "edits": [ITEM], "old": None}, EDIT) == {"path": "f", "edits": [ITEM]}
