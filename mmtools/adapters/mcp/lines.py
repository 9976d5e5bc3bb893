"""Messages on a pipe: one JSON object a line; whatever else a server prints there is passed over."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

__all__ = ["BrokenLines", "LineReader", "Message", "line"]

#: A message: whatever object a server sends.
Message: TypeAlias = dict[str, Any]

#: The longest line we take; beyond it, it is something else than this protocol.
_MAX_LINE_BYTES = 1 << 28
#: How much of noise is kept, for a reason why a server did not get ready.
_KEPT_NOISE_CHARS = 300
#: In ASCII, so that no server's encoding matters.
_ENCODER = json.JSONEncoder(separators=(",", ":"))


class BrokenLines(Exception):
    """Output of a server that is no messages."""


def line(message: Mapping[str, object]) -> bytes:
    """Encode a message."""
    return _ENCODER.encode(message).encode("ascii") + b"\n"


class LineReader:
    """
    A reader that cuts bytes into messages; blank lines, words and non-UTF-8 bytes cost nothing but themselves.

    Args:
        max_line_bytes: Of a message; what is longer is none.
    """

    def __init__(self, *, max_line_bytes: int = _MAX_LINE_BYTES) -> None:
        self._max_line_bytes = max_line_bytes
        self._buffer = bytearray()
        #: So far no line ends in the buffer.
        self._searched = 0
        #: The last line that was no message; perhaps empty.
        self.noise = ""

    def feed(self, data: bytes) -> Iterator[Message]:
        """
        Take the next bytes, and give the messages that they complete.

        Raises:
            BrokenLines: There is no going on.
        """
        self._buffer += data
        while (end := self._buffer.find(b"\n", self._searched)) >= 0:
            whole = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            self._searched = 0
            yield from self._read(whole)
        self._searched = len(self._buffer)
        if self._searched > self._max_line_bytes:
            raise BrokenLines(f"it writes a line of more than {self._max_line_bytes} bytes")

    def rest(self) -> Iterator[Message]:
        """Give the message that the end of the stream completes, if it does."""
        whole, self._buffer = bytes(self._buffer), bytearray()
        self._searched = 0
        yield from self._read(whole)

    def _read(self, whole: bytes) -> Iterator[Message]:
        text = whole.decode("utf-8", "replace").strip("\ufeff \t\r\0")
        if not text:
            return
        try:
            # A few servers answer a batch, which older revisions of the protocol knew.
            value = json.loads(text)
            found = value if isinstance(value, list) else [value]
        except (ValueError, RecursionError):
            found = [None]
        messages = [each for each in found if isinstance(each, dict) and _is_message(each)]
        if len(messages) < len(found):
            self.noise = text[:_KEPT_NOISE_CHARS]
        yield from messages


def _is_message(value: Message) -> bool:
    """Tell a message from a line of a log that is JSON too."""
    return "jsonrpc" in value or "method" in value or ("id" in value and ("result" in value or "error" in value))
