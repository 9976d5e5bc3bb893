"""What is in a file: its text in pieces of whole lines, or that it is not text."""

from __future__ import annotations

import codecs
import itertools
import os
import time
from collections.abc import Iterator
from typing import NamedTuple

from mmtools.adapters.search.matching import LineMatch, LineMatcher
from mmtools.adapters.search.opening import open_regular

__all__ = ["NotText", "first_nul", "search_file"]

#: What is read at once; a longer line is held in whole.
_PIECE_BYTES = 1 << 22
_MARK_BYTES = len(codecs.BOM_UTF8)
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class NotText(NamedTuple):
    """
    A file that matches and is not text.

    Args:
        offset: Of its first NUL.
    """

    offset: int


def search_file(path: bytes, matcher: LineMatcher) -> Iterator[LineMatch | NotText]:
    """
    Search a regular file. One that holds a NUL is not text, wherever that is: then `NotText` is all that comes.

    Raises:
        OSError: It cannot be read.
    """
    descriptor = open_regular(path)
    try:
        size = os.fstat(descriptor).st_size
        # One more than there is, to see the end at once.
        data = os.read(descriptor, min(size + 1, _PIECE_BYTES) if size else _PIECE_BYTES)
        if not size or len(data) != size or data[:2] in _UTF16:
            yield from _search_pieces(descriptor, data, matcher)
        elif b"\0" not in data:
            yield from matcher.lines(data.removeprefix(codecs.BOM_UTF8))
        elif _is_found(data.removeprefix(codecs.BOM_UTF8), matcher):
            yield NotText(data.index(b"\0"))
    finally:
        os.close(descriptor)


def first_nul(path: bytes, deadline: float) -> int:
    """
    Return where a text ends to be one; -1 when it does not, cannot be read, or there is no time to see it.

    Args:
        deadline: By `time.monotonic`.
    """
    try:
        descriptor = open_regular(path)
    except OSError:
        return -1
    try:
        pieces = _pieces(descriptor, os.read(descriptor, _PIECE_BYTES))
        return _first_nul(itertools.takewhile(lambda _: time.monotonic() < deadline, pieces))
    except OSError:
        return -1
    finally:
        os.close(descriptor)


def _search_pieces(descriptor: int, first: bytes, matcher: LineMatcher) -> Iterator[LineMatch | NotText]:
    nul = _first_nul(_pieces(descriptor, first))
    os.lseek(descriptor, len(first), os.SEEK_SET)
    texts = _whole_lines(_pieces(descriptor, first))
    if nul < 0:
        yield from _numbered(texts, matcher)
    elif any(_is_found(text, matcher) for text in texts):
        yield NotText(nul)


def _is_found(text: bytes, matcher: LineMatcher) -> bool:
    """Whether something is found in what is not text; a NUL ends a line."""
    return matcher.may_match(text) and next(matcher.lines(text.replace(b"\0", b"\n")), None) is not None


def _pieces(descriptor: int, first: bytes) -> Iterator[bytes]:
    """Yield the text in UTF-8, without its byte order mark."""
    while len(first) < _MARK_BYTES and (more := os.read(descriptor, _PIECE_BYTES)):
        first += more
    codec = _UTF16.get(first[:2])
    if codec is None:
        yield first.removeprefix(codecs.BOM_UTF8)
        while data := os.read(descriptor, _PIECE_BYTES):
            yield data
        return
    decoder = codecs.getincrementaldecoder(codec)("replace")
    text = decoder.decode(first[2:])
    while not text and (data := os.read(descriptor, _PIECE_BYTES)):
        text = decoder.decode(data)
    # What decodes UTF-16 for ripgrep drops a second mark.
    yield text.removeprefix("\ufeff").encode()
    while data := os.read(descriptor, _PIECE_BYTES):
        yield decoder.decode(data).encode()
    yield decoder.decode(b"", final=True).encode()


def _first_nul(pieces: Iterator[bytes]) -> int:
    offset = 0
    for piece in pieces:
        nul = piece.find(b"\0")
        if nul >= 0:
            return offset + nul
        offset += len(piece)
    return -1


def _whole_lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Cut between lines; one that is longer than a piece is held in whole."""
    broken: list[bytes] = []
    for piece in pieces:
        end = piece.rfind(b"\n") + 1
        if end:
            yield b"".join((*broken, piece[:end]))
            broken = [piece[end:]]
        else:
            broken.append(piece)
    yield b"".join(broken)


def _numbered(texts: Iterator[bytes], matcher: LineMatcher) -> Iterator[LineMatch]:
    lines = 0
    for text in texts:
        for found in matcher.lines(text):
            yield found._replace(line=found.line + lines)
        lines += text.count(b"\n")
