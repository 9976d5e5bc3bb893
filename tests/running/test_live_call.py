"""What a tool asks through its call, and what is made of the answer."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from mmtools import AllowAll, Choice, Decision
from mmtools.call import Cancellation, FileChange, FilesPreview, GrantScope, Headline, Proposal, ToolKind
from mmtools.errors import Deferred
from mmtools.pending import PendingCall
from mmtools.ports.display import StartedCall
from mmtools.ports.permission import PermissionRequest
from mmtools.running.live_call import LiveCall

STARTED = StartedCall(call_id="1", tool="edit", kind=ToolKind.EDIT, family="file", headline=Headline(text="a.txt"))


def question(after: Any) -> Proposal:
    change = FileChange(path="/a.txt", shown="a.txt", before=b"old\n", after=after)
    return Proposal(
        title="edit a.txt", preview=FilesPreview((change,)), scope=GrantScope("edit:/", "all"), refusal="no"
    )


def call_that_hears(*answers: Choice) -> LiveCall:
    heard = iter(answers)

    def ask(request: PermissionRequest, cancellation: Cancellation) -> Decision:
        return Decision(next(heard))

    return LiveCall(STARTED, Cancellation(), ask, AllowAll(), threading.Lock(), print)


def test_what_is_allowed_is_not_hashed() -> None:
    not_hashable: Any = object()
    call_that_hears(Choice.ALLOW_ONCE).approve(question(not_hashable))


def test_what_was_allowed_is_written_down_once_a_later_question_is_deferred() -> None:
    call = call_that_hears(Choice.ALLOW_ONCE, Choice.DEFER)
    call.approve(question(b"new\n"))
    with pytest.raises(Deferred) as deferred:
        call.approve(question(b"newer\n"))
    written = PendingCall.from_json(deferred.value.pending)
    names = {"/a.txt", "what /a.txt would become"}
    assert [set(facts) for facts in written.earlier] == [names]
    assert written.files == {"/a.txt": written.facts["/a.txt"]}
    assert written.earlier[0]["/a.txt"] == written.facts["/a.txt"]
    assert written.earlier[0]["what /a.txt would become"] != written.facts["what /a.txt would become"]
