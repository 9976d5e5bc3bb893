"""
Paths ↔ file URIs. Compare files by `key`, never by how somebody spells a URI.

Everything but letters, digits and `-._~/` is percent-encoded, as UTF-8; a name that is not UTF-8 keeps its bytes.
Decoding is done once, and a sign that should have been encoded (`#`, `?`, a space) stands for itself: a file URI
has neither query nor fragment.
"""

from __future__ import annotations

import re

from mmtools.core import paths

__all__ = ["from_path", "key", "to_path"]

_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
_SPELT = tuple(chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in range(256))
_ENCODED = re.compile(rb"%([0-9A-Fa-f]{2})")
_FILE_URI = re.compile(r"file:(?://(?:localhost)?(?=/)|(?!//))(/.*)", re.IGNORECASE | re.DOTALL)


def from_path(path: str) -> str:
    """
    Return the URI of a file.

    Args:
        path: Absolute. One that no file can have (a lone surrogate in it) gives a URI that leads nowhere.
    """
    try:
        # What is not UTF-8 in a name is escaped in its path; see `os.fsdecode`.
        data = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = path.encode("utf-8", "surrogatepass")
    return f"file://{''.join(map(_SPELT.__getitem__, data))}"


def to_path(uri: str) -> str | None:
    """
    Return the absolute path that a URI stands for; None for what is no file of this machine.

    Args:
        uri: As received, in whatever spelling.
    """
    found = _FILE_URI.fullmatch(uri)
    try:
        data = found[1].encode("utf-8", "surrogateescape") if found else b"\0"
    except UnicodeEncodeError:
        return None
    data = _ENCODED.sub(lambda digits: bytes.fromhex(digits[1].decode("ascii")), data)
    return None if b"\0" in data else data.decode("utf-8", "surrogateescape")


def key(path: str) -> str:
    """
    Return what is equal for two spellings of one path; links are not followed.

    Args:
        path: Absolute.
    """
    return paths.normalise(path)
