"""Why a file must be read before it is changed, in words a model can act on."""

from __future__ import annotations

from typing import assert_never

from mmtools.core.freshness import ChangedSince, Fresh, NeverRead, Verdict
from mmtools.core.text import Binary, decode
from mmtools.core.writers import Author, ByCall, ByCommand

__all__ = ["changed_meanwhile", "created_meanwhile", "deleted_meanwhile", "objection"]

#: Characters of a command that are repeated.
_COMMAND_CHARS = 80


def objection(shown: str, verdict: Verdict, data: bytes) -> str | None:
    """
    Say that a file was not read, or not as it is now; None when it may be changed.

    Args:
        shown: The path as the model wrote it.
        data: What the file holds now.

    Source:
        crab tools page, "The freshness gate"; decision D5.
    """
    match verdict:
        case Fresh():
            return None
        case NeverRead():
            reason, advice = "was not read yet", "Read it first, then repeat the change"
        case ChangedSince(author=author):
            reason = f"changed since it was read{_named(author)}"
            advice = "Read it again, then repeat the change"
        case never:
            assert_never(never)
    if isinstance(decode(data), Binary):
        advice = "It is not text, so it cannot be read: to put a text in its place, remove it by a command first"
    return f"{shown} {reason}; nothing was written. {advice}"


def deleted_meanwhile(shown: str) -> str:
    """Say that a file went away while a person was asked."""
    return (
        f"{shown} was deleted while permission was asked for; nothing was written. "
        "Make sure that it is to be created again, then write it whole"
    )


def created_meanwhile(shown: str) -> str:
    """Say that a file appeared while a person was asked whether to create it."""
    return (
        f"{shown} was created while permission was asked for; nothing was written. "
        "Read it first, then repeat the change"
    )


def changed_meanwhile(shown: str, verdict: ChangedSince) -> str:
    """Say that a file was changed while a person was asked."""
    return (
        f"{shown} changed while permission was asked for{_named(verdict.author)}; nothing was written. "
        "Read it again, then repeat the change"
    )


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
