"""Path arithmetic by letters alone: POSIX forms, nothing is looked up."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from enum import StrEnum

__all__ = [
    "Flaw",
    "contains",
    "flaw",
    "join",
    "names_directory",
    "names_home",
    "normalise",
    "relative",
    "too_long",
    "undecodable",
]

#: How Python writes a byte of a name that is not UTF-8.
_ESCAPED = re.compile("[\udc80-\udcff]")

#: Linux and macOS: NAME_MAX, in bytes.
_MAX_NAME_BYTES = 255
#: Linux: PATH_MAX without its NUL, in bytes; macOS stops earlier and says so itself.
_MAX_PATH_BYTES = 4095


class Flaw(StrEnum):
    """The reason why no file can have a path."""

    EMPTY = "the path is empty"
    NUL = "the path holds a NUL character"
    UNENCODABLE = "the path holds a lone surrogate, which has no UTF-8 form"
    NOT_UTF8 = "its name is not UTF-8: only a command reaches it, by a pattern with ? for each \\udc…"
    TOO_LONG = "the path, or a name in it, is too long"
    LOOP = "the path runs into a loop of symbolic links"
    NO_HOME = "~ stands for a home directory, and nobody knows one here: HOME is not an absolute path"
    NOT_ASCII = (
        "this Python takes file names for another encoding than UTF-8, so that it reaches only those in ASCII; "
        "start it with PYTHONUTF8=1 or in a UTF-8 locale"
    )
    NO_DIRECTORY = "the path ends like a directory's, and no directory is there"


def flaw(path: str) -> Flaw | None:
    """Find what makes a path impossible on any disk; None when nothing does."""
    if not path:
        return Flaw.EMPTY
    if "\0" in path:
        return Flaw.NUL
    try:
        path.encode()
    except UnicodeEncodeError:
        return Flaw.UNENCODABLE if any(_is_no_byte(char) for char in path) else Flaw.NOT_UTF8
    return None


def _is_no_byte(char: str) -> bool:
    return "\ud800" <= char <= "\udfff" and not _ESCAPED.match(char)


def undecodable(path: str) -> str | None:
    """
    Return a shell pattern for a path that is not UTF-8, with `?` for each byte that Python escapes; else None.

    To a shell all else in it means itself. A name with controls has no pattern: it could say anything.
    """
    parts = _ESCAPED.split(path)
    if len(parts) == 1 or not all(map(str.isprintable, parts)):
        return None
    return "?".join(shlex.quote(part) if part else "" for part in parts)


def names_home(path: str) -> bool:
    """Whether a path begins in the home directory."""
    return path.startswith("~/")


def too_long(path: str) -> bool:
    """Whether the path, or a name in it, is longer than a disk takes; counted in bytes."""
    encoded = path.encode("utf-8", "surrogateescape")
    return len(encoded) > _MAX_PATH_BYTES or any(len(name) > _MAX_NAME_BYTES for name in encoded.split(b"/"))


def names_directory(path: str) -> bool:
    """Whether only a directory can be meant: the path ends in a slash, `.` or `..`."""
    return path.rpartition("/")[2] in ("", ".", "..")


def join(path: str, *, base: str, home: str) -> str:
    """
    Make a path absolute; `..` stays, since what it leads to depends on links.

    Args:
        base: Absolute: where a relative path starts.
        home: Absolute: what a leading `~/` stands for; `~` means nothing special anywhere else.
    """
    if path.startswith("/"):
        return path
    if names_home(path):
        base, path = home, path[2:].lstrip("/")
    return f"{base}{path}" if base.endswith("/") else f"{base}/{path}"


def normalise(path: str) -> str:
    """
    Drop empty names and `.`, and let each `..` take the name before it.

    Args:
        path: Absolute.
    """
    kept: list[str] = []
    for name in path.split("/"):
        if name == "..":
            del kept[-1:]
        elif name not in ("", "."):
            kept.append(name)
    return "/" + "/".join(kept)


def contains(root: str, path: str) -> bool:
    """
    Whether a path is the root or below it, name by name: `/ws-evil` is not in `/ws`.

    Args:
        root: Absolute and normal, as `path`.
    """
    return path.startswith(root) and (len(path) == len(root) or root == "/" or path[len(root)] == "/")


def relative(path: str, roots: Iterable[str]) -> str:
    """
    Shorten a path for display: relative to the first root that contains it, else as it is.

    Args:
        path: Absolute and normal, as each of `roots`.
    """
    for root in roots:
        if contains(root, path):
            return path[len(root) :].lstrip("/") or "."
    return path
