"""
A permission request as a person reads it in an MCP client: all that would happen, and what can be answered.

    bash — run: make test
    run 1 line, 9 characters:
    │ make test
    in /repo
    "allow for this session" covers: exactly this command

What somebody else wrote stands behind a bar or a word of ours, and what cannot be seen is written out: it poses as nothing else.
"""

from __future__ import annotations

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
from mmtools.core import acts, change_text, diffs, units
from mmtools.core.acts import Act
from mmtools.core.screen_text import in_ascii, one_line, spelled
from mmtools.ports.permission import Choice, Decision, PermissionRequest

__all__ = ["ALLOW", "ALLOW_FOR_SESSION", "REJECT", "answer", "request", "text"]

#: What a person can choose; the words go over the wire, for not every client shows titles in their place.
ALLOW, ALLOW_FOR_SESSION, REJECT = "allow once", "allow for this session", "reject"

_CHOICES: Final = {ALLOW: Choice.ALLOW_ONCE, ALLOW_FOR_SESSION: Choice.ALLOW_ALWAYS, REJECT: Choice.REJECT_ONCE}

_BAR = "│ "

#: 200 columns: the part of a name that stands on the line with its verb and its size.
_COLUMNS = 200


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
    shown = acts.acts(asked.preview)
    match asked.preview:
        case CommandPreview(command, directory):
            yield f"run {shown[0].size}, {units.count(len(command), 'character')}:"
            yield from _quoted(command)
            yield f"in {one_line(directory)}"
        case FilesPreview(changes):
            for change in changes:
                yield from _file(change)
        case ReadPreview(path):
            yield from _named(shown[0], path)
        case UrlPreview(url):
            yield from (act.line(_COLUMNS) for act in shown)
            yield from _quoted(in_ascii(url))
        case RemotePreview(arguments=arguments):
            yield from (line for act in shown for line in _named(act, act.target))
            yield from _quoted(acts.indented(arguments))
        case DeletionPreview(paths):
            yield from (line for act, path in zip(shown, paths, strict=True) for line in _named(act, path))
        case CardPreview(title, rows):
            yield f"do what stands below, {units.count(len(rows), 'row')}:"
            yield from _quoted(title)
            for name, value in rows:
                yield from _quoted(f"{name}: {value}")
        case other:
            assert_never(other)


def _named(act: Act, name: str) -> Iterator[str]:
    """Write an act on one line, and behind a bar the whole name where that holds a part of it."""
    yield act.line(_COLUMNS)
    if len(name) > _COLUMNS:
        yield from _quoted(one_line(name))


def _file(change: FileChange) -> Iterator[str]:
    before, after = 0 if change.before is None else len(change.before), len(change.after)
    sizes = f"new, {after:,} bytes" if change.created else f"{before:,} → {after:,} bytes"
    diff = change_text.difference(change)
    if diff is None:
        size = f"{sizes}, not text"
    elif diff.hunks:
        size = f"+{diff.added:,} −{diff.deleted:,}, {sizes}"
    else:
        size = sizes + ("" if change.created else ": only line endings, the BOM or the encoding change")
    yield from _named(Act(acts.verb_of(change), change.path, size), change.path)
    if not change.path.endswith(f"/{change.shown}") and change.shown != change.path:
        yield f"named {one_line(change.shown)}"
    if diff is not None and diff.hunks:
        yield from _quoted("\n".join(diffs.rendered(diff)))


def _quoted(written: str) -> Iterator[str]:
    yield from (_BAR + line for line in spelled(written).split("\n"))
