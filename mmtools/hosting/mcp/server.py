"""The server itself, without a transport."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from mcp.server import Server
from mcp.server.lowlevel.server import NotificationOptions
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp_types import (
    CallToolRequestParams,
    DiscoverResult,
    ListToolsResult,
    NotificationParams,
    PaginatedRequestParams,
    RequestParams,
)
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from mmtools.hosting.mcp.exchange import Context
from mmtools.hosting.mcp.session import Answer, OpenRunner, Session
from mmtools.hosting.mcp.sessions import Sessions

if TYPE_CHECKING:
    from mcp.server.models import InitializationOptions

__all__ = ["ToolServer"]

#: A day: how long a person may think, where the call does not wait for the answer.
_QUESTION_S = 86_400.0


class ToolServer(Server[Sessions]):
    """
    A server of the official SDK that gives every client a Runner of its own; for any of the SDK's transports.

    Args:
        open_runner: Makes a client's Runner. The first is made now, so that what cannot be fails here.
        name: What the server calls itself.
        version: Of the server.
        instructions: What a client may tell its model about the tools.
    """

    def __init__(
        self, open_runner: OpenRunner, *, name: str = "mmtools", version: str = "", instructions: str | None = None
    ) -> None:
        self._bus = InMemorySubscriptionBus()
        super().__init__(
            name,
            version=version,
            instructions=instructions,
            lifespan=self._serving,
            on_list_tools=_list_tools,
            on_call_tool=_call_tool,
            on_subscriptions_listen=ListenHandler(self._bus),
        )
        self.add_request_handler("server/discover", RequestParams, self._discover)
        self.add_notification_handler("notifications/initialized", NotificationParams, _initialized)
        sealing = RequestStateSecurity.ephemeral(ttl=_QUESTION_S)
        self.middleware.append(RequestStateBoundary(sealing, default_audience=name))
        self._open_runner = open_runner
        self._ready: list[Session] = [Session.open(open_runner)]
        self._connected: list[Sessions] = []

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        """Say what the server can do; that its list of tools may change is part of it."""
        options = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(options, experimental_capabilities, extensions)

    async def renew(self) -> None:
        """
        Make every client's Runner anew, and tell clients that the list of tools changed: there is a new skill, say.

        Calls that run go on to their end with the Runner that they began with. What a session remembered is gone.
        """
        for session in self._take_ready():
            await session.close()
        for sessions in self._connected:
            await sessions.renew()
        await self._bus.publish(ToolsListChanged())

    def abandon(self) -> None:
        """Stop everything, from where nothing can be awaited."""
        for session in self._take_ready():
            session.runner.close()
        for sessions in self._connected:
            sessions.abandon()

    @asynccontextmanager
    async def _serving(self, _: Server[Sessions]) -> AsyncIterator[Sessions]:
        sessions = Sessions(self._open_session)
        self._connected.append(sessions)
        try:
            yield sessions
        finally:
            self._connected.remove(sessions)
            for session in self._take_ready():
                await session.close()
            await sessions.close()

    def _open_session(self) -> Session:
        return self._ready.pop() if self._ready else Session.open(self._open_runner)

    def _take_ready(self) -> list[Session]:
        ready, self._ready = self._ready, []
        return ready

    async def _discover(self, context: Context, params: RequestParams) -> DiscoverResult:
        # MCP 2026-07-28 has no sessions over HTTP, and a session is what holds a client's ledger and grants.
        versions = MODERN_PROTOCOL_VERSIONS if context.request is None else HANDSHAKE_PROTOCOL_VERSIONS
        capabilities = self.get_capabilities(protocol_version=context.protocol_version)
        return DiscoverResult(
            supported_versions=list(versions), capabilities=capabilities, instructions=self.instructions
        )


async def _list_tools(context: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
    session = await context.lifespan_context.of(context)
    return ListToolsResult(tools=session.tools())


async def _call_tool(context: Context, params: CallToolRequestParams) -> Answer:
    session: Session = await context.lifespan_context.of(context)
    return await session.call(context, params)


async def _initialized(context: Context, params: NotificationParams) -> None:
    await context.lifespan_context.stay(context)
