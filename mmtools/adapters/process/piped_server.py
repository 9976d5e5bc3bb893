"""
A server that is a child process and speaks over its pipes.

One thread does all the reading: it never waits for anybody, so a server can always get rid of what it writes, to
stderr too. Writing never waits either: what a pipe does not take goes out in that thread.
"""

from __future__ import annotations

import os
import re
import selectors
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from mmtools.adapters.process.output import Wake
from mmtools.adapters.process.server_process import ServerProcess
from mmtools.core import escapes
from mmtools.core.truncation import shortened

__all__ = ["BrokenStream", "Message", "MessageReader", "PipedServer"]

#: A message: whatever object a server sends.
Message: TypeAlias = dict[str, Any]

_READ_BYTES = 1 << 16
#: What is kept of stderr: more than fifty lines.
_KEPT_BYTES = 1 << 13
#: Characters of its last line.
_LAST_WORDS = 300
#: What stands in a line that says what went wrong; after it come a stack, and the version of the interpreter.
_SAYS_WHAT = re.compile(
    r"(?i:\b(?:panic|fatal|panicked|segmentation fault)\b|\b(?:error|exception)\b[:\])])|\w(?:Error|Exception)\b"
)
#: What a server may leave unread; beyond that, it has stopped reading.
_MAX_BACKLOG_BYTES = 1 << 26
#: Between the end of a server's output and its exit; and as long are the pipes of one read that has exited, for others
#: may still write to them.
_EXIT_S = 0.5
#: How often a process is asked whether it has exited, where the system does not tell.
_ASK_EVERY_S = 0.1
#: What the kernel, and the last reading, may take beyond the grace.
_END_S = 5.0


class BrokenStream(Exception):
    """Output of a server that is no messages."""


class MessageReader(Protocol):
    """A reader that cuts what a server writes into messages."""

    def feed(self, data: bytes) -> Iterator[Message]:
        """
        Take the next bytes, and give the messages that they complete.

        Raises:
            BrokenStream: There is no going on.
        """
        ...

    def rest(self) -> Iterator[Message]:
        """Give the message that the end of the output completes, if it does."""
        ...


ReaderT = TypeVar("ReaderT", bound=MessageReader)


