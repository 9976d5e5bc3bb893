"""The form of a text: how its lines end, what stands before its first one, how it is encoded. A reader sees none of it."""

from __future__ import annotations

import codecs
from enum import StrEnum

from attrs import frozen

from mmtools.core.text import LegacyText, Text

__all__ = ["Form", "LineEnds", "Survey", "form_of", "line_ends"]


class LineEnds(StrEnum):
    """How lines end."""

    NONE = ""  # there is one line, without an end
    LF = "LF"
    CRLF = "CRLF"
    MIXED = "mixed"


@frozen(kw_only=True)
class Form:
    """
    What a text has beside its lines.

    Args:
        encoding: A codec's name; None where nobody knows it.
        bom: Whether it begins with a byte order mark.
        open_end: Whether its last line has no line break.
    """

    line_ends: LineEnds = LineEnds.LF
    encoding: str | None = "utf-8"
    bom: bool = False
    open_end: bool = False


def form_of(text: Text | LegacyText) -> Form:
    """Return the form of a whole text."""
    content = text.content
    return Form(
        line_ends=line_ends(content),
        encoding=text.encoding if isinstance(text, Text) else None,
        bom=isinstance(text, Text) and bool(text.bom),
        open_end=bool(content) and not content.endswith("\n"),
    )


def line_ends(text: str) -> LineEnds:
    """Return how the lines of a text end."""
    pairs = text.count("\r\n") if "\r" in text else 0
    return _line_ends(text.count("\n") if pairs else "\n" in text, pairs)


class Survey:
    """The form of a file that is read in pieces; its encoding has a byte 0x0A for a line feed and for nothing else."""

    def __init__(self) -> None:
        self._feeds = 0
        self._pairs = 0
        self._opening = b""
        self._last = b"\n"
        self._size = 0

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes."""
        if not chunk:
            return
        if len(self._opening) < len(codecs.BOM_UTF8):
            self._opening = (self._opening + chunk)[: len(codecs.BOM_UTF8)]
        # replace() jumps from one to the next, which makes it faster than count() before 3.13.
        self._feeds += len(chunk) - len(chunk.replace(b"\n", b""))
        if b"\r" in chunk:
            self._pairs += chunk.count(b"\r\n")
        self._pairs += self._last == b"\r" and chunk[:1] == b"\n"
        self._last = chunk[-1:]
        self._size += len(chunk)

    @property
    def lines(self) -> int:
        """How many lines there were, the last one counted also where it has no end."""
        return self._feeds + self._open_end

    def form(self, encoding: str | None = "utf-8") -> Form:
        """Return the form of all bytes that were taken, given their encoding."""
        return Form(
            line_ends=_line_ends(self._feeds, self._pairs),
            encoding=encoding,
            bom=self._bom,
            open_end=self._open_end,
        )

    @property
    def _bom(self) -> bool:
        return self._opening == codecs.BOM_UTF8

    @property
    def _open_end(self) -> bool:
        return self._last != b"\n" and self._size > self._bom * len(codecs.BOM_UTF8)


def _line_ends(feeds: int, pairs: int) -> LineEnds:
    if not feeds:
        return LineEnds.NONE
    if not pairs:
        return LineEnds.LF
    return LineEnds.CRLF if pairs == feeds else LineEnds.MIXED
