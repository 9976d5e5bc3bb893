"""mm `edit_file`: its contract, its translation and its words; what it does is tested on `edit_text`."""

from __future__ import annotations

import json

import pytest

from mmtools.call import Location, ToolKind
from mmtools.core.freshness import Ledger
from mmtools.core.writers import Writers
from mmtools.errors import ToolFailure
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.tools.mm.edit_file import EditArg, EditFile, EditFileArgs
from mmtools.tools.operations.session_files import SessionFiles


def arguments(path: str, *edits: tuple[str, str], dry_run: bool = False) -> EditFileArgs:
    return EditFileArgs(path=path, edits=tuple(EditArg(old=old, new=new) for old, new in edits), dry_run=dry_run)


def refusal(data: str, *edits: tuple[str, str], path: str = "f") -> str:
    with pytest.raises(ToolFailure) as refused:
        EditFile(files=MemoryFiles({"f": data})).execute(arguments(path, *edits), StubCall())
    return refused.value.text


def test_the_declaration_is_short() -> None:
    spec = EditFile.spec
    declared = {"name": spec.name, "description": spec.description, "parameters": spec.arguments_schema}
    assert len(json.dumps(declared, ensure_ascii=False, separators=(",", ":"))) <= 900
    assert (spec.name, spec.kind, spec.family) == ("edit_file", ToolKind.EDIT, "file")


def test_the_headline_names_the_file() -> None:
    headline = EditFile(files=MemoryFiles()).headline(arguments("a/../f.txt", ("a", "b")))
    assert headline.text == "a/../f.txt"
    assert headline.locations == (Location("/repo/f.txt"),)


def test_all_edits_are_made_in_one_go() -> None:
    files = MemoryFiles({"f": "a\nb\n"})
    answer = EditFile(files=files).execute(arguments("f", ("a", "b"), ("b", "c")), StubCall())
    assert answer == "edited f: 2 edit(s), +1 -1 lines, first change at line 1\n-1 a\n 1 b\n+2 c"
    assert files.contents == {"f": b"b\nc\n"}


def test_a_dry_run_asks_and_writes_nothing() -> None:
    files, call = MemoryFiles({"f": "a\n"}), StubCall()
    answer = EditFile(files=files).execute(arguments("f", ("a", "b"), dry_run=True), call)
    assert answer.startswith("dry run, nothing written: f: 1 edit(s)")
    assert (files.contents, call.proposals) == ({"f": b"a\n"}, [])


def test_refusals_name_the_arguments_of_this_dialect() -> None:
    assert refusal("a\n") == "edits is empty; send at least one {old, new}"
    assert refusal("a\n", ("a", "a")).startswith("old and new are the same, so nothing would change")
    assert refusal("a\na\n", ("a", "b")) == (
        "old text appears 2 times (lines 1, 2) — to change ONE of them, include its surrounding lines in old until "
        "the text is unique; to change several, send one edit per place, each with enough surrounding lines to be unique."
    )
    assert refusal("", ("a", "b"), path="gone") == "gone does not exist. Create it with write_file"


def test_its_name_is_told_to_other_sessions() -> None:
    files, writers = MemoryFiles({"f": "a\n"}), Writers()
    main = SessionFiles(files=files, ledger=Ledger(writers=writers))
    helper = SessionFiles(files=files, ledger=Ledger(session="reviewer", writers=writers))
    for session in (main, helper):
        session.note_known(files.snapshot(files.locate("f")))
    EditFile(files=helper).execute(arguments("f", ("a", "b")), StubCall())
    with pytest.raises(ToolFailure, match="by the call `edit_file` of session reviewer"):
        EditFile(files=main).execute(arguments("f", ("b", "c")), StubCall())
