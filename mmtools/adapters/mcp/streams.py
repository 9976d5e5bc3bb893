"""A child's pipes as the SDK's session wants them: a stream of messages in, a stream of messages out."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from types import TracebackType
from typing import Any, Self

import anyio
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCError, JSONRPCMessage, jsonrpc_message_adapter
from mcp_types import INTERNAL_ERROR, ErrorData
from pydantic import ValidationError

from mmtools.adapters.mcp.child import Child, line
from mmtools.adapters.process.piped_server import Message

__all__ = ["Outgoing", "over_pipes", "understood"]


class Outgoing:
    """A way out for a session's messages; never waits."""

    def __init__(self, child: Child) -> None:
        self._child = child

    async def send(self, item: SessionMessage, /) -> None:
        self._child.send(line(item.message.model_dump(by_alias=True, mode="json", exclude_unset=True)))

    async def aclose(self) -> None:
        pass

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass


@asynccontextmanager
async def over_pipes(child: Child, on_end: Callable[[], None]) -> AsyncIterator[tuple[Any, Outgoing]]:
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
        yield sink, Outgoing(child)


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
