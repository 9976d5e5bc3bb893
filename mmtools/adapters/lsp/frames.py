"""Messages on the wire: a header that tells the length of a body in bytes, and the body, JSON in UTF-8."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from mmtools.adapters.process.piped_server import BrokenStream, Message

__all__ = ["FrameReader", "frame"]

#: The largest body we take, and the largest header; beyond them it is something else than this protocol.
_MAX_BODY_BYTES = 1 << 28
_MAX_HEADER_BYTES = 1 << 16
#: Wherever it stands: some servers print before it.
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d{1,18})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_HEADER_END = re.compile(rb"\r?\n\r?\n")
#: In ASCII, so that a lone surrogate stays an escape and anything can be sent.
_ENCODER = json.JSONEncoder(separators=(",", ":"))


def frame(message: Mapping[str, object]) -> bytes:
    """Encode a message."""
    body = _ENCODER.encode({"jsonrpc": "2.0", **message}).encode("ascii")
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class FrameReader:
    """A reader that cuts bytes into messages; lines that are no header, bodies that are no JSON object are passed over."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._body_bytes: int | None = None
        #: So far no header ends in the buffer.
        self._searched = 0

    def feed(self, data: bytes) -> Iterator[Message]:
        self._buffer += data
        while (body := self._next_body()) is not None:
            message = _decode(body)
            if message is not None:
                yield message

    def rest(self) -> Iterator[Message]:
        return iter(())

    def _next_body(self) -> bytes | None:
        while self._body_bytes is None:
            if not self._take_header():
                return None
        if len(self._buffer) < self._body_bytes:
            return None
        body = bytes(self._buffer[: self._body_bytes])
        del self._buffer[: self._body_bytes]
        self._body_bytes = None
        return body

    def _take_header(self) -> bool:
        """Take a block of lines up to an empty one; it need not be a header."""
        end = self._header_end()
        if end is None:
            self._searched = len(self._buffer)
            if self._searched > _MAX_HEADER_BYTES:
                raise BrokenStream("it writes something else than messages")
            return False
        length = _LENGTH.search(bytes(self._buffer[:end]))
        del self._buffer[:end]
        self._searched = 0
        if length is not None:
            self._body_bytes = int(length[1])
            if self._body_bytes > _MAX_BODY_BYTES:
                raise BrokenStream(f"it announces a message of {self._body_bytes} bytes")
        return True

    def _header_end(self) -> int | None:
        # A match keeps the buffer from shrinking as long as it lives: not beyond this function.
        found = _HEADER_END.search(self._buffer, max(self._searched - 3, 0))
        return found.end() if found else None


def _decode(body: bytes) -> Message | None:
    try:
        message = json.loads(body.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None
