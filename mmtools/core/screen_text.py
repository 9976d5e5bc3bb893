"""
Text that somebody else chose, made fit for a person's screen: it can neither move the cursor nor pose as something else.

Two readings. `plain` is for looking on: sequences go, the rest stays readable. `spelled` is for deciding: nothing goes,
and whatever a person could not see is written out as ⟨U+202E⟩; `one_line` does so with line breaks too, for names,
paths and titles, which may not begin a line of their own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from mmtools.core import escapes
from mmtools.core.visibility import is_unseen

__all__ = [
    "SPELLED",
    "clipped",
    "first_line",
    "in_ascii",
    "invisible_characters",
    "one_line",
    "plain",
    "shown_name",
    "spelled",
    "width",
    "wrapped",
]

#: A character written out, as `spelled` does it.
SPELLED = re.compile(r"⟨U\+[0-9A-F]{4,6}⟩")

#: What reorders or breaks a line on some screens: NEL, LS, PS and the bidirectional controls of UAX #9.
_DISORDERLY = (0x85, 0x61C, 0x200E, 0x200F, 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A))

_SURROGATES = range(0xD800, 0xE000)

#: A tab moves by eight columns at most.
_TAB_WIDTH = 8


def _written_out(codes: Iterable[int]) -> dict[int, str]:
    return {code: f"⟨U+{code:04X}⟩" for code in codes}


_NEVER_PLAIN = _written_out((*_DISORDERLY, *_SURROGATES))


def plain(text: str) -> str:
    """
    Take out terminal sequences and controls; end a line where a lone carriage return would overwrite it.

    Returns:
        Text whose only controls are tab and line feed, and that every Unicode encoding can carry.
    """
    text = escapes.strip(text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if text.isascii() else text.translate(_NEVER_PLAIN)


def spelled(text: str) -> str:
    """Write out every character that cannot be seen, but for space, tab and line feed."""
    return text.translate(_written_out(ord(char) for char in set(text) if is_unseen(char)))


def one_line(text: str) -> str:
    """Write out every character that cannot be seen, but for space: tabs and line breaks too."""
    return spelled(text).translate(_written_out(map(ord, "\n\t")))


def in_ascii(text: str) -> str:
    """Write out whatever is not ASCII: in an address, letters that look alike are the oldest trick."""
    return text.translate(_written_out(ord(char) for char in set(text) if not " " < char <= "~"))


def invisible_characters(text: str) -> int:
    """Count the characters that `spelled` writes out."""
    return sum(text.count(char) for char in set(text) if is_unseen(char))


def first_line(text: str) -> str:
    """Return the first line, with ` …` where more follow."""
    line, _, rest = text.strip("\n").partition("\n")
    return f"{line.rstrip()} …" if rest.strip() else line


def width(text: str) -> int:
    """Return how many columns a line takes at most."""
    if text.isascii() and "\t" not in text:
        return len(text)
    return sum(map(_char_width, text))


def clipped(line: str, columns: int) -> str:
    """Shorten a line to `columns`, with `…` for what goes."""
    if width(line) <= columns:
        return line
    return f"{next(wrapped(line, max(columns - 1, 1)))}…"


def shown_name(name: str, columns: int) -> str:
    """
    Write a name on one line: unseen characters spelled out, the middle of a long one left out.

    Args:
        columns: 8 or more.
    """
    written = one_line(name[: columns + 1])
    if len(name) <= columns and width(written) <= columns:
        return written if written.strip() else repr(name)
    tails = (one_line(name[-kept:]) for kept in range(columns // 3, 0, -1))
    tail = next((tail for tail in tails if width(tail) <= columns // 3), "")
    head = clipped(written, columns - width(tail)).removesuffix("…")
    while width(head) > max(columns - width(tail) - 1, 1):
        head = head[:-1]
    return f"{head}…{tail}"


def wrapped(line: str, columns: int) -> Iterator[str]:
    """
    Cut one line into rows that a terminal need not wrap, after a space where one is near.

    Returns:
        The rows; put together they are the line.
    """
    begin = used = after_space = 0
    for index, char in enumerate(line):
        wide = _char_width(char)
        if used + wide > columns and index > begin:
            end = after_space if after_space > begin else index
            yield line[begin:end]
            begin, used = end, width(line[end:index])
        used += wide
        if char == " " and used > columns // 2:
            after_space = index + 1
    yield line[begin:]


def _char_width(char: str) -> int:
    if char == "\t":
        return _TAB_WIDTH
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
