"""
A window of a file's lines, found while the file is read in pieces, whatever its encoding.

Only what is needed is read, and only the window is held and decoded: its lines begin after a line feed, so a
UTF-8 character is never split. UTF-16 has no such places; it is converted as a whole, up to a limit.
"""

from __future__ import annotations

import codecs
import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, assert_never

from attrs import evolve, field, frozen

from mmtools.core.forms import Form, Survey, form_of
from mmtools.core.lines import Excerpt, PastEnd, Scan, Window
from mmtools.core.media import HEAD_BYTES
from mmtools.core.text import Binary, LegacyText, Text, decode

__all__ = ["MAX_CONVERTED", "Converted", "Found", "NotText", "Reading", "Seen", "Shown", "TooWide", "find", "shown"]

#: 16 MiB: how much UTF-16 is converted.
MAX_CONVERTED = 1 << 24
#: Bytes of a read, at first and later: more at once costs more where only some is needed; 256 KiB stay in a CPU's cache.
_USUAL_READ, _LARGEST_READ = 1 << 16, 1 << 18
#: Bytes that a line is guessed to have, and what is added to a guess: a small range is then read at once.
_LINE_GUESS, _MARGIN = 64, 4096
_UTF16_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@frozen
class Converted:
    """
    What is known of a file that was converted as a whole.

    Args:
        lines: How many it has.
    """

    lines: int
    form: Form


@frozen
class Found:
    """
    The lines of the window.

    Args:
        begins: Where the excerpt's stream begins in the file: after its BOM.
        converted: The file as a whole, where that stream is UTF-8 although the file is UTF-16.
    """

    excerpt: Excerpt
    begins: int = 0
    converted: Converted | None = None


@frozen
class NotText:
    """
    A file with a NUL in what was read of it.

    Args:
        head: The first bytes of the file.
    """

    head: bytes = field(repr=False)


@frozen
class TooWide:
    """A file that is UTF-16 and larger than `MAX_CONVERTED`."""


Reading: TypeAlias = Found | PastEnd | NotText | TooWide


def find(read: Callable[[int], bytes], window: Window, *, max_chars: int) -> Reading:
    """
    Read until a window of lines is complete.

    Args:
        read: Returns the next bytes of the file, as many as there are up to a number; empty at the end.
        max_chars: Lines are collected until they are certainly more characters than this.
    """
    scan = Scan(window, max_chars=max_chars)
    opening = read(_first_read(window, max_chars))
    if opening.startswith(_UTF16_BOMS):
        opening += read(MAX_CONVERTED + 1 - len(opening))
        if len(opening) > MAX_CONVERTED:
            return TooWide()
        decoded = decode(opening)
        if isinstance(decoded, Text):
            scan.feed(decoded.content.encode("utf-8"))
            return _found(scan, converted=_converted(decoded))
    begins = len(codecs.BOM_UTF8) if opening.startswith(codecs.BOM_UTF8) else 0
    for chunk in _chunks(opening, read):
        if b"\0" in chunk:
            return NotText(opening[:HEAD_BYTES])
        scan.feed(chunk[begins:] if chunk is opening else chunk)
        if scan.finished:
            break
    return _found(scan, begins=begins)


@frozen
class Shown:
    """
    A text as it can be shown, line ends as found.

    Args:
        undecodable: How many bytes stand in it as U+FFFD.
        encoding: A codec's name; None where nobody knows it.
    """

    text: str = field(repr=False)
    undecodable: int = 0
    encoding: str | None = "utf-8"


@frozen(kw_only=True)
class Seen:
    """
    What was seen of a file as a whole.

    Args:
        complete: Whether that was all of it.
    """

    survey: Survey
    complete: bool

    def lines(self, found: Found) -> int | None:
        """Return how many lines the file has; None where nobody knows it."""
        if found.converted:
            return found.converted.lines
        return self.survey.lines if self.complete else found.excerpt.stream_lines

    def form(self, found: Found, shown: Shown) -> Form:
        """Return the file's form as far as it is known."""
        if found.converted:
            return found.converted.form
        form = self.survey.form(shown.encoding)
        return form if self.complete else evolve(form, open_end=False)


def shown(data: bytes, encodings: Sequence[str] = ()) -> Shown:
    """
    Decode what `find` has found, or a part of it.

    Args:
        data: Whole lines, or the beginning of one; without the file's BOM, without NUL.
        encodings: Codecs' names, tried in order, for what is not UTF-8.

    Raises:
        ValueError: There is a NUL among bytes that are not UTF-8.
        LookupError: There is no such codec.
    """
    with contextlib.suppress(UnicodeDecodeError):
        return Shown(data.decode("utf-8"))
    # The line feed before keeps a mark inside the file from being taken for its BOM.
    match decode(b"\n" + data, encodings):
        case Text(content=content, encoding=encoding):
            return Shown(content[1:], encoding=encoding)
        case LegacyText() as legacy:
            return Shown(legacy.shown()[1:], legacy.undecodable, encoding=None)
        case Binary():
            raise ValueError("a NUL among the bytes of lines")
        case never:
            assert_never(never)


def _first_read(window: Window, max_chars: int) -> int:
    guess = max_chars if window.last is None else min(max_chars, window.last * _LINE_GUESS)
    return min(guess + _MARGIN, _USUAL_READ)


def _chunks(opening: bytes, read: Callable[[int], bytes]) -> Iterator[bytes]:
    chunk, taken = opening, 0
    while chunk:
        yield chunk
        taken += len(chunk)
        chunk = read(min(max(_USUAL_READ, taken // 2), _LARGEST_READ))


def _converted(text: Text) -> Converted:
    form = form_of(text)
    return Converted(text.content.count("\n") + form.open_end, form)


def _found(scan: Scan, *, begins: int = 0, converted: Converted | None = None) -> Found | PastEnd:
    scan.feed(b"")
    match scan.result():
        case PastEnd() as past:
            return past
        case Excerpt() as excerpt:
            return Found(excerpt, begins, converted)
        case never:
            assert_never(never)
