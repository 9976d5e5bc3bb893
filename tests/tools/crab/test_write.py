"""crab `write`: its contract, its translation and its words; what it does is tested on `write_text`."""

from __future__ import annotations

import pytest

from mmtools import AllowAll, Runner, Toolset
from mmtools.call import Location, Status, ToolKind
from mmtools.core.freshness import Ledger
from mmtools.core.writers import Writers
from mmtools.errors import ToolFailure
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.tools.crab.write import Write, WriteArgs
from mmtools.tools.operations.session_files import SessionFiles


def test_the_declaration_is_that_of_the_page() -> None:
    spec = Write.spec
    assert (spec.name, spec.kind, spec.family) == ("write", ToolKind.EDIT, "file")
    assert spec.arguments_schema["required"] == ["path", "content"]
    assert "read it first" in spec.description


def test_the_file_holds_the_content() -> None:
    files = MemoryFiles()
    answer = Write(files=files).execute(WriteArgs(path="d/f", content="a\n"), StubCall())
    assert answer == "created d/f (1 line)\n+1 a"
    assert files.contents == {"d/f": b"a\n"}


def test_a_refusal_names_the_argument_of_this_dialect() -> None:
    with pytest.raises(ToolFailure, match=r"^content holds half a character"):
        Write(files=MemoryFiles()).execute(WriteArgs(path="f", content="\ud800"), StubCall())


def test_its_name_is_told_to_other_sessions() -> None:
    files, writers = MemoryFiles({"f": "a\n"}), Writers()
    main = SessionFiles(files=files, ledger=Ledger(writers=writers))
    helper = SessionFiles(files=files, ledger=Ledger(session="reviewer", writers=writers))
    for session in (main, helper):
        session.note_known(files.snapshot(files.locate("f")))
    Write(files=helper).execute(WriteArgs(path="f", content="b\n"), StubCall())
    with pytest.raises(ToolFailure, match="by the call `write` of session reviewer"):
        Write(files=main).execute(WriteArgs(path="f", content="c\n"), StubCall())


def test_aliases_and_the_headline() -> None:
    files = MemoryFiles()
    runner = Runner(Toolset([Write(files=files)]), permission=AllowAll())
    outcome = runner.call("write", {"file_path": "d/f", "content": "x"})
    assert (outcome.status, outcome.locations) == (Status.OK, (Location("/repo/d/f", 1),))
    assert files.contents == {"d/f": b"x"}
    assert Write(files=files).headline(WriteArgs(path="a", content="")).locations == (Location("/repo/a"),)
    assert "content" in runner.call("write", {"path": "f"}).text
