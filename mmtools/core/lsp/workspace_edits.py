"""
What a server wants changed: a `WorkspaceEdit`, all of it or nothing.

What navigation may skip, a change may not: one entry that cannot be read, one operation that is no edit of
a text, and the whole is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from attrs import field, frozen

from mmtools.core.lsp import uris, wire
from mmtools.core.lsp.positions import Range

__all__ = ["FileEdits", "NotAFile", "Refused", "ResourceOperation", "TextEdit", "Unreadable", "merged", "parse"]


@frozen
class TextEdit:
    """The replacement of a stretch of the text before any edit, as received."""

    range: Range
    new_text: str


@frozen
class FileEdits:
    """
    The edits of one file.

    Args:
        path: Absolute, decoded; links not followed.
        edits: In the server's order; at least one.
        versions: Of the texts that the server looked at, where it tells.
    """

    path: str
    edits: tuple[TextEdit, ...] = field(repr=False)
    versions: frozenset[int] = frozenset()

    def is_stale(self, version: int | None) -> bool:
        """
        Whether the server looked at another text than the one it was sent.

        Args:
            version: Of the open document; None for a file that is not open, of which servers make up the version.
        """
        return version is not None and bool(self.versions - {version})


@frozen
class ResourceOperation:
    """The wish of a server for a file to be created, renamed or deleted, in the word received: "create"."""

    kind: str


@frozen
class NotAFile:
    """Something that the server wants changed and that is no file of this machine."""

    uri: str


@frozen
class Unreadable:
    """A part of the answer that is not what the protocol says."""


#: Why a `WorkspaceEdit` cannot be made. A closed union.
Refused: TypeAlias = ResourceOperation | NotAFile | Unreadable


def parse(answer: object) -> tuple[FileEdits, ...] | Refused:
    """
    Decode a `WorkspaceEdit` or null, for which some servers write `[]`.

    `documentChanges` counts where it holds something, else `changes`; never both.

    Returns:
        Every file's edits, sorted by path; empty where nothing is to be changed.
    """
    if answer is None or answer == []:
        return ()
    if not isinstance(answer, dict):
        return Unreadable()
    files: list[FileEdits] = []
    for file in _entries(answer):
        if not isinstance(file, FileEdits):
            return file
        files.append(file)
    return merged(files)


def merged(files: Iterable[FileEdits]) -> tuple[FileEdits, ...]:
    """
    Put together the edits of the same path, in order, and sort by path; files without edits are left out.

    Args:
        files: Perhaps with their real paths in place of the server's.
    """
    by_path: dict[str, FileEdits] = {}
    for file in files:
        if file.edits:
            before = by_path.get(file.path, FileEdits(file.path, ()))
            by_path[file.path] = FileEdits(file.path, before.edits + file.edits, before.versions | file.versions)
    return tuple(file for _, file in sorted(by_path.items()))


def _entries(answer: dict[str, object]) -> Iterator[FileEdits | Refused]:
    several, changes = answer.get("documentChanges"), answer.get("changes")
    if several:
        for change in wire.sequence(several) or (None,):
            yield _document_change(change)
    elif isinstance(changes, dict):
        for uri, edits in changes.items():
            yield _file(uri, None, edits)
    elif changes is not None:
        yield Unreadable()


def _document_change(change: object) -> FileEdits | Refused:
    members = wire.object_(change)
    kind = wire.text(members.get("kind"))
    if kind is not None:
        return ResourceOperation(kind)
    document = wire.object_(members.get("textDocument"))
    return _file(document.get("uri"), document.get("version"), members.get("edits"))


def _file(uri: object, version: object, edits: object) -> FileEdits | Refused:
    known = wire.number(version)
    if not isinstance(uri, str) or not isinstance(edits, list | tuple) or (version is not None and known is None):
        return Unreadable()
    path = uris.to_path(uri)
    if path is None:
        return NotAFile(uri)
    found = [edit for edit in map(_edit, edits) if edit]
    if len(found) < len(edits):
        return Unreadable()
    return FileEdits(path, tuple(found), frozenset() if known is None else frozenset({known}))


def _edit(entry: object) -> TextEdit | None:
    members = wire.object_(entry)
    range_, new_text = wire.range_(members.get("range")), wire.text(members.get("newText"))
    if range_ is None or new_text is None or range_.end < range_.start:
        return None
    return TextEdit(range_, new_text)
