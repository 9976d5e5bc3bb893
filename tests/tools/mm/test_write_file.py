"""mm `write_file`: its contract, its translation and its words; what it does is tested on `write_text`."""

from __future__ import annotations

import json

import pytest

from mmtools.call import Location, ToolKind
from mmtools.core.freshness import Ledger
from mmtools.core.writers import Writers
from mmtools.errors import ToolFailure
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.tools.mm.write_file import WriteFile, WriteFileArgs
from mmtools.tools.operations.session_files import SessionFiles


def test_the_declaration_is_short() -> None:
    spec = WriteFile.spec
    declared = {"name": spec.name, "description": spec.description, "parameters": spec.arguments_schema}
    assert len(json.dumps(declared, ensure_ascii=False, separators=(",", ":"))) <= 500
    assert (spec.name, spec.kind, spec.family) == ("write_file", ToolKind.EDIT, "file")


def test_the_headline_names_the_file() -> None:
    headline = WriteFile(files=MemoryFiles()).headline(WriteFileArgs(path="a/../f.txt", content=""))
    assert headline.text == "a/../f.txt"
    assert headline.locations == (Location("/repo/f.txt"),)


def test_the_file_holds_the_content() -> None:
    files = MemoryFiles()
    answer = WriteFile(files=files).execute(WriteFileArgs(path="d/f", content="a\n"), StubCall())
    assert answer == "created d/f (1 line)\n+1 a"
    assert files.contents == {"d/f": b"a\n"}


def test_a_refusal_names_the_argument_of_this_dialect() -> None:
    with pytest.raises(ToolFailure, match=r"^content holds half a character"):
        WriteFile(files=MemoryFiles()).execute(WriteFileArgs(path="f", content="\ud800"), StubCall())


def test_its_name_is_told_to_other_sessions() -> None:
    files, writers = MemoryFiles({"f": "a\n"}), Writers()
    main = SessionFiles(files=files, ledger=Ledger(writers=writers))
    helper = SessionFiles(files=files, ledger=Ledger(session="reviewer", writers=writers))
    for session in (main, helper):
        session.note_known(files.snapshot(files.locate("f")))
    WriteFile(files=helper).execute(WriteFileArgs(path="f", content="b\n"), StubCall())
    with pytest.raises(ToolFailure, match="by the call `write_file` of session reviewer"):
        WriteFile(files=main).execute(WriteFileArgs(path="f", content="c\n"), StubCall())
