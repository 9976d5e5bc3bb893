"""crab `edit`: its contract, its translation and its words; what it does is tested on `edit_text`."""

from __future__ import annotations

import pytest

from mmtools import AllowAll, Runner, Toolset
from mmtools.call import Location, Status, ToolKind
from mmtools.core.freshness import Ledger
from mmtools.core.writers import Writers
from mmtools.errors import ToolFailure
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.tools.crab.edit import Edit, EditArg, EditArgs
from mmtools.tools.operations.session_files import SessionFiles


def arguments(path: str, *edits: tuple[str, str]) -> EditArgs:
    return EditArgs(path=path, edits=tuple(EditArg(old=old, new=new) for old, new in edits))


def refusal(data: str, *edits: tuple[str, str], path: str = "f") -> str:
    with pytest.raises(ToolFailure) as refused:
        Edit(files=MemoryFiles({"f": data})).execute(arguments(path, *edits), StubCall())
    return refused.value.text


def test_the_declaration_is_that_of_the_page() -> None:
    spec = Edit.spec
    assert (spec.name, spec.kind, spec.family) == ("edit", ToolKind.EDIT, "file")
    assert spec.arguments_schema["required"] == ["path", "edits"]
    assert "read it first" in spec.description


def test_the_headline_names_the_file() -> None:
    headline = Edit(files=MemoryFiles()).headline(arguments("a/../f.txt", ("a", "b")))
    assert headline.text == "a/../f.txt"
    assert headline.locations == (Location("/repo/f.txt"),)


def test_edits_match_the_original_and_not_one_another() -> None:
    files = MemoryFiles({"f": "a\nb\n"})
    answer = Edit(files=files).execute(arguments("f", ("a", "b"), ("b", "c")), StubCall())
    assert files.contents == {"f": b"b\nc\n"}
    assert answer == "edited f: 2 edit(s), +1 -1 lines, first change at line 1\n-1 a\n 1 b\n+2 c"


def test_refusals_name_the_arguments_of_this_dialect() -> None:
    assert refusal("a\n") == "edits is empty; send at least one {old, new}"
    assert refusal("a\n", ("", "a")).startswith("old is empty; send the text to replace.")
    assert refusal("a\na\n", ("a", "b")).endswith(
        "to change several, send one edit per place, each with enough surrounding lines to be unique."
    )
    assert refusal("", ("a", "b"), path="gone") == "gone does not exist. Create it with write"


def test_its_name_is_told_to_other_sessions() -> None:
    files, writers = MemoryFiles({"f": "a\n"}), Writers()
    main = SessionFiles(files=files, ledger=Ledger(writers=writers))
    helper = SessionFiles(files=files, ledger=Ledger(session="reviewer", writers=writers))
    for session in (main, helper):
        session.note_known(files.snapshot(files.locate("f")))
    Edit(files=helper).execute(arguments("f", ("a", "b")), StubCall())
    with pytest.raises(ToolFailure) as refused:
        Edit(files=main).execute(arguments("f", ("b", "c")), StubCall())
    assert refused.value.text == (
        "f changed since it was read, by the call `edit` of session reviewer; nothing was written. "
        "Read it again, then repeat the change"
    )


@pytest.mark.parametrize(
    ("sent", "after"),
    [
        ({"path": "f", "edits": [{"old": "a", "new": "x"}]}, b"x\nb\n"),
        ({"file_path": "f", "edits": [{"old_string": "a", "new_string": "x"}]}, b"x\nb\n"),
        ({"path": "f", "edits": '[{"oldText":"a","newText":"x"}]'}, b"x\nb\n"),
        ({"path": "f", "edits": ['{"old":"a","new":"x"}']}, b"x\nb\n"),
        ({"path": "f", "edits": {"old": "a", "new": "x"}}, b"x\nb\n"),
        ({"path": "f", "edits": "not json"}, None),
        ({"path": "f", "edits": [{"old": "a", "new": "x"}, {"old": "b"}]}, None),
        ({"path": "f", "edits": [{"old": "a", "new": "x", "replace_all": True}]}, None),
        ({"path": "f"}, None),
        ({"edits": []}, None),
    ],
)
def test_sloppy_arguments_are_understood_or_refused_by_place(sent: object, after: bytes | None) -> None:
    files = MemoryFiles({"f": "a\nb\n"})
    runner = Runner(Toolset([Edit(files=files)]), permission=AllowAll())
    outcome = runner.call("edit", sent)
    assert outcome.status is (Status.FAILED if after is None else Status.OK)
    assert files.contents == {"f": after or b"a\nb\n"}
