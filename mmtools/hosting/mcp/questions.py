"""
A permission request as a person reads it in an MCP client: all that would happen, and what can be answered.

    bash — run: make test
    │ make test
    in /repo
    "allow for this session" covers: exactly this command

What the model wrote stands behind a bar, and what cannot be seen is written out: it poses as nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, assert_never

from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult

from mmtools.call import (
    CardPreview,
    CommandPreview,
    DeletionPreview,
    FileChange,
    FilesPreview,
    ReadPreview,
    RemotePreview,
    UrlPreview,
)
from mmtools.core import diffs
from mmtools.core.screen_text import in_ascii, one_line, spelled
from mmtools.ports.permission import Choice, Decision, PermissionRequest

__all__ = ["ALLOW", "ALLOW_FOR_SESSION", "REJECT", "answer", "request", "text"]

#: What a person can choose; the words go over the wire, for not every client shows titles in their place.
ALLOW, ALLOW_FOR_SESSION, REJECT = "allow once", "allow for this session", "reject"

_CHOICES: Final = {ALLOW: Choice.ALLOW_ONCE, ALLOW_FOR_SESSION: Choice.ALLOW_ALWAYS, REJECT: Choice.REJECT_ONCE}

_BAR = "│ "


def request(asked: PermissionRequest) -> ElicitRequest:
    """Return the form that asks."""
    return ElicitRequest(params=ElicitRequestFormParams(message=text(asked), requested_schema=_form()))


def answer(result: ElicitResult | None) -> Decision:
    """Understand what came back; None and whatever is no clear yes is a no."""
    if result is None or result.action == "cancel":
        return Decision(Choice.CANCELLED)
    content = result.content or {}
    said = content.get("feedback")
    feedback = said.strip() if isinstance(said, str) else ""
    if result.action == "decline":
        return Decision(Choice.REJECT_ONCE, feedback)
    chosen = content.get("decision")
    choice = _CHOICES.get(chosen) if isinstance(chosen, str) else None
    if choice is None:
        return Decision(Choice.REJECT_ONCE, "(refused by policy: the client sent no clear answer)")
    return Decision(choice, "" if choice is not Choice.REJECT_ONCE else feedback)


def text(asked: PermissionRequest) -> str:
    """Write the request in full."""
    head = f"{one_line(asked.tool)} — {one_line(asked.title)}"
    return "\n".join([head, *_body(asked), f'"{ALLOW_FOR_SESSION}" covers: {one_line(asked.scope.words)}'])


def _form() -> dict[str, Any]:
    # Of what a person leaves empty, some clients send the default, and null where there is none.
    feedback = {
        "type": "string",
        "title": "Feedback",
        "description": "After a no: what to do instead, or why",
        "default": "",
    }
    return {
        "type": "object",
        "properties": {
            "decision": {"type": "string", "title": "May it?", "enum": list(_CHOICES)},
            "feedback": feedback,
        },
        "required": ["decision"],
    }


def _body(asked: PermissionRequest) -> Iterator[str]:
    match asked.preview:
        case CommandPreview(command, directory):
            yield from _quoted(command)
            yield f"in {one_line(directory)}"
        case FilesPreview(changes):
            for change in changes:
                yield from _file(change)
        case ReadPreview(path):
            yield f"file {one_line(path)}"
        case UrlPreview(url):
            yield from _quoted(in_ascii(url))
        case RemotePreview(server, tool, arguments):
            yield f"server {one_line(server)}, tool {one_line(tool)}"
            yield from _quoted(json.dumps(arguments, indent=2, ensure_ascii=False, default=repr))
        case DeletionPreview(paths):
            for path in paths:
                yield f"delete {one_line(path)}"
        case CardPreview(title, rows):
            yield from _quoted(title)
            for name, value in rows:
                yield from _quoted(f"{name}: {value}")
        case other:
            assert_never(other)


def _file(change: FileChange) -> Iterator[str]:
    name = one_line(change.shown if change.shown == change.path else f"{change.shown} ({change.path})")
    before, after = 0 if change.before is None else len(change.before), len(change.after)
    sizes = f"new, {after:,} bytes" if change.created else f"{before:,} → {after:,} bytes"
    new = change.new_text
    old = "" if change.created else change.old_text
    if old is None or new is None:
        yield f"{name}  {sizes}, not text"
        return
    diff = diffs.between(old, new)
    if not diff.hunks:
        yield f"{name}  {sizes}" + ("" if change.created else ": only line endings, the BOM or the encoding change")
        return
    yield f"{name}  +{diff.added:,} −{diff.deleted:,}, {sizes}"
    yield from _quoted("\n".join(diffs.rendered(diff)))


def _quoted(written: str) -> Iterator[str]:
    yield from (_BAR + line for line in spelled(written).split("\n"))
