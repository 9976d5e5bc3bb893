"""
Windows of lines, cut out of a stream of bytes without holding or visiting what lies around them.

What ends a line is `\\n`, with an optional `\\r` before it, and nothing else: `b"a\\n"` has one line, `b""` none.
The encoding may be any in which a byte 0x0A is a line feed and no character takes more than four bytes.
`shown_lines` makes an answer of what was found.
"""

from __future__ import annotations

from enum import Enum, auto

from attrs import field, frozen

__all__ = ["Ending", "Excerpt", "PastEnd", "Scan", "Window", "beginning", "head"]

#: So few line feeds, or those in so few bytes, are looked for one by one; others are counted.
_FEW, _SMALL = 16, 512
#: Bytes that a line is guessed to have before any was seen.
_LINE_GUESS = 64


@frozen
class Window:
    """
    The lines `first` to `last`, both included.

    Args:
        first: 1-based.
        last: Not below `first`; None for the end.
    """

    first: int = 1
    last: int | None = None


class Ending(Enum):
    """Where an excerpt ends."""

    STREAM = auto()  # with the stream: no line follows
    WINDOW = auto()  # with the window: lines follow that were not wanted
    BUDGET = auto()  # with the budget: wanted lines follow


@frozen(kw_only=True)
class Excerpt:
    """
    The bytes of whole lines, ends as found; or the beginning of one line that is over the budget alone.

    Args:
        first: The first line's number, 1-based.
        offset: Of `data` in the stream, in bytes.
        missing: Bytes of that one line that are not in `data`, its line feed not counted.
    """

    data: bytes = field(repr=False)
    first: int
    offset: int
    ending: Ending
    missing: int = 0

    @property
    def stream_lines(self) -> int | None:
        """How many lines the whole stream has, where the excerpt reaches its end."""
        if self.ending is not Ending.STREAM:
            return None
        return self.first - 1 + self.data.count(b"\n") + (not self.data.endswith(b"\n"))


@frozen
class PastEnd:
    """
    A window that begins after the last line.

    Args:
        lines: How many lines the stream has.
    """

    lines: int


class Scan:
    """
    The search for a window of lines in a stream that comes in chunks of any size.

    Costs one count of line feeds per chunk, whatever the number of lines.

    Args:
        max_chars: Lines are collected until they are certainly more characters than this.
    """

    def __init__(self, window: Window, *, max_chars: int) -> None:
        self._first = window.first
        self._max_chars = max_chars
        self._to_skip = window.first - 1
        self._to_take = None if window.last is None else window.last - window.first + 1
        self._offset = 0
        self._pieces: list[bytes] = []
        self._held = 0
        self._line_bytes = _LINE_GUESS
        self._missing = 0
        self._measuring = False  # the first line alone is over the budget: only its length is still wanted
        self._unterminated = False  # what was skipped does not end with a line feed
        self._full: Ending | None = None  # everything is there; this is the ending if anything follows
        self._ending: Ending | None = None

    @property
    def finished(self) -> bool:
        """Whether more chunks would change nothing."""
        return self._ending is not None

    def feed(self, chunk: bytes) -> None:
        """Take the next chunk; an empty one says that the stream has ended."""
        if self.finished:
            return
        if not chunk:
            self._ending = Ending.STREAM
            return
        if self._to_skip:
            chunk = self._skip(chunk)
        if not chunk:
            return
        if self._full:
            self._ending = self._full
        elif self._measuring:
            self._measure(chunk)
        else:
            self._take(chunk)

    def result(self) -> Excerpt | PastEnd:
        """Return what was found; call it when the scan is finished."""
        if self._to_skip or not self._pieces:
            return PastEnd(self._first - 1 - self._to_skip + self._unterminated)
        return Excerpt(
            data=b"".join(self._pieces),
            first=self._first,
            offset=self._offset,
            ending=self._ending or Ending.STREAM,
            missing=self._missing,
        )

    def _skip(self, chunk: bytes) -> bytes:
        end, self._to_skip = self._past(chunk, self._to_skip)
        self._offset += end
        self._unterminated = self._to_skip > 0 and not chunk.endswith(b"\n")
        return chunk[end:]

    def _take(self, chunk: bytes) -> None:
        end = len(chunk)
        if self._to_take is not None:
            end, self._to_take = self._past(chunk, self._to_take)
        self._pieces.append(chunk[:end])
        self._held += end
        if self._to_take == 0:
            self._fill(Ending.WINDOW, followed=end < len(chunk))
        elif self._held > self._max_chars and sum(map(_least_chars, self._pieces)) > self._max_chars:
            self._overflow()

    def _past(self, chunk: bytes, lines: int) -> tuple[int, int]:
        # Where the end is unlikely to be in this chunk, counting it at once is cheaper than halving it.
        if lines * self._line_bytes > len(chunk):
            found = _line_feeds(chunk)
            self._line_bytes = len(chunk) // (found + 1)
            if found < lines:
                return len(chunk), lines - found
        return _past(chunk, lines, self._line_bytes)

    def _overflow(self) -> None:
        data = b"".join(self._pieces)
        end = data.rfind(b"\n") + 1
        if end:
            self._fill(Ending.BUDGET, followed=end < len(data))
        else:
            self._measuring = True
            end = len(beginning(data, len(data)))
            self._missing = len(data) - end
        self._pieces = [data[:end]]

    def _measure(self, chunk: bytes) -> None:
        end = chunk.find(b"\n")
        self._missing += len(chunk) if end < 0 else end
        if end >= 0:
            self._fill(Ending.BUDGET, followed=end + 1 < len(chunk))

    def _fill(self, ending: Ending, *, followed: bool) -> None:
        self._full = ending
        if followed:
            self._ending = ending


def head(data: bytes, lines: int) -> bytes:
    """Return the first lines of some bytes, line ends included."""
    return data[: _past(data, lines, _LINE_GUESS)[0]]


def beginning(line: bytes, max_bytes: int) -> bytes:
    """
    Return the first bytes of a line, without half a UTF-8 character at the end.

    Returns:
        Never nothing of something: of what is not UTF-8, or of a single character, half may be left.
    """
    part = line[:max_bytes]
    for back in range(1, min(4, len(part) - 1) + 1):
        byte = part[-back]
        if byte & 0b1100_0000 != 0b1000_0000:  # not a continuation: the last character begins here
            length = 1 if byte < 0xC0 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return part[:-back] if length > back else part
    return part


def _past(chunk: bytes, lines: int, line_bytes: int) -> tuple[int, int]:
    """
    Return where the line after `lines` line feeds begins, and how many of those are still to come.

    Args:
        line_bytes: Guessed, of a line: the first count goes a little less far than that makes, further ones halve.
    """
    low, high = 0, len(chunk)
    middle = (lines - _FEW // 2) * line_bytes
    while lines > _FEW and high - low > _SMALL:
        if not low < middle < high:
            middle = (low + high) // 2
        found = _line_feeds(chunk[low:middle])
        if found < lines:
            lines -= found
            low = middle
        else:
            high = middle
        middle = low
    while lines and (end := chunk.find(b"\n", low, high)) >= 0:
        low = end + 1
        lines -= 1
    return (high if lines else low), lines


def _least_chars(data: bytes) -> int:
    # No character takes more than four bytes, and a `\r\n` is shown as one.
    return len(data) if data.isascii() and b"\r" not in data else len(data) // 4


def _line_feeds(data: bytes) -> int:
    # replace() jumps from one to the next, which makes it two to seven times faster than count() before 3.13.
    return len(data) - len(data.replace(b"\n", b""))