class PipedServer(Generic[ReaderT]):
    """
    A server started here, and its messages until it ends, one way or the other; nothing of its tree runs then.

    Args:
        command: Program and arguments; the program is looked up in the PATH of `environment`.
        name: Of its thread; the pid is added.

    Raises:
        OSError, RuntimeError: It cannot be started, or no thread for it.
        ValueError: There is a NUL, or half of a character, in the command or the environment.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        directory: str,
        environment: Mapping[str, str],
        reader: ReaderT,
        name: str,
    ) -> None:
        self.reader = reader
        #: How it ended, once it has: "exit status 1".
        self.ended: Future[str] = Future()
        self.ended.set_running_or_notify_cancel()
        # Reentrant, for a signal handler may close what the very thread that it interrupts writes to.
        self._lock = threading.RLock()
        self._on_message: Callable[[Message], None] | None = None
        self._backlog = bytearray()
        self._closing = False
        self._errors = b""
        self._broken = ""
        self._exited = False
        self._stop_grace_s: float | None = None
        with ExitStack() as undo:
            self._wake = Wake()
            undo.callback(self._wake.close)
            self._process = ServerProcess(command, directory=directory, environment=environment)
            undo.callback(self._process.close)
            undo.callback(self._process.end)
            self._thread = threading.Thread(target=self._run, name=f"{name}-{self._process.pid}", daemon=True)
            self._thread.start()
            undo.pop_all()

    @property
    def ending(self) -> str:
        """How it ended; empty as long as it runs."""
        return self.ended.result() if self.ended.done() else ""

    @property
    def last_words(self) -> str:
        """The last line of stderr that says what went wrong, else the last that is not blank; empty without any."""
        told = map(str.strip, escapes.strip(self._errors.decode("utf-8", "replace")).split("\n"))
        lines = list(filter(None, told))
        at = next((at for at in reversed(range(len(lines))) if _SAYS_WHAT.search(lines[at])), len(lines) - 1)
        # What comes after a colon may stand on the next line: `thread 'main' panicked at src/main.rs:1:5:`.
        last = " ".join(lines[at : at + 2]) if lines and lines[at].endswith(":") else "".join(lines[at : at + 1])
        return shortened(last, _LAST_WORDS)

    def listen(self, on_message: Callable[[Message], None]) -> None:
        """
        Begin to read messages; only stderr is read before.

        Args:
            on_message: Gets each message, in the server's thread; must return soon and not raise.
        """
        self._on_message = on_message
        self._wake.set()

    def send(self, data: bytes) -> None:
        """Send a message. Never waits; to a server that has ended it goes nowhere."""
        with self._lock:
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
        with self._lock:
            self._closing = True
        self._wake.set()

    def stop(self, *, grace_s: float = 0.0) -> None:
        """
        Have the server and all of its tree ended; does not wait for that.

        Args:
            grace_s: Between TERM and KILL.
        """
        self._stop_grace_s = grace_s
        self._wake.set()

    def end(self, *, grace_s: float = 0.0) -> None:
        """End the server and all of its tree; returns when that is done."""
        self.stop(grace_s=grace_s)
        self.wait(grace_s + _END_S)

    def wait(self, seconds: float) -> bool:
        """Wait until the server and its thread have ended; returns whether they have."""
        # Garbage may be collected, and so a server closed, in its very own thread.
        if threading.current_thread() is not self._thread:
            self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        process = self._process
        try:
            with selectors.PollSelector() as self._selector:
                self._selector.register(self._wake.reader, selectors.EVENT_READ, self._heed_wake)
                self._selector.register(process.stderr, selectors.EVENT_READ, self._read_errors)
                if process.pidfd is not None:
                    self._selector.register(process.pidfd, selectors.EVENT_READ, self._note_exit)
                while not (self._exited or self._broken or self._stop_grace_s is not None):
                    self._take_turn(None)
                if self._stop_grace_s is not None:
                    process.end(grace_s=self._stop_grace_s, wait=self._read_for)
                self._read_rest()
        finally:
            self._finish()

    def _read_for(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left_s := until - time.monotonic()) > 0:
            self._take_turn(left_s)

    def _read_rest(self) -> None:
        """Read what it wrote before its exit: that lies in the pipes. After the end of its output its exit is near."""
        until = time.monotonic() + _EXIT_S
        while (left_s := until - time.monotonic()) > 0:
            if not self._take_turn(0.0 if self._exited else left_s) and self._exited:
                break
        if self._exited and self._on_message:
            for message in self.reader.rest():
                self._on_message(message)

    def _take_turn(self, seconds: float | None) -> bool:
        """Wait for something to do and do it; returns whether there was anything."""
        if self._process.pidfd is None:
            seconds = _ASK_EVERY_S if seconds is None else min(seconds, _ASK_EVERY_S)
            self._exited = self._exited or self._process.has_ended()
        events = self._selector.select(seconds)
        for key, _ in events:
            key.data()
        return bool(events)

    def _finish(self) -> None:
        ending = self._process.end()
        with self._lock:
            self._closing = True
            self._process.close()
        self._wake.close()
        self.ended.set_result(self._broken if self._broken and not self._exited else ending)

    def _heed_wake(self) -> None:
        self._wake.clear()
        stdout = self._process.stdout
        if self._on_message and not self._broken and stdout not in self._selector.get_map():
            self._selector.register(stdout, selectors.EVENT_READ, self._read_messages)
        self._write_backlog()

    def _read_messages(self) -> None:
        assert self._on_message is not None
        data = os.read(self._process.stdout.fileno(), _READ_BYTES)
        if not data:
            self._give_up("it has closed its output")
            return
        try:
            for message in self.reader.feed(data):
                self._on_message(message)
        except BrokenStream as problem:
            self._give_up(str(problem))

    def _give_up(self, why: str) -> None:
        self._broken = self._broken or why
        self._selector.unregister(self._process.stdout)

    def _read_errors(self) -> None:
        data = os.read(self._process.stderr.fileno(), _READ_BYTES)
        if not data:
            self._selector.unregister(self._process.stderr)
        self._errors = (self._errors + data)[-_KEPT_BYTES:]

    def _note_exit(self) -> None:
        assert self._process.pidfd is not None
        self._exited = True
        self._selector.unregister(self._process.pidfd)

    def _write_backlog(self) -> None:
        """Write what is waiting, and have the selector tell when there is room for the rest."""
        with self._lock:
            stdin = self._process.stdin
            if stdin.closed:
                return
            del self._backlog[: self._write(bytes(self._backlog[:_READ_BYTES]))]
            if self._backlog:
                with suppress(KeyError):
                    self._selector.register(stdin, selectors.EVENT_WRITE, self._write_backlog)
                return
            with suppress(KeyError):
                self._selector.unregister(stdin)
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
