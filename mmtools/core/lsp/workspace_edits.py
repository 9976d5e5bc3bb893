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

__all__ = [
    "Edits",
    "FileEdits",
    "NoEdits",
    "NotAFile",
    "Parsed",
    "ResourceOperation",
    "TextEdit",
    "Unreadable",
    "merged",
    "parse",
]


@frozen
class TextEdit:
    """
    The replacement of a stretch of a text.

    Args:
        range: As received, in the text before any edit.
        new_text: As received.
    """

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
class Edits:
    """Every file's edits, sorted by path."""

    files: tuple[FileEdits, ...]

    @property
    def count(self) -> int:
        """How many edits there are in all."""
        return sum(len(file.edits) for file in self.files)


@frozen
class NoEdits:
    """The answer of a server that wants nothing changed."""


@frozen
class ResourceOperation:
    """
    The wish of a server for a file to be created, renamed or deleted.

    Args:
        kind: As received: "create", "rename", "delete".
    """

    kind: str


@frozen
class NotAFile:
    """Something that the server wants changed and that is no file of this machine."""

    uri: str


@frozen
class Unreadable:
    """A part of the answer that is not what the protocol says."""


#: What a `WorkspaceEdit` can be. A closed union.
Parsed: TypeAlias = Edits | NoEdits | ResourceOperation | NotAFile | Unreadable

_Flaw: TypeAlias = ResourceOperation | NotAFile | Unreadable


def parse(answer: object, flavour: uris.Flavour = uris.Flavour.POSIX) -> Parsed:
    """
    Decode a `WorkspaceEdit` or null, for which some servers write `[]`.

    `documentChanges` counts where it holds something, else `changes`; never both.
    """
    if answer is None or answer == []:
        return NoEdits()
    if not isinstance(answer, dict):
        return Unreadable()
    files: list[FileEdits] = []
    for file in _entries(answer, flavour):
        if not isinstance(file, FileEdits):
            return file
        files.append(file)
    found = merged(files)
    return Edits(found) if found else NoEdits()


def merged(files: Iterable[FileEdits]) -> tuple[FileEdits, ...]:
    """
    Put together the edits of the same path, in order, and sort by path; files without edits are left out.

    Args:
        files: Perhaps with their real paths in place of the server's.
    """
    by_path: dict[str, list[FileEdits]] = {}
    for file in files:
        if file.edits:
            by_path.setdefault(file.path, []).append(file)
    return tuple(_together(path, same) for path, same in sorted(by_path.items()))


def _together(path: str, same: list[FileEdits]) -> FileEdits:
    edits = tuple(edit for file in same for edit in file.edits)
    return FileEdits(path, edits, frozenset().union(*(file.versions for file in same)))


def _entries(answer: dict[str, object], flavour: uris.Flavour) -> Iterator[FileEdits | _Flaw]:
    several, changes = answer.get("documentChanges"), answer.get("changes")
    if several:
        for change in wire.sequence(several) or (None,):
            yield _document_change(change, flavour)
    elif isinstance(changes, dict):
        for uri, edits in changes.items():
            yield _file(uri, None, edits, flavour)
    elif changes is not None:
        yield Unreadable()


def _document_change(change: object, flavour: uris.Flavour) -> FileEdits | _Flaw:
    members = wire.object_(change)
    kind = wire.text(members.get("kind"))
    if kind is not None:
        return ResourceOperation(kind)
    document = wire.object_(members.get("textDocument"))
    return _file(document.get("uri"), document.get("version"), members.get("edits"), flavour)


def _file(uri: object, version: object, edits: object, flavour: uris.Flavour) -> FileEdits | _Flaw:
    known = wire.number(version)
    if not isinstance(uri, str) or not isinstance(edits, list | tuple) or (version is not None and known is None):
        return Unreadable()
    path = uris.to_path(uri, flavour)
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
