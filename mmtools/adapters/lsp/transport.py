"""
Messages to and from one server, over its pipes.

One thread does all the reading: it never waits for anybody, so a server can always get rid of what it writes, to
stderr too. Writing never waits either: what a pipe does not take goes out in that thread.
"""

from __future__ import annotations

import os
import select
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

from mmtools.adapters.lsp.frames import BrokenFrames, FrameReader, Message, frame
from mmtools.adapters.process.output import Wake
from mmtools.adapters.process.server_process import ServerProcess
from mmtools.core import escapes

__all__ = ["Transport"]

_READ_BYTES = 1 << 16
#: What is kept of stderr: more than fifty lines.
_KEPT_BYTES = 1 << 13
#: Characters of its last line.
_LAST_WORDS = 300
#: What a server may leave unread; beyond that, it has stopped reading.
_MAX_BACKLOG_BYTES = 1 << 26
#: Between the end of a server's output and its exit.
_EXIT_S = 0.5
#: How often a process is asked whether it has exited, where the system does not tell.
_ASK_EVERY_S = 0.2


class Transport:
    """
    The carrier of messages until the server ends, one way or the other; nothing of its tree runs then.

    Args:
        process: Owned from here on.
        on_message: Gets each message, in the transport's thread; must return soon and not raise.
        on_end: Called once, in that thread.
    """

    def __init__(
        self, process: ServerProcess, *, on_message: Callable[[Message], None], on_end: Callable[[], None]
    ) -> None:
        self._process = process
        self._on_message = on_message
        self._on_end = on_end
        # Reentrant, for a signal handler may close what the very thread that it interrupts writes to.
        self._writing = threading.RLock()
        self._backlog = bytearray()
        self._closing = False
        self._frames = FrameReader()
        self._errors = b""
        self._broken = ""
        self._exited = False
        self._wake = Wake()
        self._poll = select.poll()
        self._sources = {
            self._wake.reader: self._turn_to_stdin,
            process.stdin.fileno(): self._write_backlog,
            process.stdout.fileno(): self._read_messages,
            process.stderr.fileno(): self._read_errors,
        }
        if process.pidfd is not None:
            self._sources[process.pidfd] = self._note_exit
        for descriptor in self._sources.keys() - {process.stdin.fileno()}:
            self._poll.register(descriptor, select.POLLIN)
        self._thread = threading.Thread(target=self._run, name=f"mmtools-lsp-{process.pid}", daemon=True)
        #: How it ended; empty as long as it runs.
        self.ending = ""
        self.ended = threading.Event()

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def send(self, message: Mapping[str, object]) -> None:
        """Send a message. Never waits; to a server that has ended it goes nowhere."""
        data = frame(message)
        with self._writing:
            if self._closing:
                return
            if self._backlog:
                self._backlog += data
                if len(self._backlog) > _MAX_BACKLOG_BYTES:
                    self._broken = "it has stopped reading"
                    self._wake.set()
            elif rest := data[self._write(data) :]:
                self._backlog += rest
                self._wake.set()

    def close_input(self) -> None:
        """End the server's input, once all that was sent is written."""
        with self._writing:
            self._closing = True
        self._wake.set()

    def kill(self, *, grace_s: float) -> None:
        """End the server and all of its tree; returns when that is done."""
        self._process.end(grace_s=grace_s)
        self.ended.wait(_EXIT_S + grace_s)

    @property
    def last_words(self) -> str:
        """The last line of stderr that is not blank; empty when there is none."""
        lines = escapes.strip(self._errors.decode("utf-8", "replace")).split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return last if len(last) <= _LAST_WORDS else last[: _LAST_WORDS - 1] + "…"

    def _run(self) -> None:
        try:
            while not (self._exited or self._broken):
                self._take_turn(None)
            # What it wrote before its exit lies in the pipes; after the end of its output its exit is near.
            until = time.monotonic() + _EXIT_S
            while (left_s := until - time.monotonic()) > 0 and self._take_turn(0.0 if self._exited else left_s):
                pass
        finally:
            self._end()

    def _take_turn(self, seconds: float | None) -> bool:
        """Wait for something to do and do it; returns whether there was anything."""
        if self._process.pidfd is None:
            seconds = _ASK_EVERY_S if seconds is None else min(seconds, _ASK_EVERY_S)
            self._exited = self._exited or self._process.has_ended()
        events = self._poll.poll(None if seconds is None else seconds * 1000)
        for descriptor, _ in events:
            self._sources[descriptor]()
        return bool(events)

    def _end(self) -> None:
        ending = self._process.end()
        with self._writing:
            self._closing = True
            self._process.stdin.close()
        self._process.close()
        self._wake.close()
        self.ending = self._broken if self._broken and not self._exited else ending
        self._on_end()
        self.ended.set()

    def _read_messages(self) -> None:
        data = os.read(self._process.stdout.fileno(), _READ_BYTES)
        if not data:
            self._give_up("it has closed its output")
            return
        try:
            for message in self._frames.feed(data):
                self._on_message(message)
        except BrokenFrames as problem:
            self._give_up(str(problem))

    def _give_up(self, why: str) -> None:
        self._broken = self._broken or why
        self._poll.unregister(self._process.stdout.fileno())

    def _read_errors(self) -> None:
        data = os.read(self._process.stderr.fileno(), _READ_BYTES)
        if not data:
            self._poll.unregister(self._process.stderr.fileno())
        self._errors = (self._errors + data)[-_KEPT_BYTES:]

    def _note_exit(self) -> None:
        assert self._process.pidfd is not None
        self._exited = True
        self._poll.unregister(self._process.pidfd)

    def _turn_to_stdin(self) -> None:
        self._wake.clear()
        self._write_backlog()

    def _write_backlog(self) -> None:
        """Write what is waiting, and have the poll tell when there is room for the rest."""
        with self._writing:
            stdin = self._process.stdin
            if stdin.closed:
                return
            del self._backlog[: self._write(bytes(self._backlog[:_READ_BYTES]))]
            if self._backlog:
                self._poll.register(stdin.fileno(), select.POLLOUT)
                return
            with suppress(KeyError):
                self._poll.unregister(stdin.fileno())
            if self._closing:
                stdin.close()

    def _write(self, data: bytes) -> int:
        """Return how much of the data needs no more writing; what nobody reads any more is all of that."""
        try:
            return os.write(self._process.stdin.fileno(), data) if data else 0
        except BlockingIOError:
            return 0
        except OSError:
            return len(data)
