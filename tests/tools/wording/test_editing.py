"""What is said of edits, whichever dialect they come from."""

from __future__ import annotations

import pytest
from hypothesis import given

from mmtools.core import edits as core
from mmtools.core.edits import Applied, Replacement
from mmtools.errors import ToolFailure
from mmtools.ports.files import Missing, Place, Replaced, Snapshot
from mmtools.testing.calls import StubCall
from mmtools.testing.strategies import Edits, applicable_edits, refused_edits
from mmtools.tools.wording import editing

PLACE = Place("f", "/repo/f")


def edited(before: bytes | None, *edits: tuple[str, str]) -> editing.Edited:
    replacements = [Replacement(*pair) for pair in edits]
    return editing.resolve(Snapshot(place=PLACE, data=before), replacements, ())


@given(applicable_edits())
def test_the_change_is_that_of_the_core(case: tuple[str, Edits]) -> None:
    before, edits = case
    mark = "\ufeff" if before.startswith("\ufeff") else ""
    applied = core.resolve(before.removeprefix(mark), [Replacement(*pair) for pair in edits])
    if "\0" in before or not isinstance(applied, Applied):
        return
    found = edited(before.encode(), *edits)
    assert found.change.after.decode() == mark + applied.text
    call = StubCall()
    dry = found.tell_dry(call, max_chars=30_000)
    assert not call.reported.changes
    told = found.tell(Replaced(), call, max_chars=30_000)
    assert list(call.reported.changes) == [found.change]
    assert told.removeprefix("edited ") == dry.removeprefix("dry run, nothing written: ")
    assert f"{len(edits)} edit(s)" in told


@given(refused_edits())
def test_a_refusal_is_text(case: tuple[str, Edits]) -> None:
    before, edits = case
    with pytest.raises(ToolFailure):
        edited(before.encode(), *edits)


def test_a_missing_or_binary_file_has_no_edits() -> None:
    with pytest.raises(Missing):
        edited(None, ("a", "b"))
    with pytest.raises(ToolFailure, match="f is not text: binary data, 2 bytes"):
        edited(b"a\0", ("a", "b"))


def test_the_question_covers_what_lies_under_the_root() -> None:
    proposal = edited(b"a\n", ("a", "b")).proposal("/repo")
    assert (proposal.title, proposal.refusal) == ("edit f", editing.REFUSAL)
    assert proposal.scope.words == "every file change under /repo"
    assert edited(b"a\n", ("a", "b")).proposal("/elsewhere").scope.words == "every change of /repo/f"
