"""Who is connected: every client has its own session, from its first request until it leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import anyio
from mcp.server.session import ServerSession
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_REQUEST
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from mmtools.hosting.mcp.exchange import Context
from mmtools.hosting.mcp.session import Session

__all__ = ["Sessions"]

_HEADER = "mcp-session-id"


class Sessions:
    """
    The sessions of requests; one is opened when its request is the first.

    Args:
        open_session: Blocks; called in a thread.
    """

    def __init__(self, open_session: Callable[[], Session]) -> None:
        self._open_session = open_session
        self._sessions: dict[str, Session] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._listeners: dict[str, ServerSession] = {}

    async def of(self, context: Context) -> Session:
        """
        Return the session that a request belongs to.

        Raises:
            MCPError: It came over HTTP without one.
        """
        key = _key(context)
        async with self._changing(key):
            if key not in self._sessions:
                # What a thread has begun to open is kept, whoever stopped waiting for it: somebody has to close it.
                with anyio.CancelScope(shield=True):
                    self._sessions[key] = await asyncio.to_thread(self._open_session)
            return self._sessions[key]

    async def stay(self, context: Context) -> None:
        """Stay until the client has left, then close its session."""
        key = _key(context)
        if key in self._listeners:
            return
        self._listeners[key] = context.session
        try:
            await anyio.sleep_forever()
        finally:
            with anyio.CancelScope(shield=True):
                async with self._changing(key):
                    session = self._sessions.pop(key, None)
                if session is not None:
                    await session.close()
            del self._listeners[key], self._locks[key]

    async def renew(self) -> None:
        """Let every client begin again with a new Runner, and tell it to look at the tools again."""
        sessions, self._sessions = self._sessions, {}
        for session in sessions.values():
            await session.retire()
        for listener in list(self._listeners.values()):
            await listener.send_tool_list_changed()

    async def close(self) -> None:
        """Close every session."""
        sessions, self._sessions = self._sessions, {}
        for session in sessions.values():
            await session.close()

    def abandon(self) -> None:
        """Close every session from where nothing can be awaited."""
        for session in list(self._sessions.values()):
            session.runner.close()

    def _changing(self, key: str) -> asyncio.Lock:
        return self._locks.setdefault(key, asyncio.Lock())


def _key(context: Context) -> str:
    """Name a client: over a pipe there is one; over HTTP a session's id tells them apart."""
    if context.request is None:
        return ""
    session_id: str | None = context.request.headers.get(_HEADER)
    if session_id is None or context.protocol_version in MODERN_PROTOCOL_VERSIONS:
        raise MCPError(
            INVALID_REQUEST, "this server keeps clients apart by their sessions: begin with the initialize handshake"
        )
    return session_id
