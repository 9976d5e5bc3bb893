"""Calls as a runner tells displays about them, and questions as it puts them."""

from __future__ import annotations

from mmtools.call import (
    CommandPreview,
    FileChange,
    FilesPreview,
    GrantScope,
    Headline,
    Outcome,
    Preview,
    Status,
    ToolKind,
)
from mmtools.ports.display import FinishedCall, StartedCall
from mmtools.ports.permission import PermissionRequest

__all__ = ["change", "changing", "ended", "request", "running", "started"]


def started(
    headline: str = "make test", tool: str = "bash", family: str = "command", call_id: str = "1"
) -> StartedCall:
    return StartedCall(
        call_id=call_id, tool=tool, kind=ToolKind.EXECUTE, family=family, headline=Headline(text=headline)
    )


def ended(call: StartedCall, text: str, status: Status = Status.OK, seconds: float = 1.23) -> FinishedCall:
    outcome = Outcome(call_id=call.call_id, tool=call.tool, text=text, status=status, duration_s=seconds)
    return FinishedCall(call, outcome)


def change(shown: str, before: bytes | None, after: bytes) -> FileChange:
    return FileChange(path=f"/repo/{shown}", shown=shown, before=before, after=after)


def request(preview: Preview, title: str, tool: str = "bash", words: str = "all of this") -> PermissionRequest:
    return PermissionRequest(
        call_id="1",
        tool=tool,
        kind=ToolKind.EXECUTE,
        family="command",
        title=title,
        arguments={},
        paths=(),
        preview=preview,
        scope=GrantScope("key", words),
    )


def running(command: str, words: str = "exactly this command") -> PermissionRequest:
    first, _, rest = command.partition("\n")
    return request(CommandPreview(command, "/repo"), f"run: {first}{' …' if rest else ''}", words=words)


def changing(*changes: FileChange) -> PermissionRequest:
    names = ", ".join(one.shown for one in changes)
    return request(FilesPreview(changes), f"change: {names}", "edit_file", "every file change under /repo")
