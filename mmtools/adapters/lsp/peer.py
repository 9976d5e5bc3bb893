"""The other side of the wire: one server process, greeted, asked, and seen off."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from mmtools.adapters.lsp import handshake
from mmtools.adapters.lsp.frames import FrameReader, frame
from mmtools.adapters.lsp.handshake import Offers
from mmtools.adapters.lsp.listener import Listener
from mmtools.adapters.lsp.pending_requests import (
    Cancelled,
    ChangeSignal,
    Failure,
    Lost,
    PendingRequests,
    Reply,
    Result,
    TimedOut,
)
from mmtools.adapters.lsp.timeouts import Timeouts
from mmtools.adapters.process.piped_server import Message, PipedServer
from mmtools.call import Cancellation
from mmtools.ports.language_server_problems import Died, Interrupted, NotStarted
from mmtools.ports.language_servers import LanguageServer

__all__ = ["Peer"]

#: ContentModified and ServerCancelled: the question came at a bad moment.
_BAD_MOMENT = (-32801, -32802)
_RETRIES = 3
#: Between TERM and KILL, for a server that was told to exit long ago.
_GRACE_S = 0.2


class Peer:
    """
    The other side of a talk with one server process.

    Args:
        root: Absolute, every symlink resolved.

    Raises:
        OSError, ValueError, RuntimeError: It cannot be started, or no thread for it.
    """

    def __init__(
        self, server: LanguageServer, root: str, *, environment: Mapping[str, str], timeouts: Timeouts
    ) -> None:
        self.server = server
        self.timeouts = timeouts
        #: Where it looks for programs.
        self.path = environment.get("PATH")
        self.changed = ChangeSignal()
        #: Whether it has answered anything after its initialize.
        self.has_answered = False
        self._root = root
        self._settings = handshake.nested(server.settings)
        self._listener = Listener(root, self._settings, timeouts.abandoned_s, self.changed)
        self.activity = self._listener.activity
        self.publications = self._listener.publications
        self.registrations = self._listener.registrations
        self._process = PipedServer(
            server.command, directory=root, environment=environment, reader=FrameReader(), name="mmtools-lsp"
        )
        self.requests = PendingRequests(self._send)
        self._process.listen(self._take)
        self._process.ended.add_done_callback(self._note_end)

    @property
    def is_running(self) -> bool:
        """Whether it can still be asked."""
        return not self._process.ended.done()

    def begin_initialize(self) -> int:
        """Introduce us; the number is for `end_initialize`."""
        return self.requests.send("initialize", handshake.initialize(self._root, self.server.initialization_options))

    def end_initialize(self, number: int, cancellation: Cancellation) -> Offers:
        """
        Wait for what the server offers.

        Raises:
            NotStarted, Interrupted: It is of no more use.
        """
        limit_s = self.timeouts.initialize_s
        match self.requests.wait(number, limit_s, cancellation):
            case Result(content):
                self.has_answered = False
                self.notify("initialized", {})
                if self._settings:
                    self.notify("workspace/didChangeConfiguration", {"settings": self._settings})
                return handshake.offers(content)
            case Failure(message=message):
                reason = f"initialize failed: {message}"
            case TimedOut():
                reason = f"no answer to initialize within {limit_s:g}s"
            case Lost():
                reason = self._process.ending
            case Cancelled():
                raise Interrupted(self.server.name)
        # What it wrote last may only be read when it has ended.
        self.kill()
        raise NotStarted(self.server.name, reason, last_words=self._process.last_words)

    def notify(self, method: str, params: object = None) -> None:
        """Tell something; never waits."""
        message: Message = {"method": method}
        self._send(message if params is None else {**message, "params": params})

    def ask(self, send: Callable[[], int], seconds: float, cancellation: Cancellation) -> Reply:
        """
        Ask, and ask again if the server says that it was not the moment.

        Args:
            send: Sends the question and returns its number.
            seconds: For each answer.
        """
        for _ in range(_RETRIES):
            reply = self.requests.wait(send(), seconds, cancellation)
            if not isinstance(reply, Failure) or reply.code not in _BAD_MOMENT or cancellation.requested:
                return reply
            self.changed.wait(lambda: not self.is_running, self.timeouts.retry_s, cancellation)
        return self.requests.wait(send(), seconds, cancellation)

    def died(self) -> Died:
        """Say how it ended."""
        return Died(self.server.name, self._process.ending, last_words=self._process.last_words)

    def kill(self) -> None:
        """End it without a word."""
        self._process.end()

    def begin_shutdown(self) -> int:
        """Ask it to shut down; the number is for `end_shutdown`. Without params: null is an error for some."""
        return self.requests.send("shutdown")

    def end_shutdown(self, number: int, until: float) -> None:
        """
        Have it exit, and end it if it does not.

        Args:
            until: When to stop waiting for the answer, by the monotonic clock.
        """
        self.requests.wait(number, until - time.monotonic(), Cancellation())
        self.notify("exit")
        # Some wait for the end of their input rather than heed the word.
        self._process.close_input()
        if not self._process.wait(self.timeouts.shutdown_s):
            self._process.end(grace_s=_GRACE_S)

    def _take(self, message: Message) -> None:
        if "method" not in message:
            self.requests.take(message)
            if not self.has_answered:
                self.has_answered = True
                self.changed.notify()
        elif "id" in message:
            self._send(self._listener.answer(message))
        else:
            self._listener.note(message)

    def _send(self, message: Message) -> None:
        self._process.send(frame(message))

    def _note_end(self, _: object) -> None:
        self.requests.lose_all()
        self.changed.notify()
