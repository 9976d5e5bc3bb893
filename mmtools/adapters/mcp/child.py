"""
A server that is a child process, and its pipes as an event loop sees them.

Nothing here waits: what the child does not read is kept until it does, and what it writes is read at once, to stderr
too. All of it runs in the loop's thread.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from contextlib import suppress

from mmtools.adapters.mcp.lines import BrokenLines, LineReader, Message, line
from mmtools.adapters.process.server_process import ServerProcess
from mmtools.core import escapes
from mmtools.ports.remote_tools import McpServer

__all__ = ["Child"]

_READ_BYTES = 1 << 16
#: What is kept of stderr: more than fifty lines.
_KEPT_BYTES = 1 << 13
#: Characters of its last line.
_LAST_WORDS = 300
#: What a child may leave unread; beyond that, it has stopped reading.
_MAX_BACKLOG_BYTES = 1 << 26
#: How often the pipes of a child that has exited are read: as much as they hold, for others may still write to them.
_LAST_READS = 32
#: Between the end of a child's output and its exit.
_EXIT_S = 0.5
#: How often a child is asked whether it has exited, where the system does not tell.
_ASK_EVERY_S = 0.1


class Child:
    """
    A server started here, and its messages until it ends, one way or the other; nothing of its tree runs then.

    Args:
        environment: The whole of it but for the server's own.
        directory: Where it runs unless the server says something else.

    Raises:
        OSError: It cannot be started.
        ValueError: There is a NUL, or half of a character, in the command or the environment.
    """

    def __init__(self, server: McpServer, *, environment: Mapping[str, str], directory: str) -> None:
        cwd = directory if server.cwd is None else server.cwd
        self.process = ServerProcess(server.command, directory=cwd, environment={**environment, **server.env})
        os.set_blocking(self.process.stdout.fileno(), False)
        os.set_blocking(self.process.stderr.fileno(), False)
        self._lines = LineReader()
        self._errors = b""
        self._backlog = bytearray()
        self._broken = ""
        self._closing = False
        self._on_message: Callable[[Message], None] = _nobody
        self._loop: asyncio.AbstractEventLoop | None = None
        #: How it ended; empty as long as it runs.
        self.ending = ""
        self.ended = asyncio.Event()

    def attach(self, on_message: Callable[[Message], None], on_end: Callable[[], None]) -> None:
        """
        Begin to read, in the running loop.

        Args:
            on_message: Gets each message; must not raise.
            on_end: Called once.
        """
        self._on_message, self._on_end = on_message, on_end
        loop = self._loop = asyncio.get_running_loop()
        loop.add_reader(self.process.stdout.fileno(), self._read_messages)
        loop.add_reader(self.process.stderr.fileno(), self._read_errors)
        if self.process.pidfd is not None:
            loop.add_reader(self.process.pidfd, self._note_exit)
        else:
            loop.call_later(_ASK_EVERY_S, self._ask_for_exit)

    def send(self, message: Mapping[str, object]) -> None:
        """Send a message; to a child that has ended it goes nowhere."""
        if self._closing or self.ending:
            return
        self._backlog += line(message)
        if len(self._backlog) > _MAX_BACKLOG_BYTES:
            self._give_up("it has stopped reading")
            return
        self._write()

    def close_input(self) -> None:
        """End the child's input, once all that was sent is written: that is how a server is told to go."""
        self._closing = True
        self._write()

    @property
    def last_words(self) -> str:
        """The last line of stderr that is not blank; empty when there is none."""
        lines = escapes.strip(self._errors.decode("utf-8", "replace")).split("\n")
        last = next((each.strip() for each in reversed(lines) if each.strip()), "")
        return last if len(last) <= _LAST_WORDS else last[: _LAST_WORDS - 1] + "…"

    @property
    def noise(self) -> str:
        """The last line of stdout that was no message; perhaps empty."""
        return self._lines.noise

    def end(self, *, grace_s: float = 0.0) -> None:
        """
        End what still runs of the child's tree, and reap it; may take as long as the grace.

        Args:
            grace_s: Between TERM and KILL.
        """
        ending = self.process.end(grace_s=grace_s)
        self.ending = self.ending or self._broken or ending

    def release(self) -> None:
        """Close the pipes of a child that has ended, and tell."""
        if self.ended.is_set():
            return
        if self._loop is not None:
            self._detach(self._loop)
        self.process.stdin.close()
        self.process.close()
        self.ended.set()
        if self._loop is not None:
            self._on_end()

    def _detach(self, loop: asyncio.AbstractEventLoop) -> None:
        for stream in (self.process.stdout, self.process.stderr):
            loop.remove_reader(stream.fileno())
        if self.process.pidfd is not None:
            loop.remove_reader(self.process.pidfd)
        if not self.process.stdin.closed:
            loop.remove_writer(self.process.stdin.fileno())

    def _ask_for_exit(self) -> None:
        if self._loop is None or self.ended.is_set():
            return
        if self.process.has_ended():
            self._note_exit()
        else:
            self._loop.call_later(_ASK_EVERY_S, self._ask_for_exit)

    def _note_exit(self) -> None:
        """Read what the child wrote before its exit: it lies in the pipes."""
        for _ in range(_LAST_READS):
            if self.ended.is_set() or not self._read_messages() | self._read_errors():
                break
        if not self.ended.is_set():
            for message in self._lines.rest():
                self._on_message(message)
            self.end()
            self.release()

    def _read_messages(self) -> bool:
        data = self._read(self.process.stdout.fileno())
        if data is None or self.ended.is_set():
            return False
        if not data:
            self._finish_soon("it has closed its output")
            return False
        try:
            for message in self._lines.feed(data):
                self._on_message(message)
        except BrokenLines as problem:
            self._give_up(str(problem))
            return False
        return True

    def _read_errors(self) -> bool:
        data = self._read(self.process.stderr.fileno())
        if data is None:
            return False
        if not data and self._loop is not None:
            self._loop.remove_reader(self.process.stderr.fileno())
        self._errors = (self._errors + data)[-_KEPT_BYTES:]
        return bool(data)

    def _read(self, descriptor: int) -> bytes | None:
        """Return what is there, empty at the end; None when there is nothing now."""
        try:
            return os.read(descriptor, _READ_BYTES)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def _finish_soon(self, why: str) -> None:
        """After the end of its output a child's exit is near, and tells more."""
        if self._loop is not None:
            self._loop.remove_reader(self.process.stdout.fileno())
            self._loop.call_later(_EXIT_S, self._give_up, why)

    def _give_up(self, why: str) -> None:
        if not self.ended.is_set():
            self._broken = self._broken or why
            self.end()
            self.release()

    def _write(self) -> None:
        stdin = self.process.stdin
        if self._loop is None or stdin.closed:
            return
        while self._backlog:
            try:
                count = os.write(stdin.fileno(), self._backlog[:_READ_BYTES])
            except BlockingIOError:
                self._loop.add_writer(stdin.fileno(), self._write)
                return
            except OSError:
                # Nobody reads any more; the exit that tells why is near.
                count = len(self._backlog)
            del self._backlog[:count]
        self._loop.remove_writer(stdin.fileno())
        if self._closing:
            with suppress(OSError):
                stdin.close()


def _nobody(_: Message) -> None:
    pass
