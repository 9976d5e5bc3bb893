"""Why a file cannot be read or written, in words a model can act on."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Sequence

from mmtools.ports.files import (
    AccessDenied,
    BadPath,
    Changed,
    FileProblem,
    IsDirectory,
    Locked,
    Missing,
    NotRegularFile,
    OutsideRoots,
    ParentNotDirectory,
    RootGone,
    TooLarge,
    WriteFailed,
)

__all__ = ["not_text", "problem"]

#: Characters of an impossible path that are repeated; a path can be megabytes long.
_MAX_QUOTED = 200
#: Names of a directory that are shown.
_MOST_ENTRIES = 10


def problem(
    problem: FileProblem, *, offers: Sequence[str] = (), entries: Sequence[str] = (), writer: str | None = None
) -> str:
    """
    Say why a file cannot be used, where, and what to do next.

    Args:
        offers: Paths that may be meant in place of a missing one.
        entries: Names in what is a directory.
        writer: The dialect's tool that would create a missing file; None where creating it is no answer.

    Returns:
        One line, and a second one where there is something to offer. Always encodable as UTF-8.

    Source:
        mm `read_file`, "Missing file"; the other sentences are ours.
    """
    return _encodable(_sentence(problem, offers, entries, writer))


def not_text(shown: str, *, size: int, mime_type: str | None = None) -> str:
    """
    Say that a file is binary.

    Args:
        shown: The path as the model wrote it.
        size: In bytes.
        mime_type: When the leading bytes tell it.
    """
    kind = mime_type or "binary data"
    return _encodable(f"{shown} is not text: {kind}, {size} bytes. Use a command made for such data, or another file")


def _sentence(problem: FileProblem, offers: Sequence[str], entries: Sequence[str], writer: str | None) -> str:
    shown, reason = problem.place.requested, problem.reason
    because = f" ({reason})" if reason else ""
    match problem:
        case RootGone():
            directory = f"the directory {reason}" if reason else "its directory"
            return f"{shown} cannot be reached: {directory} is gone; only the host can open another"
        case Missing():
            advice = f"Create it with {writer}" if writer else "Check the path"
            return "\n".join([f"{shown} does not exist. {advice}", *_did_you_mean(problem, offers)])
        case BadPath():
            return f"{_quoted(shown)} cannot be a path{because}. Send the path of a file, relative to the working directory"
        case OutsideRoots():
            return f"{_leading_out(problem)} outside the working directory and was not opened. Use a path inside it"
        case IsDirectory():
            return "\n".join(
                [f"{shown} is a directory, not a file. Send the path of a file in it", *_in_it(problem, entries)]
            )
        case NotRegularFile():
            return f"{shown} is not a regular file{because} and was not opened. Send the path of a regular file"
        case ParentNotDirectory():
            what = reason or posixpath.dirname(shown)
            return f"{shown} cannot exist: {what} is a file, not a directory. Correct the path"
        case AccessDenied():
            return f"{shown}: the system denies access{because}. Use another file, or ask the user for access"
        case TooLarge():
            return f"{shown} is too large to handle as a whole{because}. Work on it in parts with a command"
        case Changed():
            return f"{shown} changed in the meantime{because}; nothing was done. Read it again, then repeat the call"
        case Locked():
            return f"{shown} is locked by another program; nothing was written. Try again later"
        case WriteFailed():
            return f"{shown} could not be written{because}; its old content is kept. Solve the cause, then try again"
        case _:
            return f"{shown} cannot be used{because}. Check the path"


def _leading_out(problem: OutsideRoots) -> str:
    place = problem.place
    return (
        f"{place.requested} is"
        if place.requested == place.path
        else f"{place.requested} leads to {place.path}, which is"
    )


def _did_you_mean(problem: Missing, offers: Sequence[str]) -> list[str]:
    spelled = [_offer(path, sent=problem.place.requested) for path in offers]
    return [f"did you mean {' or '.join(spelled)}"] if spelled else []


def _in_it(problem: IsDirectory, entries: Sequence[str]) -> list[str]:
    shown = [_offer(name, sent=problem.place.requested) for name in entries[:_MOST_ENTRIES]]
    if more := len(entries) - len(shown):
        shown.append(f"{more} more")
    return [f"[in it: {', '.join(shown)}]"] if shown else []


def _offer(path: str, *, sent: str) -> str:
    """Spell a path so that what cannot be seen in it can still be sent."""
    escaped = "".join(json.dumps(char, ensure_ascii=char not in sent)[1:-1] for char in path)
    return path if escaped == path else f'{path} (in JSON: "{escaped}")'


def _quoted(path: str) -> str:
    short = path if len(path) <= _MAX_QUOTED else f"{path[:_MAX_QUOTED]}…"
    return json.dumps(short, ensure_ascii=False)


def _encodable(text: str) -> str:
    """Escape what no UTF-8 can carry: a name on disk, or a model, may hold lone surrogates."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
