"""One turn at a time: its work, what stops it, and the protocol's word for its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

from mmtools.errors import LoopStopped
from mmtools.hosting.acp import sdk
from mmtools.hosting.acp.sdk import schema

__all__ = ["Turn", "Turns"]


class Turn:
    """The work of one turn."""

    def __init__(self, task: asyncio.Task[None]) -> None:
        self.task = task
        self.cancelled = False

    def cancel(self) -> None:
        """Stop the work."""
        self.cancelled = True
        self.task.cancel()

    async def reason(self, say: Callable[[str], None]) -> schema.StopReason:
        """
        Return why the turn ended, when it has.

        Args:
            say: Gets the text of a `LoopStopped`.
        """
        try:
            await self.task
        except LoopStopped as stop:
            if not self.cancelled:
                say(stop.text)
                return "max_turn_requests"
        except (Exception, asyncio.CancelledError):
            # After a cancel the protocol wants "cancelled", whatever the work makes of it.
            if not self.cancelled:
                raise
        return "cancelled" if self.cancelled else "end_turn"


class Turns:
    """The turn that is going on."""

    def __init__(self) -> None:
        self._turn: Turn | None = None

    @contextmanager
    def begin(self, work: Coroutine[Any, Any, None]) -> Iterator[Turn]:
        """
        Begin a turn with its work.

        Raises:
            RequestError: One is going on.
        """
        if self._turn is not None:
            work.close()
            raise sdk.RequestError.invalid_request({"details": "a turn is going on; cancel it first"})
        self._turn = Turn(asyncio.create_task(work))
        try:
            yield self._turn
        finally:
            self._turn = None

    def cancel(self) -> None:
        """Stop the turn that is going on, if one is."""
        if self._turn is not None:
            self._turn.cancel()
