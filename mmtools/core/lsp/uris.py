"""
Paths ↔ file URIs. Compare files by `key`, never by how somebody spells a URI.

Everything but letters, digits and `-._~/` is percent-encoded, as UTF-8; a name that is not UTF-8 keeps its bytes.
Decoding is done once, and a sign that should have been encoded (`#`, `?`, a space) stands for itself: a file URI
has neither query nor fragment.
"""

from __future__ import annotations

import re
from enum import Enum, auto

from mmtools.core import paths

__all__ = ["Flavour", "from_path", "key", "to_path"]

_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
_SPELT = tuple(chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in range(256))
_ENCODED = re.compile(rb"%([0-9A-Fa-f]{2})")
_FILE_URI = re.compile(r"file:(?://(?P<host>[^/]*)|(?!//))(?P<path>/.*)", re.IGNORECASE | re.DOTALL)
_DRIVE = re.compile(r"/?([A-Za-z])[:|](?=/|$)")


class Flavour(Enum):
    """The system whose paths are meant."""

    POSIX = auto()
    WINDOWS = auto()


def from_path(path: str, flavour: Flavour = Flavour.POSIX) -> str:
    """
    Return the URI of a file; its drive letter is written small and its colon encoded, as editors do.

    Args:
        path: Absolute. One that no file can have (a lone surrogate in it) gives a URI that leads nowhere.
    """
    if flavour is Flavour.WINDOWS:
        path = _drive_small(path.replace("\\", "/"))
        if path.startswith("//"):
            return f"file:{_quoted(path)}"
        path = path if path.startswith("/") else f"/{path}"
    return f"file://{_quoted(path)}"


def to_path(uri: str, flavour: Flavour = Flavour.POSIX) -> str | None:
    """
    Return the absolute path that a URI stands for; None for what is no file of this machine.

    Args:
        uri: As received, in whatever spelling.
    """
    parts = _FILE_URI.fullmatch(uri)
    path = parts and _unquoted(parts["path"])
    if parts is None or path is None or "\0" in path:
        return None
    host = parts["host"] or ""
    if host.casefold() == "localhost":
        host = ""
    if flavour is Flavour.POSIX:
        return None if host else path
    drive = _DRIVE.match(path)
    if drive and not host:
        path = f"{drive[1]}:{path[drive.end() :] or '/'}"
    return (f"//{host}{path}" if host else path).replace("/", "\\")


def key(path: str, flavour: Flavour = Flavour.POSIX) -> str:
    """
    Return what is equal for two spellings of one path; links are not followed.

    Args:
        path: Absolute.
    """
    if flavour is Flavour.POSIX:
        return paths.normalise(path)
    path = path.replace("\\", "/")
    share = "/" if path.startswith("//") else ""
    return (share + paths.normalise(_DRIVE.sub(r"/\1:", path, count=1))).casefold()


def _drive_small(path: str) -> str:
    drive = _DRIVE.match(path)
    return f"{drive[1].lower()}:{path[drive.end() :]}" if drive else path


def _quoted(path: str) -> str:
    return "".join(map(_SPELT.__getitem__, _bytes(path)))


def _bytes(text: str) -> bytes:
    try:
        # What is not UTF-8 in a name is escaped in its path; see `os.fsdecode`.
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def _unquoted(text: str) -> str | None:
    try:
        data = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return None
    return _ENCODED.sub(lambda found: bytes.fromhex(found[1].decode("ascii")), data).decode("utf-8", "surrogateescape")
