"""
A server that is a child process, and its messages: one JSON object a line; whatever else it prints is passed over.

Without the SDK: a process may start while that is loaded.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from mmtools.adapters.process.piped_server import BrokenStream, Message, PipedServer
from mmtools.ports.remote_tool_problems import NotConnected
from mmtools.ports.remote_tools import McpServer

__all__ = ["THREADS", "Child", "LineReader", "end_child", "line", "start_child"]

#: How the names of all threads begin that serve a client.
THREADS = "mmtools-mcp"
#: The longest line we take; beyond it, it is something else than this protocol.
_MAX_LINE_BYTES = 1 << 28
#: How much of noise is kept, for a reason why a server did not get ready.
_KEPT_NOISE_CHARS = 300
#: Of an integer. Source: CPython's `sys.int_info.default_max_str_digits`.
_MAX_DIGITS = 4300
#: In which a thread is gone that has nothing left to do.
_THREAD_S = 1.0
#: In ASCII, so that no server's encoding matters.
_ENCODER = json.JSONEncoder(separators=(",", ":"))


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
        self._buffer += data
        while (end := self._buffer.find(b"\n", self._searched)) >= 0:
            whole = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            self._searched = 0
            yield from self._read(whole)
        self._searched = len(self._buffer)
        if self._searched > self._max_line_bytes:
            raise BrokenStream(f"it writes a line of more than {self._max_line_bytes} bytes")

    def rest(self) -> Iterator[Message]:
        whole, self._buffer = bytes(self._buffer), bytearray()
        self._searched = 0
        yield from self._read(whole)

    def _read(self, whole: bytes) -> Iterator[Message]:
        text = whole.decode("utf-8", "replace").strip("\ufeff \t\r\0")
        if not text:
            return
        try:
            # A few servers answer a batch, which older revisions of the protocol knew.
            value = json.loads(text, parse_int=_integer)
            found = value if isinstance(value, list) else [value]
        except (ValueError, RecursionError):
            found = [_unreadable_answer(text)]
        messages = [each for each in found if isinstance(each, dict) and _is_message(each)]
        if len(messages) < len(found):
            self.noise = text[:_KEPT_NOISE_CHARS]
        yield from messages


#: A server's process.
Child: TypeAlias = PipedServer[LineReader]


def start_child(server: McpServer, environment: Mapping[str, str], directory: str) -> Child | None:
    """
    Start a server's process, if it has one.

    Args:
        environment: The whole of it but for the server's own.
        directory: Where it runs unless the server says something else.

    Raises:
        NotConnected: With the system's words.
    """
    if server.url is not None:
        return None
    try:
        return PipedServer(
            server.command,
            directory=directory if server.cwd is None else server.cwd,
            environment={**environment, **server.env},
            reader=LineReader(),
            name=THREADS,
        )
    except (OSError, ValueError, RuntimeError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else None
        where = f": {problem.filename}" if isinstance(problem, OSError) and problem.filename else ""
        raise NotConnected(server.name, f"cannot be started: {reason or problem}{where}") from problem


async def end_child(child: Child, *, leave_s: float, term_s: float) -> None:
    """
    End a child, by the end of its input if it heeds that.

    Args:
        leave_s: What it has to end by itself.
        term_s: What it has between TERM and KILL otherwise.
    """
    child.close_input()
    ended = asyncio.wrap_future(child.ended)
    await asyncio.wait({ended}, timeout=leave_s)
    if not child.ended.done():
        child.stop(grace_s=term_s)
        await asyncio.wait({ended})
    child.wait(_THREAD_S)


def _integer(digits: str) -> int | str:
    """Read an integer; one that is too long for Python, or for who reads it next, is its text."""
    if len(digits) > _MAX_DIGITS:
        return digits
    try:
        return int(digits)
    except ValueError:
        return digits


def _unreadable_answer(text: str) -> Message | None:
    """Answer in the place of what begins like an answer and is no JSON that can be read: somebody waits for it."""
    head = _ANSWERED.match(text)
    number = head or (_ANSWERED_LATE.search(text, max(len(text) - _KEPT_NOISE_CHARS, 0)) if text[:1] == "{" else None)
    if number is None or '"method"' in text[:_KEPT_NOISE_CHARS]:
        return None
    complaint = {"code": _INTERNAL_ERROR, "message": "the server's answer cannot be read"}
    return {"jsonrpc": "2.0", "id": json.loads(number[1]), "error": complaint}


#: The id of a message whose members before it are plain, and of one whose id comes last.
_ANSWERED = re.compile(
    r'\{\s*(?:"jsonrpc"\s*:\s*"[^"]*"\s*,\s*)?"id"\s*:\s*(\d{1,15}|"[^"\\]{1,200}")\s*,\s*"(?:result|error|jsonrpc)"'
)
_ANSWERED_LATE = re.compile(r',\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{1,200}")\s*(?:,\s*"jsonrpc"\s*:\s*"[^"]*"\s*)?\}\s*$')
#: Source: JSON-RPC 2.0, section 5.1.
_INTERNAL_ERROR = -32603


def _is_message(value: Message) -> bool:
    """Tell a message from a line of a log that is JSON too."""
    return "jsonrpc" in value or "method" in value or ("id" in value and ("result" in value or "error" in value))
