"""The loop that an editor's connection lives on, used from the threads that tools run in."""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from attrs import field, frozen

from mmtools.errors import Cancelled, DefinitionError

__all__ = ["HostLoop"]

ResultT = TypeVar("ResultT")


@frozen
class HostLoop:
    """A way to ask the editor something, and block until it has answered."""

    loop: asyncio.AbstractEventLoop = field(factory=asyncio.get_running_loop)

    def wait_for(self, question: Coroutine[Any, Any, ResultT]) -> ResultT:
        """
        Run a coroutine on the loop, from another thread.

        Raises:
            Cancelled: The loop ends.
            DefinitionError: This is the loop's own thread, which would wait for itself.
        """
        if _running_loop() is self.loop:
            question.close()
            raise DefinitionError("a call that asks the editor must not block its event loop: use acall or acall_many")
        try:
            return asyncio.run_coroutine_threadsafe(question, self.loop).result()
        except concurrent.futures.CancelledError:
            raise Cancelled("[cancelled: the connection to the editor ended]") from None

    async def run(self, question: Coroutine[Any, Any, ResultT]) -> ResultT:
        """Run a coroutine on the loop, from this one or another."""
        if asyncio.get_running_loop() is self.loop:
            return await question
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(question, self.loop))

    def soon(self, callback: Callable[[], object]) -> None:
        """Call back in the loop's thread; a loop that is closed has nobody left to tell."""
        with suppress(RuntimeError):
            self.loop.call_soon_threadsafe(callback)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
