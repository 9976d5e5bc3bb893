"""A server at an address, as the SDK's session wants it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from attrs import frozen
from mcp.client.streamable_http import streamable_http_client

from mmtools.ports.remote_tools import McpServer

__all__ = ["Refusal", "over_http"]

#: A request of a session has it; such a request is answered with 404 when the session has ended.
_SESSION_HEADER = "mcp-session-id"
_SPARE_S = 5.0


@frozen
class Refusal:
    """
    The refusal to let a request through.

    Args:
        expired: The server does not know the session any more; it did nothing.
    """

    status: str
    expired: bool


@asynccontextmanager
async def over_http(server: McpServer, on_refusal: Callable[[Refusal], None]) -> AsyncIterator[tuple[Any, Any]]:
    """
    Speak streamable HTTP as long as the context lasts.

    Args:
        on_refusal: Gets the status of each request that was not let through: the session is not told.
    """
    assert server.url is not None

    async def note(response: httpx2.Response) -> None:
        if response.status_code >= 400 and response.request.method == "POST":
            known = response.status_code == 404 and _SESSION_HEADER in response.request.headers
            on_refusal(Refusal(f"HTTP status {response.status_code} {response.reason_phrase}".rstrip(), expired=known))

    # Our own limits come first; this one frees the session of a request that is neither a call nor answered.
    timeouts = httpx2.Timeout(max(server.timeout_s, server.start_timeout_s) + _SPARE_S)
    async with (
        httpx2.AsyncClient(headers=dict(server.headers), timeout=timeouts, event_hooks={"response": [note]}) as client,
        streamable_http_client(server.url, http_client=client) as streams,
    ):
        yield streams
