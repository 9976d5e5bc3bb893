"""The pipe that a command writes to: read by the call, and drained for what outlives it."""

from __future__ import annotations

import codecs
import fcntl
import os
import select
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

from mmtools.core.escapes import SequenceStripper, without_controls
from mmtools.core.truncation import HeadAndTail
from mmtools.ports.processes import Captured

__all__ = ["Drainer", "Output", "Wake"]

#: What a pipe holds unless told otherwise; most commands never fill it.
_PIPE_BYTES = 1 << 16
#: What it holds for a command that floods it: the most that needs no privilege. A quarter is read at once.
_FLOODED_PIPE_BYTES = 1 << 20
_FLOODED_READ_BYTES = 1 << 18
#: Beyond this much output control characters are only taken out of what is kept: it halves the cost of a flood.
_FLOOD_BYTES = 1 << 20
#: The pace at which survivors are drained: 25 MB/s at most, so that one that floods costs next to nothing.
_DRAIN_BYTES, _DRAIN_PAUSE_MS = 1 << 19, 20


class Wake:
    """A descriptor that any thread can make readable."""

    def __init__(self) -> None:
        # Reentrant, for a signal handler may cancel the very call that it interrupts.
        self._lock = threading.RLock()
        self._closed = False
        if hasattr(os, "eventfd"):
            self.reader = self._writer = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        else:
            self.reader, self._writer = os.pipe()
            os.set_blocking(self._writer, False)

    def set(self) -> None:
        """Wake whoever waits, now or later."""
        with self._lock, suppress(BlockingIOError):
            if not self._closed:
                os.write(self._writer, (1).to_bytes(8, sys.byteorder))

    def clear(self) -> None:
        """Make the descriptor unreadable again; call it only when it is readable."""
        os.read(self.reader, 4096)

    def close(self) -> None:
        """Close the descriptor; `set` then does nothing."""
        with self._lock:
            self._closed = True
            for descriptor in {self.reader, self._writer}:
                os.close(descriptor)


class Output:
    """
    A command's output, read and decoded: escape sequences taken out, both ends kept, each piece passed on.

    Args:
        reader: The pipe's read end; owned from here on.
        on_output: Gets each piece; what it raises is the caller's.
    """

    def __init__(self, reader: int, *, max_chars: int, on_output: Callable[[str], None]) -> None:
        self.reader = reader
        self.ended = False
        self._on_output = on_output
        self._kept = HeadAndTail(max_chars)
        self._sequences = SequenceStripper()
        self._buffer = memoryview(bytearray(_PIPE_BYTES))
        self._undecoded = b""
        self._size = 0

    def read(self) -> None:
        """Read once; blocks unless there is something to read, or the end."""
        count = os.readv(self.reader, [self._buffer])
        if not count:
            self.close()
            return
        self._size += count
        data = self._undecoded + self._buffer[:count] if self._undecoded else self._buffer[:count]
        text, consumed = codecs.utf_8_decode(data, "replace")
        self._undecoded = bytes(data[consumed:])
        self._take(text)
        if count == _PIPE_BYTES == len(self._buffer):
            self._widen()

    def captured(self) -> Captured:
        """Return what is kept so far; a character that the end breaks off becomes U+FFFD."""
        rest, self._undecoded = self._undecoded, b""
        if rest:
            self._take(rest.decode("utf-8", "replace"))
        head, tail, elided_bytes = self._kept.captured()
        return Captured(head=without_controls(head), tail=without_controls(tail), elided_bytes=elided_bytes)

    def detach(self) -> int:
        """Give the read end away, open."""
        self.ended = True
        return self.reader

    def close(self) -> None:
        """Close the read end, if it is still open and ours."""
        if not self.ended:
            self.ended = True
            os.close(self.reader)

    def _take(self, text: str) -> None:
        text = self._sequences.feed(text)
        if self._size <= _FLOOD_BYTES:
            text = without_controls(text)
        if text:
            self._kept.feed(text)
            self._on_output(text)

    def _widen(self) -> None:
        """Let the pipe hold more, where the system and its limits let us."""
        self._buffer = memoryview(bytearray(_FLOODED_READ_BYTES))
        if hasattr(fcntl, "F_SETPIPE_SZ"):
            with suppress(OSError):
                fcntl.fcntl(self.reader, fcntl.F_SETPIPE_SZ, _FLOODED_PIPE_BYTES)


class Drainer:
    """
    A reader that drops what survivors write, so that a full or a broken pipe neither stops nor kills them.

    There is a thread only as long as there is a pipe with a writer.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._readers: set[int] = set()
        self._wake: Wake | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def take(self, reader: int) -> None:
        """Drain this pipe until its last writer is gone; its read end is owned from here on."""
        with self._lock:
            if self._closed:
                os.close(reader)
                return
            self._readers.add(reader)
            if self._wake:
                self._wake.set()
                return
            self._wake = Wake()
            self._thread = threading.Thread(target=self._drain, args=(self._wake,), name="mmtools-drainer", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Close every pipe and end the thread."""
        with self._lock:
            self._closed = True
            thread = self._thread
            if self._wake:
                self._wake.set()
        if thread:
            thread.join()

    def _drain(self, wake: Wake) -> None:
        pause = select.poll()
        pause.register(wake.reader, select.POLLIN)
        while readers := self._open_readers(wake):
            poll = select.poll()
            for descriptor in (wake.reader, *readers):
                poll.register(descriptor, select.POLLIN)
            for descriptor, _ in poll.poll():
                if descriptor == wake.reader:
                    wake.clear()
                elif not os.read(descriptor, _DRAIN_BYTES):
                    self._forget(descriptor)
            pause.poll(_DRAIN_PAUSE_MS)

    def _open_readers(self, wake: Wake) -> tuple[int, ...]:
        """Return the pipes to drain; without any the thread is done, and the next `take` starts another."""
        with self._lock:
            if self._closed:
                for reader in self._readers:
                    os.close(reader)
                self._readers.clear()
            if not self._readers:
                wake.close()
                self._wake = self._thread = None
            return tuple(self._readers)

    def _forget(self, reader: int) -> None:
        with self._lock:
            self._readers.discard(reader)
            os.close(reader)
