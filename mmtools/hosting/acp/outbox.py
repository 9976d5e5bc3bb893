"""Updates on their way to an editor: put in by any thread, sent one after the other, in order."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from mmtools.hosting.acp.host_loop import HostLoop

__all__ = ["Outbox"]

UpdateT = TypeVar("UpdateT")


class Outbox(Generic[UpdateT]):
    """
    A queue of updates that many threads put in and one loop sends.

    An editor that went away ends it: what is put in later goes nowhere, for nobody is left who looks on.

    Args:
        send: Sends one; awaited on the loop, never twice at once.
    """

    def __init__(self, send: Callable[[UpdateT], Awaitable[object]], host_loop: HostLoop) -> None:
        self._send = send
        self._host_loop = host_loop
        self._waiting: deque[UpdateT | asyncio.Future[None]] = deque()
        self._lock = threading.Lock()
        self._sending = False
        self._gone = False
        self._task: asyncio.Task[None] | None = None

    def put(self, update: UpdateT) -> None:
        """Send an update after all that was put in before it; returns at once."""
        self._put(update)

    async def flush(self) -> None:
        """Return when all that was put in so far is sent."""
        sent = self._host_loop.loop.create_future()
        self._put(sent)
        await sent

    def _put(self, entry: UpdateT | asyncio.Future[None]) -> None:
        with self._lock:
            self._waiting.append(entry)
            if self._sending:
                return
            self._sending = True
        self._host_loop.soon(self._begin)

    def _begin(self) -> None:
        self._task = self._host_loop.loop.create_task(self._send_all())

    async def _send_all(self) -> None:
        while (entry := self._next()) is not None:
            if isinstance(entry, asyncio.Future):
                if not entry.done():
                    entry.set_result(None)
            elif not self._gone:
                try:
                    await self._send(entry)
                except (OSError, asyncio.CancelledError):
                    self._gone = True

    def _next(self) -> UpdateT | asyncio.Future[None] | None:
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            self._sending = False
            return None
