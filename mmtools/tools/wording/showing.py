"""A file's lines as a model reads them: whole lines within the limit, with the arguments that read on."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Callable, Sequence
from typing import assert_never

from attrs import frozen

from mmtools.call import Cancellation
from mmtools.core import lines, media, reading, shown_lines
from mmtools.core.freshness import Ledger
from mmtools.core.lines import Ending, Excerpt, PastEnd, Window
from mmtools.core.reading import Found, NotText, Reading, TooWide
from mmtools.core.shown_lines import FirstTooLong, Head, Whole
from mmtools.core.text import view
from mmtools.errors import Cancelled, ToolFailure
from mmtools.ports.files import Place, Reader, TooLarge
from mmtools.tools.wording import files as wording
from mmtools.tools.wording.answer import Answer

__all__ = ["Pieces", "Showing", "Wanted"]

#: 256 MiB: no larger file is changed as a whole, so none needs to be known as a whole.
_LARGEST_KNOWN = 1 << 28
#: 256 KiB: stays in a core's cache; larger pieces are no faster.
_AT_ONCE = 1 << 18


@frozen(kw_only=True)
class Wanted:
    """
    Which lines a call wants, and how its dialect asks for others.

    Args:
        tool: Its wire name.
        numbered: Whether each line has its number before it.
        start: The name of the argument for the first line.
        rest: Returns the arguments that follow it, for a call that goes on at a line: `, end=20`; or nothing.
    """

    tool: str
    window: Window
    numbered: bool = False
    start: str
    rest: Callable[[int], str]


class Pieces:
    """
    A file that is read until the host stops the call; the ledger is told of its whole.

    Args:
        tool: The wire name of the tool that reads.
        ledger: None where nothing needs to be read before it is changed.
    """

    def __init__(self, reader: Reader, cancellation: Cancellation, *, tool: str, ledger: Ledger | None) -> None:
        self._reader = reader
        self._cancellation = cancellation
        self._tool = tool
        self._ledger = ledger
        self._hash = None if ledger is None else hashlib.sha256()
        self._taken = 0

    def read(self, max_bytes: int) -> bytes:
        """
        Return the next bytes; empty at the end.

        Raises:
            Cancelled: The call was.
        """
        if self._cancellation.requested:
            raise Cancelled(f"[{self._tool} was cancelled]")
        data = self._reader.read(max_bytes)
        self._taken += len(data)
        if self._hash is not None:
            self._hash.update(data)
        return data

    def note(self, path: str) -> None:
        """
        Read what is left, and note in the ledger that the model knows the file; one too large to be changed is left out.

        Args:
            path: Of the real file.
        """
        stamp = self._reader.stamp
        if self._ledger is None or self._hash is None or self._ledger.proven(path, stamp):
            return
        if self._reader.size > _LARGEST_KNOWN:
            return
        while self._taken <= _LARGEST_KNOWN and self.read(_AT_ONCE):
            pass
        if self._taken <= _LARGEST_KNOWN:
            self._ledger.saw(path, self._hash.digest(), stamp)


@frozen(kw_only=True)
class Showing:
    """
    The words for what was found in a file.

    Args:
        max_output: Characters of lines in one answer; notes about what is missing come on top.
        encodings: Codecs' names, tried in order, for what is not UTF-8.
    """

    wanted: Wanted
    max_output: int
    encodings: Sequence[str] = ()

    def answer(self, found: Reading, place: Place, size: int) -> Answer:
        """
        Show the lines, or say that the file is empty.

        Args:
            size: Of the file, in bytes.

        Raises:
            ToolFailure: The file is binary, or has no such line.
            TooLarge: It is UTF-16 and cannot be converted.
        """
        match found:
            case Found():
                return self._shown(found, place)
            case PastEnd(lines=0) if self.wanted.window.first == 1:
                return Answer(f"[{place.requested} is empty]")
            case PastEnd(lines=total):
                count = "1 line" if total == 1 else f"{total} lines"
                wanted = self.wanted
                raise ToolFailure(
                    f"[{wanted.tool}: line {wanted.window.first} is past the end of {place.requested} ({count})]"
                )
            case NotText(head=head):
                raise ToolFailure(wording.not_text(place.requested, size=size, mime_type=media.recognise(head)))
            case TooWide():
                raise TooLarge(place, f"UTF-16, {size} bytes; at most {reading.MAX_CONVERTED} can be converted")
            case never:
                assert_never(never)

    def _shown(self, found: Found, place: Place) -> Answer:
        excerpt = found.excerpt
        decoded = reading.shown(excerpt.data, self.encodings)
        text = view(decoded.text)
        if self.wanted.numbered:
            text = shown_lines.numbered(text, excerpt.first)
        if excerpt.ending is Ending.WINDOW:
            text = text.removesuffix("\n")
        more = excerpt.ending is Ending.BUDGET or excerpt.missing > 0
        match shown_lines.fit(text, max_chars=self.max_output, more=more):
            case Whole(text=whole):
                notes = _undecodable(decoded.undecodable)
                if notes and excerpt.ending is Ending.STREAM:
                    whole = whole.removesuffix("\n")
                return Answer(_joined(whole or f"[line {excerpt.first} of {place.requested} is empty]", *notes))
            case Head(text=part, lines=count):
                if decoded.undecodable:
                    decoded = reading.shown(lines.head(excerpt.data, count), self.encodings)
                notes = (self._continued(excerpt, count), *_undecodable(decoded.undecodable))
                return Answer(_joined(part, *notes), truncated=True)
            case FirstTooLong():
                return self._beginning(found, place)
            case never:
                assert_never(never)

    def _beginning(self, found: Found, place: Place) -> Answer:
        """Show the beginning of a line that is longer than an answer, and the command that shows its rest."""
        excerpt = found.excerpt
        line, _, after = excerpt.data.partition(b"\n")
        prefix = f"{excerpt.first}\t" if self.wanted.numbered else ""
        data = lines.beginning(line, max(self.max_output - len(prefix), 1))
        decoded = reading.shown(data, self.encodings)
        note = f"line {excerpt.first} is {len(line) + excerpt.missing} bytes long, its first {len(data)} are shown. "
        note += f"Its rest, by command: {_command(found, len(data), place)} | head -c {self.max_output}"
        if after or excerpt.ending is not Ending.STREAM:
            note += f". Next line: {self.wanted.start}={excerpt.first + 1}"
        text = _joined(prefix + decoded.text, f"[… {note}]", *_undecodable(decoded.undecodable))
        return Answer(text, truncated=True)

    def _continued(self, excerpt: Excerpt, count: int) -> str:
        last = excerpt.first + count - 1
        shown = f"lines {excerpt.first}-{last}" if count > 1 else f"line {last}"
        total = f" of {excerpt.stream_lines}" if excerpt.stream_lines else ""
        onward = f"{self.wanted.start}={last + 1}{self.wanted.rest(last + 1)}"
        return f"[… {shown}{total} shown; continue with {onward}]"


def _command(found: Found, skipped: int, place: Place) -> str:
    """Return a shell command that prints the file from within the excerpt on."""
    path = shlex.quote(place.path if place.requested.startswith("~") else place.requested)
    first = found.begins + found.excerpt.offset + skipped + 1
    if found.converted:
        return f"iconv -f UTF-16 -t UTF-8 -- {path} | tail -c +{first}"
    return f"tail -c +{first} -- {path}"


def _undecodable(count: int) -> tuple[str, ...]:
    what = "1 byte here is" if count == 1 else f"{count} bytes here are"
    return (f"[{what} not valid UTF-8, shown as \ufffd; edits of ASCII text keep such bytes]",) if count else ()


def _joined(text: str, *notes: str) -> str:
    return "\n".join([text, *notes])
