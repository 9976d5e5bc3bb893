"""One life of a connection to a server: greeted, asked for its tools, called, seen off."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any

import httpx2
from mcp import ClientSession
from mcp.shared.exceptions import MCPError
from mcp.types import Implementation, ToolListChangedNotification
from mcp_types import CONNECTION_CLOSED, PARSE_ERROR
from pydantic import ValidationError

from mmtools.adapters.mcp.answers import read_answer
from mmtools.adapters.mcp.child import Child, end_child
from mmtools.adapters.mcp.sessions import FaithfulDispatcher, call_tool, greet, list_tools, roots_callback
from mmtools.adapters.mcp.timeouts import Timeouts
from mmtools.adapters.mcp.transports import over_http, over_pipes
from mmtools.ports.remote_tool_problems import CallRefused, ConnectionLost, NoAnswer, NotConnected, RemoteToolProblem
from mmtools.ports.remote_tools import McpServer, RemoteAnswer

__all__ = ["Connection", "SessionExpired"]

#: A request of a session has it; it is answered with 404, and nothing is done, when the server does not know the session.
_SESSION_HEADER = "mcp-session-id"
#: How often a list is asked for whose tools change meanwhile.
_MAX_LISTINGS = 5
#: Of the time for a start: after it no further page of a list is asked for, so that what is listed can be offered.
_LISTING_SHARE = 0.6
#: After the end of a connection its reason is near.
_REASON_S = 1.0
#: Of a reason, for it may hold a whole page.
_REASON_CHARS = 300


class SessionExpired(ConnectionLost):
    """A call that was not carried out, for the connection had ended before: it can be sent over another one."""


class Connection:
    """
    A connection to one server, made once. All of it runs in the loop's thread.

    Args:
        child: The server's process, already started; None for an address.
    """

    def __init__(self, server: McpServer, child: Child | None, timeouts: Timeouts) -> None:
        self._server = server
        self._timeouts = timeouts
        self._child = child
        self._leaving = asyncio.Event()
        self._live: asyncio.Task[None] | None = None
        self._session: ClientSession | None = None
        self._problem = ""
        self._status = ""
        self._expired = False
        self._unreachable = False
        self._under_way = 0
        self._tools_changed = False
        self._until = math.inf
        #: The tools as the server listed them.
        self.listed: list[object] = []

    @property
    def is_open(self) -> bool:
        """Whether a call may be sent."""
        return self._session is not None and not self._leaving.is_set()

    async def open(self) -> None:
        """
        Connect and list the tools.

        Raises:
            NotConnected: It failed, or took too long; nothing is left of it.
        """
        self._until = time.monotonic() + _LISTING_SHARE * self._server.start_timeout_s
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._live = asyncio.create_task(self._be_connected(ready))
        await asyncio.wait({self._live, ready}, timeout=self._server.start_timeout_s, return_when="FIRST_COMPLETED")
        if ready.done():
            return
        reason = await self._ending() if self._live.done() else self._late()
        self._leaving.set()
        raise NotConnected(self._server.name, reason, last_words=self._last_words)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> RemoteAnswer:
        """
        Call a tool and wait for its answer; the server is told when nobody waits any longer.

        Raises:
            ConnectionLost, NoAnswer, CallRefused: As the port says.
            SessionExpired: The call was not carried out.
        """
        assert self._session is not None
        self._under_way += 1
        try:
            async with asyncio.timeout(self._server.timeout_s):
                return read_answer(await call_tool(self._session, tool, arguments))
        except TimeoutError:
            raise NoAnswer(self._server.name, self._server.timeout_s) from None
        except MCPError as problem:
            raise await self._understood(problem) from None
        finally:
            self._under_way -= 1

    async def _understood(self, problem: MCPError) -> RemoteToolProblem:
        name, error = self._server.name, problem.error
        if self._expired:
            self._leaving.set()
            return SessionExpired(name, "its session has expired")
        if self._leaving.is_set():
            reason = await self._ending()
            # Of several calls that end together, who knows which of them could not be sent.
            kind = SessionExpired if self._unreachable and self._under_way == 1 else ConnectionLost
            return kind(name, reason, last_words=self._last_words)
        if self._child is None and error.code == CONNECTION_CLOSED and error.message.startswith("SSE stream"):
            return ConnectionLost(name, error.message)
        return CallRefused(name, self._said(problem))

    async def leave(self) -> None:
        """End the connection and the child."""
        self._leaving.set()
        # What did not get ready need not be asked to end.
        grace_s = self._timeouts.leave_s if self._session is not None else 0.0
        if self._live is not None:
            await asyncio.wait({self._live}, timeout=grace_s)
            self._live.cancel()
            await asyncio.wait({self._live})
        if self._child is not None:
            await end_child(self._child, leave_s=grace_s, term_s=self._timeouts.term_s)

    async def _be_connected(self, ready: asyncio.Future[None]) -> None:
        try:
            async with self._streams() as (source, sink):
                dispatcher = FaithfulDispatcher(source, sink)
                async with self._session_over(dispatcher) as session:
                    await greet(session)
                    self.listed = await self._list(session, dispatcher)
                    self._session = session
                    ready.set_result(None)
                    try:
                        await self._leaving.wait()
                    finally:
                        # Known before the session tells the calls that wait.
                        self._leaving.set()
        except Exception as problem:  # noqa: BLE001 - whatever ends a connection is what its calls are told
            self._unreachable = isinstance(_first(problem), httpx2.ConnectError)
            self._problem = self._said(problem)
        finally:
            self._leaving.set()

    def _streams(self) -> AbstractAsyncContextManager[tuple[Any, Any]]:
        if self._child is None:
            return over_http(self._server, self._note_refusal)
        return over_pipes(self._child, self._leaving.set)

    def _note_refusal(self, response: httpx2.Response) -> None:
        self._status = f"HTTP status {response.status_code} {response.reason_phrase}".rstrip()
        if response.status_code == 404 and _SESSION_HEADER in response.request.headers:
            self._expired = True

    def _session_over(self, dispatcher: FaithfulDispatcher) -> ClientSession:
        return ClientSession(
            dispatcher=dispatcher,
            client_info=Implementation(name="mmtools", version="1"),
            list_roots_callback=roots_callback(self._server.roots),
            message_handler=self._note,
        )

    async def _note(self, message: object) -> None:
        if isinstance(message, ToolListChangedNotification):
            self._tools_changed = True

    async def _list(self, session: ClientSession, dispatcher: FaithfulDispatcher) -> list[object]:
        """List all tools, and once more when the server says meanwhile that they have changed."""
        listed: list[object] = []
        for _ in range(_MAX_LISTINGS):
            self._tools_changed = False
            listed = await list_tools(session, dispatcher, until=self._until)
            capabilities = session.server_capabilities
            if capabilities and capabilities.tools and capabilities.tools.list_changed:
                await asyncio.sleep(self._timeouts.settle_s)
            if not self._tools_changed:
                break
        return listed

    async def _ending(self) -> str:
        """Say why the connection ended, once that is known."""
        if self._live is not None:
            await asyncio.wait({self._live}, timeout=_REASON_S)
        return (self._child.ending if self._child else "") or self._problem or "the connection was closed"

    def _late(self) -> str:
        noise = self._child.reader.noise if self._child else ""
        printed = f"; it printed {noise!r}" if noise else ""
        return f"not ready within {self._server.start_timeout_s:g} s{printed}"

    @property
    def _last_words(self) -> str:
        return self._child.last_words if self._child else ""

    def _said(self, problem: BaseException) -> str:
        """Put an exception of the SDK into one line."""
        problem = _first(problem)
        if isinstance(problem, ValidationError) or (
            isinstance(problem, MCPError) and problem.error.code == PARSE_ERROR
        ):
            return "its answer is not as the protocol says"
        words = problem.error.message if isinstance(problem, MCPError) else f"{problem}"
        if words in ("Server returned an error response", "Not Found") and self._status:
            words = self._status
        return (" ".join(words.split()) or type(problem).__name__)[:_REASON_CHARS]


def _first(problem: BaseException) -> BaseException:
    """Return what a group of exceptions began with."""
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    return problem
