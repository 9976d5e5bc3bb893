"""What stands behind the result of a change."""

from __future__ import annotations

from mmtools.call import Cancellation
from mmtools.core.lsp.diagnostics import Finding, Severity
from mmtools.core.lsp.diagnostics_delta import Delta
from mmtools.ports.files import Place
from mmtools.testing.calls import StubCall
from mmtools.testing.edit_checks import ScriptedEditChecks
from mmtools.testing.files import MemoryFiles
from mmtools.tools.mm.edit_file import EditArg, EditFile, EditFileArgs
from mmtools.tools.mm.write_file import WriteFile, WriteFileArgs
from mmtools.tools.wording.edit_checks import checked

WORSE = Delta(appeared=(Finding(1, 1, Severity.ERROR, "bad", ""),), gone=())
TOLD = "\ndiagnostics after this change: 1 new\n+ error f:1:1 bad"


def test_it_is_silent_where_nobody_watches_or_nothing_is_known() -> None:
    place = Place("f", "/repo/f")
    assert checked(None, "f") == ""
    assert checked(ScriptedEditChecks(None).watch(place, Cancellation()), "f") == ""
    assert checked(ScriptedEditChecks(WORSE).watch(place, Cancellation()), "f") == TOLD


def test_edits_and_overwrites_end_with_it() -> None:
    checks = ScriptedEditChecks(WORSE)
    files = MemoryFiles({"f": "a\n"})
    edit = EditFileArgs(path="f", edits=(EditArg(old="a", new="b"),))
    assert EditFile(files=files, checks=checks).execute(edit, StubCall()).endswith(TOLD)
    overwrite = WriteFileArgs(path="f", content="c\n")
    assert WriteFile(files=files, checks=checks).execute(overwrite, StubCall()).endswith(TOLD)
    assert checks.watched == checks.compared
    assert len(checks.watched) == 2
