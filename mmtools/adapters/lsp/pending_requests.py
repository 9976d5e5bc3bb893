"""Threads that wait for a server: for the answers to their questions, or for anything to change."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TypeAlias

from attrs import frozen

from mmtools.adapters.process.piped_server import Message
from mmtools.call import Cancellation
from mmtools.core.lsp import wire

__all__ = ["Cancelled", "ChangeSignal", "Failure", "Lost", "PendingRequests", "Reply", "Result", "TimedOut"]


@frozen
class Result:
    """
    An answer.

    Args:
        content: As received; None for null.
    """

    content: object


@frozen
class Failure:
    """An error that the server answered with."""

    code: int
    message: str


@frozen
class TimedOut:
    """An answer that did not come in time."""


@frozen
class Cancelled:
    """An answer that did not come, for the call was cancelled first."""


@frozen
class Lost:
    """An answer that did not come, for the server ended first."""


#: What comes of a question. A closed union.
Reply: TypeAlias = Result | Failure | TimedOut | Cancelled | Lost


class PendingRequests:
    """
    The questions that were sent, and the way of each answer to who waits for it.

    Args:
        send: Sends a message; never waits.
    """

    def __init__(self, send: Callable[[Message], None]) -> None:
        self._send = send
        self._numbers = itertools.count(1)
        self._waiting: dict[int, SimpleQueue[Reply]] = {}
        self._lost = False

    def send(self, method: str, params: object = None) -> int:
        """
        Send a question; `params` of None are left out.

        Returns:
            Its number.
        """
        number = next(self._numbers)
        # Reentrant, unlike everything else that hands over: a signal handler may cancel the call it interrupts.
        self._waiting[number] = SimpleQueue()
        self._put(number, method, params)
        return number

    def poke(self, method: str, params: object) -> None:
        """Send a question whose answer nobody waits for."""
        self._put(next(self._numbers), method, params)

    def wait(self, number: int, seconds: float, cancellation: Cancellation) -> Reply:
        """Wait for an answer. One that comes later than that is dropped, and the server told to spare itself."""
        replies = self._waiting[number]
        if self._lost:
            replies.put(Lost())
        unsubscribe = cancellation.subscribe(lambda: replies.put(Cancelled()))
        try:
            reply = replies.get(timeout=max(seconds, 0.0))
        except Empty:
            reply = TimedOut()
        finally:
            unsubscribe()
            del self._waiting[number]
        if isinstance(reply, TimedOut | Cancelled):
            self._send({"method": "$/cancelRequest", "params": {"id": number}})
        return reply

    def take(self, message: Message) -> None:
        """Take a message that is an answer, perhaps to a question that nobody asked."""
        number = wire.number(message.get("id"))
        replies = None if number is None else self._waiting.get(number)
        if replies is None:
            return
        error = message.get("error")
        if error is None:
            replies.put(Result(message.get("result")))
            return
        members = wire.object_(error)
        words = wire.one_line(wire.text(members.get("message")) or "") or "an error without words"
        replies.put(Failure(wire.number(members.get("code")) or 0, words))

    def lose_all(self) -> None:
        """Tell all who wait, and all who will, that no answer comes any more."""
        self._lost = True
        for replies in list(self._waiting.values()):
            replies.put(Lost())

    def _put(self, number: int, method: str, params: object) -> None:
        message: Message = {"id": number, "method": method}
        self._send(message if params is None else {**message, "params": params})


class ChangeSignal:
    """A bell that wakes whoever waits for something, whenever anything has changed."""

    def __init__(self) -> None:
        # Its lock is reentrant, so a signal handler may cancel the very call that it interrupts.
        self._condition = threading.Condition()
        #: How often there was something new.
        self.count = 0

    def notify(self) -> None:
        """Have all who wait look again."""
        with self._condition:
            self.count += 1
            self._condition.notify_all()

    def wait(self, come: Callable[[], bool], seconds: float, cancellation: Cancellation) -> bool:
        """Wait until something has come, the time is over or the call is cancelled; returns whether it has come."""
        unsubscribe = cancellation.subscribe(self.notify)
        try:
            with self._condition:
                self._condition.wait_for(lambda: cancellation.requested or come(), max(seconds, 0.0))
            return come()
        finally:
            unsubscribe()
