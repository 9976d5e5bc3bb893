"""One server kept at hand: connected at the start, and again when it has ended, but not over and over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from mmtools.adapters.mcp.child import Child, end_child
from mmtools.adapters.mcp.connection import Connection, SessionExpired
from mmtools.adapters.mcp.timeouts import Timeouts
from mmtools.adapters.process.restart_budget import RestartBudget
from mmtools.ports.remote_tool_problems import (
    ConnectionLost,
    DiesTooOften,
    NotConnected,
    RemoteToolProblem,
    RemoteToolsClosed,
)
from mmtools.ports.remote_tools import McpServer, RemoteAnswer

__all__ = ["Supervisor"]

#: Starts the server's process; None for an address. Raises NotConnected.
StartChild = Callable[[], Child | None]


class Supervisor:
    """
    The keeper of one server, who keeps it connected. All of it runs in the loop's thread.

    Args:
        start: Starts the process, at every start but the first.
        child: The process of the first start.
    """

    def __init__(self, server: McpServer, start: StartChild, child: Child | None, timeouts: Timeouts) -> None:
        self.server = server
        self._timeouts = timeouts
        self._start = start
        self._child = child
        self._connection: Connection | None = None
        self._starting: asyncio.Task[Connection] | None = None
        self._budget = RestartBudget(timeouts.starts, timeouts.starts_within_s)
        self._last_problem = RemoteToolProblem(server.name)
        self._closed = False

    async def open(self) -> list[object]:
        """
        Connect for the first time.

        Returns:
            The tools as the server listed them.

        Raises:
            NotConnected: It failed.
        """
        return (await self._connected()).listed

    async def call(self, tool: str, arguments: Mapping[str, object]) -> RemoteAnswer:
        """
        Call a tool, over a new connection when the last one has ended.

        Raises:
            RemoteToolProblem: As the port says.
        """
        try:
            connection = await self._connected()
            try:
                return await connection.call(tool, arguments)
            except SessionExpired:
                return await (await self._connected()).call(tool, arguments)
        except ConnectionLost as problem:
            self._last_problem = problem
            if self._closed:
                raise RemoteToolsClosed(self.server.name) from None
            raise

    async def leave(self) -> None:
        """Connect no more, and end the connection and the server's process."""
        self._closed = True
        if self._starting is not None and not self._starting.done():
            self._starting.cancel()
            await asyncio.wait({self._starting})
        if self._connection is not None:
            await self._connection.leave()
        if self._child is not None:
            await end_child(self._child, leave_s=0.0, term_s=self._timeouts.term_s)

    async def _connected(self) -> Connection:
        if self._closed:
            raise RemoteToolsClosed(self.server.name)
        if self._connection is not None and self._connection.is_open:
            return self._connection
        if self._starting is None:
            # A task of its own: a call that is cancelled does not take the start from those that wait with it.
            self._starting = asyncio.create_task(self._connect())
            self._starting.add_done_callback(self._note_started)
        return await asyncio.shield(self._starting)

    def _note_started(self, task: asyncio.Task[Connection]) -> None:
        self._starting = None
        if not task.cancelled():
            # Looked at, for nobody may be waiting for it any more.
            task.exception()

    async def _connect(self) -> Connection:
        before = self._connection
        if before is not None:
            await before.leave()
        if self.server.url is None and not self._budget.spend():
            last = self._last_problem
            raise DiesTooOften(self.server.name, last.reason, last_words=last.last_words)
        child, self._child = (self._child or self._start()), None
        connection = self._connection = Connection(self.server, child, self._timeouts)
        try:
            await connection.open()
        except NotConnected as problem:
            self._last_problem = problem
            await connection.leave()
            raise
        return connection
