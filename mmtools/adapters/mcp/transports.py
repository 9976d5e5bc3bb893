"""A child's pipes, and an address, as the SDK's session wants them: a stream of messages in, and one out."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any

import anyio
import httpx2
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCError, JSONRPCMessage, jsonrpc_message_adapter
from mcp_types import INTERNAL_ERROR, ErrorData
from pydantic import ValidationError

from mmtools.adapters.mcp.child import Child, line
from mmtools.adapters.process.piped_server import Message
from mmtools.ports.remote_tools import McpServer

__all__ = ["over_http", "over_pipes", "understood"]

_SPARE_S = 5.0

#: 64 MiB: more than a page of tools or an answer's pictures take, and little enough to hold while it comes.
_MAX_BODY_BYTES = 1 << 26


@asynccontextmanager
async def over_http(server: McpServer, on_refusal: Callable[[httpx2.Response], None]) -> AsyncIterator[tuple[Any, Any]]:
    """
    Speak streamable HTTP as long as the context lasts.

    Args:
        on_refusal: Gets the answer to each request that was not let through: the session is not told its status.
    """
    assert server.url is not None

    async def note(response: httpx2.Response) -> None:
        if response.status_code >= 400 and response.request.method == "POST":
            on_refusal(response)
        if isinstance(response.stream, httpx2.AsyncByteStream) and not _is_events(response):
            response.stream = _Bounded(response.stream)

    # Our own limits come first; this one frees the session of a request that is neither a call nor answered.
    timeouts = httpx2.Timeout(max(server.timeout_s, server.start_timeout_s) + _SPARE_S)
    async with (
        httpx2.AsyncClient(headers=dict(server.headers), timeout=timeouts, event_hooks={"response": [note]}) as client,
        streamable_http_client(server.url, http_client=client) as streams,
    ):
        yield streams


def _is_events(response: httpx2.Response) -> bool:
    """Whether it may go on for as long as the connection lasts; each event has a limit of the SDK's own."""
    return response.headers.get("content-type", "").lower().startswith("text/event-stream")


class _Bounded(httpx2.AsyncByteStream):
    """The body of an answer that is given up when it does not end."""

    def __init__(self, body: httpx2.AsyncByteStream) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for piece in self._body:
            read += len(piece)
            if read > _MAX_BODY_BYTES:
                raise httpx2.ReadError(f"its answer is longer than {_MAX_BODY_BYTES:,} bytes")
            yield piece

    async def aclose(self) -> None:
        await self._body.aclose()


class _Outgoing(AbstractAsyncContextManager["_Outgoing", None]):
    """A way out for a session's messages; never waits."""

    def __init__(self, child: Child) -> None:
        self._child = child

    async def send(self, item: SessionMessage, /) -> None:
        self._child.send(line(item.message.model_dump(by_alias=True, mode="json", exclude_unset=True)))

    async def aclose(self) -> None:
        pass

    async def __aexit__(self, *_: object) -> None:
        pass


@asynccontextmanager
async def over_pipes(child: Child, on_end: Callable[[], None]) -> AsyncIterator[tuple[Any, _Outgoing]]:
    """
    Read from a child as long as the context lasts; its end ends the session's input.

    Args:
        on_end: Called when the child has ended.
    """
    loop = asyncio.get_running_loop()
    source, sink = anyio.create_memory_object_stream[SessionMessage | Exception](math.inf)

    def hand_over(message: Message) -> None:
        known = understood(message)
        if known is not None:
            loop.call_soon_threadsafe(take, SessionMessage(known))

    def take(message: SessionMessage) -> None:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            source.send_nowait(message)

    def finish() -> None:
        source.close()
        on_end()

    with source, sink:
        child.listen(hand_over)
        child.ended.add_done_callback(lambda _: loop.call_soon_threadsafe(finish))
        yield sink, _Outgoing(child)


def understood(message: Message) -> JSONRPCMessage | None:
    """
    Read a message with forbearance.

    Returns:
        None when nobody waits for it. An answer that cannot be read is an error: somebody does.
    """
    mended = _mended(message)
    try:
        return jsonrpc_message_adapter.validate_python(mended, by_name=False)
    except ValidationError:
        number = mended.get("id")
        if "method" in mended or isinstance(number, bool) or not isinstance(number, int | str):
            return None
        complaint = ErrorData(code=INTERNAL_ERROR, message="the server's answer is not as the protocol says")
        return JSONRPCError(jsonrpc="2.0", id=number, error=complaint)


def _mended(message: Message) -> Message:
    mended: Message = {**message, "jsonrpc": "2.0"}
    number = mended.get("id")
    if isinstance(number, float) and number.is_integer():
        mended["id"] = int(number)
    if "method" not in mended:
        error = mended.get("error")
        if error is None:
            mended.pop("error", None)
        else:
            mended.pop("result", None)
            mended["error"] = _mended_error(error)
    elif mended.get("params", mended) is None:
        del mended["params"]
    return mended


def _mended_error(error: object) -> dict[str, object]:
    members = error if isinstance(error, dict) else {"message": str(error)}
    code, words = members.get("code"), members.get("message")
    return {
        **members,
        "code": code if isinstance(code, int) and not isinstance(code, bool) else INTERNAL_ERROR,
        "message": words if isinstance(words, str) and words else "the server reports an error without a word",
    }
