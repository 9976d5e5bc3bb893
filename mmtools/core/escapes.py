r"""
The removal of terminal escape sequences and control characters from a stream of text.

Removed are CSI, OSC, DCS and the other sequences of ECMA-48 in their 7-bit form, and every control
character but tab, line feed, carriage return and NEL: NUL, backspace, bell, DEL, C1.
"""

from __future__ import annotations

import re

__all__ = ["EscapeStripper", "SequenceStripper", "strip", "without_controls"]

_ESCAPE = "\x1b"

#: The body of OSC, DCS, SOS, PM or APC. It ends with its terminator, and at a line end or at the
#: next escape also without, so that a stray introducer hides no more than one line.
_STRING_BODY = "[^\x07\x18\x1a\x1b\x9c\n\r]*"

#: A sequence, or the beginning of one that the text breaks off. It holds no second escape.
_SEQUENCE = re.compile(
    _ESCAPE
    + "(?:"
    + r"\[[ -?]*[@-~]?"  # CSI
    + r"|[\]PX^_]" + _STRING_BODY + "[\x07\x18\x1a\x9c]?"
    + r"|[ -/]+[0-~]?"  # such as the choice of a character set
    + r"|[0-OQ-WYZ\\`-~]"
    + ")?"
)  # fmt: skip

#: The introducer of a sequence that the text breaks off: it stands for all that was seen of it.
_BROKEN_OFF = re.compile(
    _ESCAPE
    + "(?:"
    + r"\[(?=[ -?]*\Z)"
    + r"|[\]PX^_](?=" + _STRING_BODY + r"\Z)"
    + r"|[ -/](?=[ -/]*\Z)"
    + r"|\Z"
    + ")"
)  # fmt: skip

_C0 = bytes([*range(9), 11, 12, *range(14, 32), 127])
_C1 = bytes([*range(128, 133), *range(134, 160)])
_REMOVED = dict.fromkeys(_C0 + _C1)
_C0_CHARACTERS = [chr(code) for code in _C0]
_C0_BYTES = [bytes([code]) for code in _C0]
_C1_IN_UTF8 = re.compile(b"\xc2[\x80-\x84\x86-\x9f]")


class SequenceStripper:
    """
    A filter that takes the sequences out of a stream, and leaves control characters but ESC.

    Where the pieces of the stream are cut does not change the result.
    """

    def __init__(self) -> None:
        self._open = ""

    def feed(self, text: str) -> str:
        """Return what is left of the next piece; what a piece breaks off is remembered."""
        if self._open:
            text = self._open + text
            self._open = ""
        if _ESCAPE not in text:
            return text
        if broken_off := _BROKEN_OFF.match(text, text.rindex(_ESCAPE)):
            self._open = broken_off.group()
        return _SEQUENCE.sub("", text)


class EscapeStripper:
    """A filter that takes sequences and control characters out of a stream, wherever its pieces are cut."""

    def __init__(self) -> None:
        self._sequences = SequenceStripper()

    def feed(self, text: str) -> str:
        """Return what is left of the next piece."""
        return without_controls(self._sequences.feed(text))

    def flush(self) -> str:
        """End the stream; a sequence that never ended is gone, so there is nothing left to return."""
        self._sequences = SequenceStripper()
        return ""


def strip(text: str) -> str:
    """Take sequences and control characters out of a whole text."""
    return EscapeStripper().feed(text)


def without_controls(text: str) -> str:
    """Take control characters out of a text, and leave what follows an ESC."""
    return text.translate(_REMOVED) if _has_controls(text) else text


def _has_controls(text: str) -> bool:
    """Search for one character after the other: ten times as fast as a character class."""
    if text.isascii():
        return any(control in text for control in _C0_CHARACTERS)
    data = text.encode("utf-8", "surrogatepass")
    return any(control in data for control in _C0_BYTES) or _C1_IN_UTF8.search(data) is not None
