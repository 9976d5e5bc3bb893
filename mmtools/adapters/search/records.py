r"""
What a search engine writes, read as it comes and in bounded memory.

An engine is a child program in the searched directory. Its paths begin with `./`, names are raw bytes.

Standard output of `grep`: records in the order found, each file's together and by line. Either a match or a
file that is not text:

    ./PATH NUL LINE NUL COLUMN NUL TEXT LF
    ./PATH: binary file matches (found "\0" byte around offset N) LF

* LINE counts from 1. COLUMN is the byte of the line where the first match begins, from 1; it and its NUL may be
  missing when the engine does not know.
* TEXT is the whole line without its line end, raw, or with CR before the LF; never a NUL or a LF. Of a file in
  UTF-16 it is UTF-8.
* A file is not text when it holds a NUL. When it matches the sentence says so, once, as its last record; matches
  before it are taken back, since how many an engine writes before it comes to the NUL depends on how it reads.

Standard output of `files`: `./PATH NUL` for each.

Standard error, each of these any number of times; anything else is a breakdown:

    rg: ./PATH: REASON (os error N) LF
    rg: regex parse error: LF … LF error: REASON LF
    rg: /PATH: line N: REASON LF /PATH: … LF   (an ignore file above the directory: not passed on)

Exit code: 0 something was found, 1 nothing was, 2 something was written to standard error, whatever was found.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import define, field

from mmtools.ports.search import EngineFailed, Match

__all__ = ["GrepRecords", "Record", "legible", "to_match", "unexpected"]

#: Characters shown of a line that is longer.
_SHOWN_CHARS = 500
#: Bytes of a long line kept on either side of its match: as many characters take no more, whatever they are.
_REACH = 4 * _SHOWN_CHARS
#: A record larger than this is no longer kept whole.
_WHOLE_BYTES = 1 << 16
#: How much of what cannot be understood is quoted.
_QUOTED_CHARS = 300

#: A match in a file whose name holds no newline.
_PLAIN = re.compile(rb"\./([^\0\n]*)\0(\d{1,19})\0(?:(\d{1,19})\0)?([^\n]*)\n")
_FIELDS = re.compile(rb"(?P<line>\d{1,19})\0(?:(?P<column>\d{1,19})\0)?")
_SENTENCE = re.compile(rb': binary file matches \(found "\\0" byte around offset \d+\)\r?\n')


@define(eq=False)
class Record:
    """
    One line that matches, not yet decoded.

    Args:
        path: Raw, without its leading `./`.
        column: 0-based byte where the match begins.
        text: The line, or the part of it around the match.
        start: Where `text` begins in the line.
        size: The whole line's.
    """

    path: bytes
    line: int
    column: int
    text: bytes
    start: int
    size: int


@define(kw_only=True)
class GrepRecords:
    """
    A reader of the output of `grep`, up to a number of matches.

    Args:
        skip: So many matches are passed over first.
        limit: At the match after these it is `full` and reads no more.
        wanted: Which paths count, given raw and without `./`.
        exists: Whether such a path is there: what tells a name that holds the sentence from the sentence.
        is_text: Whether the file holds no NUL: asked where it could fill up what is wanted before the sentence comes.
    """

    skip: int = 0
    limit: int
    wanted: Callable[[bytes], bool]
    exists: Callable[[bytes], bool]
    is_text: Callable[[bytes], bool]
    matches: list[Record] = field(factory=list, init=False)
    binary: list[bytes] = field(factory=list, init=False)
    full: bool = field(default=False, init=False)
    _data: bytes = field(default=b"", init=False)
    _at: int = field(default=0, init=False)
    _long: _LongLine | None = field(default=None, init=False)
    _path: bytes | None = field(default=None, init=False)
    _counts: bool = field(default=False, init=False)
    _skipped: int = field(default=0, init=False)
    _before: tuple[int, int] = field(default=(0, 0), init=False)

    @property
    def share(self) -> float:
        """How much of what is wanted is there, from 0 to 1."""
        return (self._skipped + len(self.matches)) / (self.skip + self.limit)

    def feed(self, data: bytes) -> bool:
        """
        Take the next piece, cut anywhere; returns whether more is wanted.

        Raises:
            EngineFailed: It is not what an engine writes.
        """
        self._data = self._data[self._at :] + data
        self._at = 0
        while not self.full and (self._go_on() if self._long else self._read()):
            pass
        return not self.full

    def end(self) -> bytes:
        """Take the sentences that stand last; returns what is broken off."""
        while not self.full and not self._long and self._read_sentence(len(self._data), at_end=True):
            pass
        return self._data[self._at :]

    def _read(self) -> bool:
        """Read one record; returns whether it was there in whole."""
        found = _PLAIN.match(self._data, self._at)
        if not found:
            return self._read_odd()
        path, line, column, text = found.groups()
        self._enter(path)
        self._at = found.end()
        if self._counts:
            self._take(_record(path, line, column, text))
        return True

    def _read_odd(self) -> bool:
        """Read what is no match in a file of a usual name, or not there in whole."""
        data, at = self._data, self._at
        nul = data.find(b"\0", at)
        head = nul if nul >= 0 else len(data)
        if data.find(b"\n", at, head) >= 0 and self._read_sentence(head, at_end=False):
            return True
        if nul < 0:
            return False
        end = data.find(b"\n", nul)
        if end < 0 and len(data) - nul < _WHOLE_BYTES:
            return False
        fields = _FIELDS.match(data, nul + 1)
        if not data.startswith(b"./", at) or not fields:
            raise unexpected(data[at:])
        path = data[at + 2 : nul]
        self._enter(path)
        if end < 0:
            self._long = _LongLine(path, fields["line"], fields["column"])
            self._at = fields.end()
            return True
        self._at = end + 1
        if self._counts:
            self._take(_record(path, fields["line"], fields["column"], data[fields.end() : end]))
        return True

    def _go_on(self) -> bool:
        """Read on in a line that is too long to be kept."""
        assert self._long
        end = self._data.find(b"\n", self._at)
        self._long.feed(self._data[self._at : end if end >= 0 else len(self._data)])
        if end < 0:
            self._at = len(self._data)
            return False
        self._at = end + 1
        if self._counts:
            self._take(self._long.record())
        self._long = None
        return True

    def _enter(self, path: bytes) -> None:
        if path != self._path:
            self._path = path
            self._counts = self.wanted(path)
            self._before = self._skipped, len(self.matches)

    def _take(self, record: Record) -> None:
        if self._skipped < self.skip:
            self._skipped += 1
        elif len(self.matches) < self.limit:
            self.matches.append(record)
        elif self.is_text(record.path):
            self.full = True
        else:
            self._take_back(record.path)

    def _take_back(self, path: bytes) -> None:
        """Count a file as what is not text, and nothing in it as a match."""
        if path == self._path:
            self._skipped, kept = self._before
            del self.matches[kept:]
            self._counts = False
        self.binary.append(path)

    def _read_sentence(self, head: int, *, at_end: bool) -> bool:
        """
        Read the sentence about a file that is not text, if it stands before the next NUL, at `head`.

        A name may hold the sentence: then the file is there under the longer name only.
        """
        at = self._at
        decided = at_end or head < len(self._data)
        for found in _SENTENCE.finditer(self._data, at, head):
            if not self._data.startswith(b"./", at):
                raise unexpected(self._data[at:])
            path = self._data[at + 2 : found.start()]
            if not self._may_end(found.end(), head) or (
                not self.exists(path) and (not decided or self._goes_on(found.end(), head))
            ):
                continue
            self._at = found.end()
            if self.wanted(path):
                self._take_back(path)
            return True
        return False

    def _may_end(self, end: int, head: int) -> bool:
        """Whether behind the sentence that ends at `end` there is another record, or nothing yet."""
        return end == len(self._data) or (end < head and b"./".startswith(self._data[end : end + 2]))

    def _goes_on(self, end: int, head: int) -> bool:
        """Whether there is a file whose name goes on behind the sentence."""
        following = _SENTENCE.search(self._data, end, head)
        longer = [head] if following is None else [head, following.start()]
        return end < head and any(self.exists(self._data[self._at + 2 : stop]) for stop in longer)


def unexpected(data: bytes) -> EngineFailed:
    """Return the problem with output that no engine writes."""
    return EngineFailed(f"unexpected output: {data[:_QUOTED_CHARS].decode('utf-8', 'replace')!r}")


def _record(path: bytes, line: bytes, column: bytes | None, text: bytes) -> Record:
    """Keep a line, or what is around the match of a long one."""
    whole = text.removesuffix(b"\r")
    if len(whole) <= 2 * _REACH:
        return Record(path, int(line), max(int(column or 0) - 1, 0), whole, 0, len(whole))
    long = _LongLine(path, line, column)
    long.feed(text)
    return long.record()


class _LongLine:
    """What is around the match of a line that is too long to be kept."""

    def __init__(self, path: bytes, line: bytes, column: bytes | None) -> None:
        self._path = path
        self._line = int(line)
        self._column = max(int(column or 0) - 1, 0)
        self._first = max(self._column - _REACH, 0)
        self._size = 0
        self._kept = b""
        self._last = b""

    def feed(self, text: bytes) -> None:
        if not text:
            return
        low = max(self._first - self._size, 0)
        high = self._column + _REACH - self._size
        if high > low:
            self._kept += text[low:high]
        self._size += len(text)
        self._last = text[-1:]

    def record(self) -> Record:
        size = self._size - (self._last == b"\r")
        kept = self._kept[: max(size - self._first, 0)]
        return Record(self._path, self._line, self._column, kept, self._first, size)


def to_match(record: Record, path: str) -> Match:
    """Decode a line, and cut it around its match when it is long."""
    text = record.text.decode("utf-8", "surrogateescape")
    if record.size == len(record.text) and len(text) <= _SHOWN_CHARS:
        return Match(path=path, line=record.line, text=legible(text))
    at = min(max(record.column - record.start, 0), len(record.text))
    before = _whole_from(record.text[:at], record.start).decode("utf-8", "surrogateescape")
    after = record.text[at:].decode("utf-8", "surrogateescape")
    if record.start + len(record.text) < record.size:
        after = after[:_SHOWN_CHARS]
    half = _SHOWN_CHARS // 2
    shown_before = before[max(len(before) - max(half, _SHOWN_CHARS - len(after)), 0) :]
    shown_after = after[: _SHOWN_CHARS - len(shown_before)]
    left = record.start + at - _size(shown_before)
    right = record.size - record.start - at - _size(shown_after)
    return Match(path=path, line=record.line, text=legible(shown_before + shown_after), before=left, after=right)


def _whole_from(text: bytes, start: int) -> bytes:
    """Drop the rest of a character that was cut at the start."""
    if not start:
        return text
    for offset in range(min(4, len(text))):
        if text[offset] & 0xC0 != 0x80:
            return text[offset:]
    return text


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))


def legible(text: str) -> str:
    """Put U+FFFD for bytes that are not UTF-8, which stand as lone surrogates."""
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
