"""What stands between quotes: the escapes of `$'…'`, of double quotes, of backquotes."""

from __future__ import annotations

import re

__all__ = ["ansi_c", "backquoted", "double_quoted"]

_ANSI_C = re.compile(
    r"\\(?:x(?P<hex>[0-9A-Fa-f]{1,2})|u(?P<short>[0-9A-Fa-f]{1,4})|U(?P<long>[0-9A-Fa-f]{1,8})"
    r"|(?P<octal>[0-7]{1,3})|c(?P<control>.)|(?P<letter>.))",
    re.DOTALL,
)

#: The letters that bash's manual gives for `$'…'`; any other keeps its backslash.
_LETTERS = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip

#: The last code point.
_MOST = 0x10FFFF


def ansi_c(quoted: str) -> str:
    """Return what `$'…'` stands for, cut at a NUL as bash does."""
    return _ANSI_C.sub(_escape, quoted).partition("\0")[0]


def double_quoted(quoted: str) -> str:
    """Return what double quotes around a text without expansions stand for."""
    return re.sub(r"\\([$`\"\\]|\n)", lambda escape: escape[1].strip("\n"), quoted)


def backquoted(quoted: str) -> str:
    """Return the commands that stand in backquotes."""
    return re.sub(r"\\([$`\\])", r"\1", quoted)


def _escape(escape: re.Match[str]) -> str:
    if code := escape["hex"] or escape["short"] or escape["long"]:
        return chr(min(int(code, 16), _MOST))
    if code := escape["octal"]:
        return chr(int(code, 8) & 0xFF)
    if control := escape["control"]:
        return chr(ord(control.upper()[:1]) & 0x1F)
    return _LETTERS.get(escape["letter"], escape[0])
