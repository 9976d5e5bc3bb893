"""
A call that waits for its decision: written down, and gone on with later, perhaps by another process.

What is written down holds digests of all that would happen. The decision counts only for exactly that.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, Self, assert_never

import attrs
from attrs import field, frozen

from mmtools.call import CommandPreview, FileChange, FilesPreview, Preview, ReadPreview, RemotePreview, UrlPreview
from mmtools.core import digests
from mmtools.errors import DefinitionError
from mmtools.ports.permission import PermissionRequest

__all__ = ["PendingCall", "changed", "facts", "write"]

#: Of the record's form.
_VERSION = 1


@frozen(kw_only=True)
class PendingCall:
    """
    A call that waits for a decision.

    Args:
        arguments: As understood; JSON.
        title: What a person was, or will be, asked: one line.
        always: What an "always" would cover, in words.
        facts: What would happen: a name for a person → its text, or for bytes their SHA-256.
        files: Real path → SHA-256 of the bytes that would be replaced; None where there is no file yet.
        earlier: The facts of the call's questions before this one, which were allowed.
    """

    call_id: str
    tool: str
    arguments: Mapping[str, Any] = field(repr=False)
    title: str
    always: str = ""
    facts: Mapping[str, str] = field(factory=dict)
    files: Mapping[str, str | None] = field(factory=dict)
    earlier: tuple[Mapping[str, str], ...] = ()

    def to_json(self) -> str:
        """Return one line that `from_json` reads, in any process."""
        return json.dumps({"version": _VERSION, **attrs.asdict(self)})

    @classmethod
    def from_json(cls, text: str) -> Self:
        """
        Read what `to_json` wrote.

        Raises:
            DefinitionError: It did not write this.
        """
        try:
            record = json.loads(text)
            if record.pop("version") != _VERSION:
                raise DefinitionError(
                    "this pending call was written by another version of mmtools; make the call again"
                )
            return cls(**{**record, "earlier": tuple(record["earlier"])})
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise DefinitionError(f"this is no pending call: {error}") from None


def write(request: PermissionRequest, earlier: Iterable[PermissionRequest] = ()) -> str:
    """
    Write down a call at the question it waits for.

    Args:
        earlier: Its questions that were allowed.
    """
    happening = facts(request)
    return PendingCall(
        call_id=request.call_id,
        tool=request.tool,
        arguments=request.arguments,
        title=request.title,
        always=request.scope.words,
        facts=happening,
        files=_files(request.preview, happening),
        earlier=tuple(map(facts, earlier)),
    ).to_json()


def changed(then: Mapping[str, str], request: PermissionRequest) -> list[str]:
    """Name what of a question is no longer as it was written down; empty when it is the same question."""
    now = facts(request)
    return [name for name in dict.fromkeys((*then, *now)) if then.get(name) != now.get(name)]


def facts(request: PermissionRequest) -> dict[str, str]:
    """Return what would happen: a name for a person → its text, or for bytes their SHA-256."""
    preview = request.preview
    match preview:
        case CommandPreview(command=command, directory=directory):
            return {"the command": command, "its directory": directory}
        case FilesPreview(changes=changes):
            return dict(pair for change in changes for pair in _about(change))
        case ReadPreview(path=path):
            return {"the file": path}
        case UrlPreview(url=url):
            return {"the address": url}
        case RemotePreview(server=server, tool=tool, arguments=arguments):
            sent = digests.canonical_json(arguments)
            return {"the server": server, "the tool": tool, "the arguments": sent}
        case _:
            assert_never(preview)


def _about(change: FileChange) -> tuple[tuple[str, str], tuple[str, str]]:
    before = "no file" if change.before is None else _digest(change.before)
    return (change.path, before), (f"what {change.path} would become", _digest(change.after))


def _files(preview: Preview, happening: Mapping[str, str]) -> dict[str, str | None]:
    """Return what `facts` says of the bytes that would be replaced."""
    if not isinstance(preview, FilesPreview):
        return {}
    return {change.path: None if change.before is None else happening[change.path] for change in preview.changes}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
