"""What a command says while it runs, as progress of the request that runs it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress

from mmtools.core.escapes import EscapeStripper

__all__ = ["LiveOutput"]

#: 0.1 s: more notifications than this are nothing that a person could follow.
_PAUSE_S = 0.1

#: 4,000 characters: more in one notification is nothing that a person could read; the result has it all.
_MOST_AT_ONCE = 4_000


class LiveOutput:
    """
    Output taken from any thread, and sent on from the event loop, a few times a second.

    Args:
        send: Reports progress: how many characters there were, and the text since the last report.
    """

    def __init__(self, send: Callable[[int, str], Awaitable[None]]) -> None:
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._stripper = EscapeStripper()
        self._lock = threading.Lock()
        self._waiting: list[str] = []
        self._seen = 0
        self._ending = asyncio.Event()
        self._sender: asyncio.Task[None] | None = None

    def feed(self, text: str) -> None:
        """Take a chunk; returns at once."""
        with self._lock:
            self._waiting.append(text)
            first = len(self._waiting) == 1
        if first:
            with suppress(RuntimeError):  # the loop is closed: nobody looks on any more
                self._loop.call_soon_threadsafe(self._wake)

    async def close(self) -> None:
        """Send what is left, and end."""
        self._ending.set()
        if self._sender is not None:
            await self._sender

    def drop(self) -> None:
        """End at once."""
        self._ending.set()
        if self._sender is not None:
            self._sender.cancel()

    def _wake(self) -> None:
        if self._sender is None or self._sender.done():
            self._sender = self._loop.create_task(self._send_all())

    async def _send_all(self) -> None:
        while chunk := self._take():
            text = self._stripper.feed(chunk)
            if text:
                self._seen += len(text)
                await self._send(self._seen, _readable(text))
            with suppress(TimeoutError):
                async with asyncio.timeout(_PAUSE_S):
                    await self._ending.wait()

    def _take(self) -> str:
        with self._lock:
            waiting, self._waiting = self._waiting, []
        return "".join(waiting)


def _readable(text: str) -> str:
    left_out = len(text) - _MOST_AT_ONCE
    return text if left_out <= 0 else f"[… {left_out:,} characters not shown live …]\n{text[-_MOST_AT_ONCE:]}"
