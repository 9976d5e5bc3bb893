"""A permission that answers from a script, and requests to ask any permission."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from mmtools.call import (
    CardPreview,
    CommandPreview,
    DeletionPreview,
    FilesPreview,
    GrantScope,
    Preview,
    ReadPreview,
    RemotePreview,
    ToolKind,
    UrlPreview,
)
from mmtools.ports.permission import Choice, Decision, PermissionRequest

__all__ = ["Scripted", "request_for"]


class Scripted:
    """
    A policy that gives the answers in order, and keeps the requests.

    Args:
        answers: Decisions, or choices without feedback.
    """

    def __init__(self, answers: Iterable[Decision | Choice] = ()) -> None:
        self.requests: list[PermissionRequest] = []
        self._answers = iter(answers)

    def decide(self, request: PermissionRequest) -> Decision:
        """
        Give the next answer.

        Raises:
            AssertionError: There is none left: the question should not have been asked.
        """
        self.requests.append(request)
        answer = next(self._answers, None)
        if answer is None:
            raise AssertionError(f"question {len(self.requests)} was not expected: {request.title}")
        return answer if isinstance(answer, Decision) else Decision(answer)


def request_for(
    preview: Preview,
    *,
    tool: str | None = None,
    kind: ToolKind | None = None,
    scope: GrantScope | None = None,
) -> PermissionRequest:
    """
    Build a request as a tool would make it.

    Args:
        tool, kind: By default those of the tool that shows such a preview.
        scope: By default the call itself.
    """
    match preview:
        case CommandPreview(command=command):
            usual, subject = ("bash", ToolKind.EXECUTE, "command"), command
            arguments: dict[str, object] = {"command": command}
            paths: tuple[str, ...] = ()
        case FilesPreview(changes=changes):
            usual, subject = ("edit_file", ToolKind.EDIT, "file"), ", ".join(change.shown for change in changes)
            arguments = {"path": subject, "edits": []}
            paths = tuple(change.path for change in changes)
        case ReadPreview(path=path):
            usual, subject = ("read_file", ToolKind.READ, "file"), path
            arguments = {"path": path}
            paths = (path,)
        case UrlPreview(url=url):
            usual, subject = ("web_fetch", ToolKind.FETCH, "web"), url
            arguments = {"url": url}
            paths = ()
        case RemotePreview(server=server, tool=remote, arguments=sent):
            usual, subject = (f"{server}__{remote}", ToolKind.OTHER, "mcp"), remote
            arguments = dict(sent)
            paths = ()
        case DeletionPreview(paths=paths):
            usual, subject = ("delete", ToolKind.DELETE, "file"), ", ".join(paths)
            arguments = {"paths": list(paths)}
        case CardPreview(title=subject, rows=rows):
            usual = ("plan", ToolKind.OTHER, "other")
            arguments = dict(rows)
            paths = ()
        case _:
            assert_never(preview)
    name = usual[0] if tool is None else tool
    return PermissionRequest(
        call_id="call-1",
        tool=name,
        kind=usual[1] if kind is None else kind,
        family=usual[2],
        title=f"{name}: {subject}",
        arguments=arguments,
        paths=paths,
        preview=preview,
        scope=GrantScope(f"{name}:{subject}", f"{name} with exactly this") if scope is None else scope,
    )
