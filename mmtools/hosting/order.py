"""The order among calls that a host starts all at once: a change sees what came before it, and nothing that came after."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from attrs import define, field, frozen

from mmtools.call import ToolKind
from mmtools.running import batch

__all__ = ["CallOrder"]


@frozen(eq=False)
class _Running:
    changes: bool
    loop: asyncio.AbstractEventLoop
    done: asyncio.Event = field(factory=asyncio.Event)


@define(eq=False)
class CallOrder:
    """The order of calls: those that change nothing run side by side, every other one alone, as they arrive."""

    _running: list[_Running] = field(init=False, factory=list)

    @asynccontextmanager
    async def turn(self, kind: ToolKind) -> AsyncIterator[None]:
        """Wait for the calls ahead that this one would disturb, or that would disturb it."""
        here = _Running(not batch.changes_nothing(kind), asyncio.get_running_loop())
        # Another thread's loop has its own responses.
        ahead = [each for each in self._running if each.loop is here.loop and (here.changes or each.changes)]
        self._running.append(here)
        try:
            for each in ahead:
                await each.done.wait()
            yield
        finally:
            self._running.remove(here)
            here.done.set()
