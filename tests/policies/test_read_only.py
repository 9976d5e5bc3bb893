"""Reads pass, the rest is refused with the reason."""

from __future__ import annotations

import pytest

from mmtools.call import (
    CommandPreview,
    FileChange,
    FilesPreview,
    Preview,
    ReadPreview,
    RemotePreview,
    ToolKind,
    UrlPreview,
)
from mmtools.policies.read_only import ReadOnly
from mmtools.ports.permission import Choice, Decision
from mmtools.testing.conformance import permissions
from mmtools.testing.permissions import request_for

READS = {ToolKind.READ, ToolKind.SEARCH, ToolKind.THINK}
READ = ReadPreview("/etc/hosts")
COMMAND = CommandPreview("ls", "/")
FILES = FilesPreview((FileChange(path="/a", shown="a", before=b"", after=b"x"),))
PAGE = UrlPreview("https://docs.python.org/3/")
REMOTE = RemotePreview("files", "read_file", {"path": "a"})


def test_it_keeps_the_laws() -> None:
    permissions.check_permission(ReadOnly)


@pytest.mark.parametrize("kind", list(ToolKind))
def test_the_kind_decides(kind: ToolKind) -> None:
    answer = ReadOnly().decide(request_for(READ, kind=kind))
    assert answer.allowed == (kind in READS)


@pytest.mark.parametrize("kind", list(ToolKind))
@pytest.mark.parametrize("preview", [COMMAND, FILES, PAGE, REMOTE])
def test_what_runs_or_changes_something_is_no_read_whatever_its_tool_says(preview: Preview, kind: ToolKind) -> None:
    assert not ReadOnly().decide(request_for(preview, kind=kind)).allowed


def test_a_refusal_says_that_the_session_is_read_only() -> None:
    answer = ReadOnly().decide(request_for(COMMAND))
    assert answer == Decision(
        Choice.REJECT_ONCE, "Refused by policy: this session is read-only, and bash would do more than read."
    )
