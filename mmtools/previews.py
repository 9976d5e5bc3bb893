"""What is about to happen, in full, as a permission sees it: one class for each kind of thing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from attrs import field, frozen

__all__ = [
    "CardPreview",
    "CommandPreview",
    "DeletionPreview",
    "FileChange",
    "FilesPreview",
    "Preview",
    "ReadPreview",
    "RemotePreview",
    "UrlPreview",
]


@frozen(kw_only=True)
class FileChange:
    """
    One file's bytes before and after.

    Args:
        path: Absolute, of the real file.
        shown: As the model named it.
        before: None when the file is created.
        after: What is, or would be, on disk.
        before_encoding: A codec's name that decodes `before`; None when it is not text.
        after_encoding: The same for `after`.
    """

    path: str
    shown: str
    before: bytes | None = field(repr=False)
    after: bytes = field(repr=False)
    before_encoding: str | None = "utf-8"
    after_encoding: str | None = "utf-8"

    @property
    def created(self) -> bool:
        """Whether there was no such file."""
        return self.before is None

    @property
    def old_text(self) -> str | None:
        """The text before; None for a new file and for bytes that are not text."""
        if self.before is None or self.before_encoding is None:
            return None
        return self.before.decode(self.before_encoding, "replace")

    @property
    def new_text(self) -> str | None:
        """The text after; None for bytes that are not text."""
        return None if self.after_encoding is None else self.after.decode(self.after_encoding, "replace")


@frozen
class CommandPreview:
    """
    A command as it would run.

    Args:
        command: Whole, never shortened.
        directory: Absolute.
    """

    command: str
    directory: str


@frozen
class FilesPreview:
    """Every file that would change, with its old and new bytes."""

    changes: tuple[FileChange, ...]


@frozen
class ReadPreview:
    """
    A file that would be read although it lies outside the roots.

    Args:
        path: Absolute, of the real file.
    """

    path: str


@frozen
class UrlPreview:
    """
    An address on the web that would be fetched.

    Args:
        url: Whole, as it would be asked for.
    """

    url: str


@frozen
class RemotePreview:
    """
    A call that another program would carry out.

    Args:
        server: The host's name for that program.
        tool: The tool's name there.
        arguments: As they would be sent.
    """

    server: str
    tool: str
    arguments: Mapping[str, Any]


@frozen
class DeletionPreview:
    """
    Files that would be deleted, or whole directories with all that is in them.

    Args:
        paths: Absolute, of the real files.
    """

    paths: tuple[str, ...]


@frozen
class CardPreview:
    """
    Anything else that would happen: a plan, a timer, a stop.

    Args:
        title: What it is, in one line.
        rows: A name and its value each; together with the title all that a person must know.
    """

    title: str
    rows: tuple[tuple[str, str], ...] = ()


#: What is about to happen, in full. A closed union: a display or a policy matches it to the end.
Preview: TypeAlias = (
    CommandPreview | FilesPreview | ReadPreview | UrlPreview | RemotePreview | DeletionPreview | CardPreview
)
