"""Why a file must be read before it is changed, in words a model can act on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import assert_never

from attrs import frozen

from mmtools.core.freshness import ChangedSince, Fresh, Ledger, NeverRead, fingerprint
from mmtools.core.text import Binary, decode
from mmtools.core.writers import Author, ByCall, ByCommand
from mmtools.errors import ToolFailure
from mmtools.ports.files import Changed, FileProblem, Files, Missing, Replaced, Snapshot

__all__ = ["Gate", "forget", "noting", "objection"]

#: Characters of a command that are repeated.
_COMMAND_CHARS = 80


@frozen(kw_only=True)
class Gate:
    """
    A gate that lets a tool change only what its session knows, and keeps the ledger up to date.

    Args:
        ledger: None where nothing needs to be read first.
        tool: The wire name of the tool that changes files.
    """

    ledger: Ledger | None
    tool: str

    def check(self, before: Snapshot) -> None:
        """
        Raises:
            ToolFailure: The file was not read, or not as it is now.
        """
        if reason := objection(self.ledger, before):
            raise ToolFailure(reason)

    def knows(self, found: Snapshot) -> None:
        """Note that the model sent exactly the bytes that are there."""
        if self.ledger is not None and found.data is not None:
            self.ledger.saw(found.place.path, fingerprint(found.data), found.stamp)

    def replace(self, files: Files, before: Snapshot, after: bytes) -> Replaced:
        """
        Replace a file, if it is still what was looked at.

        Raises:
            ToolFailure: It changed since; the text says who did it, as far as it is known.
            FileProblem: It could not be replaced for another reason.
        """
        try:
            replaced = files.replace(before, after)
        except Changed as problem:
            if reason := self._meanwhile(files, before):
                raise ToolFailure(reason) from problem
            raise
        if self.ledger is not None:
            self.ledger.wrote(before.place.path, fingerprint(after), self.tool)
        return replaced

    def _meanwhile(self, files: Files, before: Snapshot) -> str | None:
        """Say what happened to a file while a person was asked; None when that is not to be seen."""
        if self.ledger is None:
            return None
        try:
            now = files.snapshot(before.place)
        except FileProblem:
            return None
        shown = before.place.requested
        if now.data is None:
            self.ledger.gone(before.place.path)
            return (
                f"{shown} was deleted while permission was asked for; nothing was written. "
                "Make sure that it is to be created again, then write it whole"
            )
        if before.data is None:
            return (
                f"{shown} was created while permission was asked for; nothing was written. "
                "Read it first, then repeat the change"
            )
        match self.ledger.verdict(before.place.path, now.data, now.stamp):
            case ChangedSince(author=author):
                return (
                    f"{shown} changed while permission was asked for{_named(author)}; nothing was written. "
                    "Read it again, then repeat the change"
                )
            case Fresh() | NeverRead():
                return None
            case never:
                assert_never(never)


def objection(ledger: Ledger | None, before: Snapshot) -> str | None:
    """
    Say that a file was not read, or not as it is now; None when it may be changed.

    A file that does not exist drops out of the ledger.

    Args:
        ledger: None where nothing needs to be read first.

    Source:
        crab tools page, "The freshness gate"; decision D5.
    """
    if ledger is None:
        return None
    place = before.place
    if before.data is None:
        ledger.gone(place.path)
        return None
    match ledger.verdict(place.path, before.data, before.stamp):
        case Fresh():
            return None
        case NeverRead():
            reason, advice = "was not read yet", "Read it first, then repeat the change"
        case ChangedSince(author=author):
            reason = f"changed since it was read{_named(author)}"
            advice = "Read it again, then repeat the change"
        case never:
            assert_never(never)
    if isinstance(decode(before.data), Binary):
        advice = "It is not text, so it cannot be read: to put a text in its place, remove it by a command first"
    return f"{place.requested} {reason}; nothing was written. {advice}"


def forget(ledger: Ledger | None, problem: FileProblem) -> None:
    """Drop a file that turned out not to exist."""
    if ledger is not None and isinstance(problem, Missing):
        ledger.gone(problem.place.path)


@contextmanager
def noting(ledger: Ledger | None, command: str, clock: Callable[[], int]) -> Iterator[None]:
    """
    Tell the ledger when the command of this block ran.

    Args:
        clock: Wall time in nanoseconds.
    """
    begun_ns = clock()
    try:
        yield
    finally:
        if ledger is not None:
            ledger.ran(command, begun_ns, clock())


def _named(author: Author | None) -> str:
    match author:
        case None:
            return ""
        case ByCall(tool=tool, session=""):
            return f", by the call `{tool}` of another session"
        case ByCall(tool=tool, session=session):
            return f", by the call `{tool}` of session {session}"
        case ByCommand(command=command):
            return f", while the command `{_short(command)}` ran"
        case never:
            assert_never(never)


def _short(command: str) -> str:
    """Return a command's first line, shortened, as it can be printed."""
    first, *more = command.strip().split("\n")
    first = "".join(char if char.isprintable() else " " for char in first)
    if len(first) > _COMMAND_CHARS:
        return f"{first[: _COMMAND_CHARS - 2]} …"
    return f"{first} …" if more else first
