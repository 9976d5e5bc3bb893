"""The loop, its thread, and all connections in it. The SDK is imported only when they are opened."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import CancelledError
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from mmtools.adapters.mcp.child import THREADS, Child, start_child
from mmtools.adapters.mcp.listing import read_tools
from mmtools.adapters.mcp.timeouts import Timeouts
from mmtools.call import Cancellation
from mmtools.ports.remote_tool_problems import Interrupted, NotConnected, RemoteToolsClosed
from mmtools.ports.remote_tools import LeftOut, McpServer, RemoteAnswer, RemoteTool

if TYPE_CHECKING:
    from mmtools.adapters.mcp.supervisor import Supervisor

__all__ = ["Engine"]

T = TypeVar("T")

#: What a server offers, and what of it is left out; or why it could not be connected to.
Opened: TypeAlias = tuple[list[RemoteTool], list[LeftOut]] | NotConnected

#: For reading a list of tools that came at the very end of the time for a start.
_SPARE_S = 0.5


class Engine:
    """The owner of the loop, its thread and the connections; not the client, which this must outlive to clean up after it."""

    def __init__(self, timeouts: Timeouts) -> None:
        self._timeouts = timeouts
        self._owner = os.getpid()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=THREADS, daemon=True)
        self._supervisors: dict[str, Supervisor] = {}
        #: Those of the first start; none for an address.
        self._children: dict[str, Child | None] = {}
        # Reentrant, for a signal handler may close what the very thread that it interrupts uses.
        self._closing = threading.RLock()
        #: No call is handed to the loop once it is closed, where nobody would ever answer it.
        self._submitting = threading.RLock()
        self._closed = False

    def open(self, servers: Sequence[McpServer], directory: str, environment: Mapping[str, str]) -> dict[str, Opened]:
        """Connect to all servers; returns by its name what each offers, or why it does not."""
        if not servers:
            return {}
        starts = [(server, partial(start_child, server, environment, directory)) for server in servers]
        opened: dict[str, Opened] = {}
        for server, start in starts:
            try:
                self._children[server.name] = start()
            except NotConnected as problem:
                opened[server.name] = problem
        # The SDK takes more than a second to load: meanwhile the servers start.
        from mmtools.adapters.mcp.supervisor import Supervisor

        self._supervisors = {
            server.name: Supervisor(server, start, self._children[server.name], self._timeouts)
            for server, start in starts
            if server.name in self._children
        }
        self._thread.start()
        return opened | self._run(self._open_all())

    def call(self, tool: RemoteTool, arguments: Mapping[str, Any], cancellation: Cancellation) -> RemoteAnswer:
        if cancellation.requested:
            raise Interrupted(tool.server)
        with self._submitting:
            if self._closed or os.getpid() != self._owner:
                raise RemoteToolsClosed(tool.server)
            work = self._supervisors[tool.server].call(tool.name, arguments)
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        unsubscribe = cancellation.subscribe(future.cancel)
        try:
            return future.result()
        except CancelledError:
            if cancellation.requested:
                raise Interrupted(tool.server) from None
            raise RemoteToolsClosed(tool.server) from None
        finally:
            unsubscribe()
            # After an interrupt of this thread nobody waits any longer.
            future.cancel()

    def close(self) -> None:
        """End everything; a fork of this process owns nothing."""
        if os.getpid() != self._owner:
            return
        if threading.current_thread().name.startswith(THREADS):
            # Collected as garbage in a thread of its own, which cannot wait for itself.
            threading.Thread(target=self.close, name="mmtools-close").start()
            return
        with self._closing:
            if self._closed:
                return
            with self._submitting:
                self._closed = True
            if self._thread.is_alive():
                self._run(self._leave_all())
                self._loop.call_soon_threadsafe(self._loop.stop)
                self._thread.join()
            else:
                for child in filter(None, self._children.values()):
                    child.end()
            self._loop.close()

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _open_all(self) -> dict[str, Opened]:
        opened = await asyncio.gather(*(_opened(supervisor) for supervisor in self._supervisors.values()))
        return dict(zip(self._supervisors, opened, strict=True))

    async def _leave_all(self) -> None:
        """End all servers side by side, and the calls that still wait."""
        await asyncio.gather(*(supervisor.leave() for supervisor in self._supervisors.values()))
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        if others:
            await asyncio.wait(others, timeout=1.0)
        await self._loop.shutdown_asyncgens()
        await self._loop.shutdown_default_executor()


async def _opened(supervisor: Supervisor) -> Opened:
    server = supervisor.server
    until = time.monotonic() + server.start_timeout_s + _SPARE_S
    try:
        listed = await supervisor.open()
    except NotConnected as problem:
        return problem
    # Checking schemas takes time; meanwhile other servers are listened to.
    return await asyncio.to_thread(read_tools, server, listed, until=until)
