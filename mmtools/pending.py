"""
A call that waits for its decision: written down, and gone on with later, perhaps by another process.

What is written down holds digests of all that would happen. The decision counts only for exactly that.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any, Self, assert_never

import attrs
from attrs import field, frozen

from mmtools.call import (
    CardPreview,
    CommandPreview,
    DeletionPreview,
    FileChange,
    FilesPreview,
    Preview,
    ReadPreview,
    RemotePreview,
    UrlPreview,
)
from mmtools.core import digests
from mmtools.errors import DefinitionError
from mmtools.ports.permission import PermissionRequest

__all__ = ["PendingCall", "changed", "facts", "write"]

#: Of the record's form.
_VERSION = 1

#: 200: far more than arguments nest, and less than what exhausts a stack.
_MAX_DEPTH = 200

#: Not the bytes of a name that is no UTF-8 (PEP 383).
_HALF_CHARACTER = re.compile("[\ud800-\udc7f\udd00-\udfff]")


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
        nonce: What tells two records about equal calls apart.
    """

    call_id: str
    tool: str
    arguments: Mapping[str, Any] = field(repr=False)
    title: str
    always: str = ""
    facts: Mapping[str, str] = field(factory=dict)
    files: Mapping[str, str | None] = field(factory=dict)
    earlier: tuple[Mapping[str, str], ...] = ()
    nonce: str = ""

    @property
    def key(self) -> str:
        """Equal for two copies of one record."""
        return _digest(self.to_json().encode())

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
            if not _is_sound(record):
                raise ValueError("it nests too deeply, or holds half a character")
            if record.pop("version") != _VERSION:
                raise DefinitionError(
                    "this pending call was written by another version of mmtools; make the call again"
                )
            call = cls(**{**record, "earlier": tuple(record["earlier"])})
            call.require_types()
            return call
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise DefinitionError(f"this is no pending call: {error}") from None

    def require_types(self) -> None:
        """
        Let only a record pass whose members are what they should be.

        Raises:
            TypeError: One is not; the text names it.
        """
        for name in ("call_id", "tool", "title", "always", "nonce"):
            if not isinstance(getattr(self, name), str):
                raise TypeError(f"{name} is not a string")
        if not isinstance(self.arguments, Mapping):
            raise TypeError("arguments is not an object")
        for name, facts_ in (("facts", self.facts), *(("earlier", one) for one in self.earlier)):
            if not isinstance(facts_, Mapping) or not all(isinstance(fact, str) for fact in facts_.values()):
                raise TypeError(f"{name} does not map strings to strings")
        if not isinstance(self.files, Mapping) or not all(isinstance(one, str | None) for one in self.files.values()):
            raise TypeError("files does not map strings to strings or null")


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
        nonce=os.urandom(8).hex(),
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
        case DeletionPreview(paths=paths):
            return {f"the deletion of {path}": "deleted" for path in paths}
        case CardPreview(title=title, rows=rows):
            return {"what was asked": title, "its details": json.dumps(rows)}
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


def _is_sound(value: object) -> bool:
    """Whether a JSON value nests no deeper than others can follow, and holds whole characters."""
    level: list[object] = [value]
    for _ in range(_MAX_DEPTH):
        if any(isinstance(each, str) and _HALF_CHARACTER.search(each) for each in level):
            return False
        objects = [each for each in level if isinstance(each, dict)]
        level = [
            *(part for one in objects for pair in one.items() for part in pair),
            *(part for each in level if isinstance(each, list) for part in each),
        ]
        if not level:
            return True
    return False
