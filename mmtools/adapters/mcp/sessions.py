"""A session of the SDK: how it is greeted, and how what it receives comes out of it as it was sent."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from mcp import ClientSession
from mcp.client.session import ClientRequestContext, ListRootsFnT
from mcp.shared.exceptions import MCPError
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.types import (
    CallToolRequest,
    CallToolRequestParams,
    EmptyResult,
    Implementation,
    ListRootsResult,
    PaginatedRequestParams,
    Root,
    ServerCapabilities,
    Tool,
)
from mcp_types.version import LATEST_HANDSHAKE_VERSION
from pydantic import BaseModel, FileUrl, ValidationError

from mmtools.adapters.mcp.listing import Cut

__all__ = ["FaithfulDispatcher", "call_tool", "greet", "list_tools", "roots_callback"]

#: A list with more pages, or with more tools, than this has no end.
_MAX_PAGES, _MAX_TOOLS = 500, 5_000


class _Answered(Exception):
    """A result on its way past the session, which would refuse a whole answer for one part that it does not know."""

    def __init__(self, result: Mapping[str, Any]) -> None:
        super().__init__()
        self.result = result


class FaithfulDispatcher(JSONRPCDispatcher):
    """A dispatcher that keeps what servers list and answer as they sent it."""

    page: Mapping[str, Any] = {}

    async def send_raw_request(self, method: str, params: Any, opts: Any = None, **hidden: Any) -> dict[str, Any]:
        result = await super().send_raw_request(method, params, opts, **hidden)
        if method == "initialize":
            return _mended_greeting(result)
        if method == "tools/call":
            raise _Answered(result)
        if method == "tools/list":
            self.page = result
            return {**result, "tools": [each for each in _entries(result) if _fits(Tool, each)]}
        return result


def roots_callback(roots: Sequence[str]) -> ListRootsFnT | None:
    """Return what tells a server its roots; None, and no word to the server about roots, when there are none."""
    if not roots:
        return None
    known = [Root(uri=FileUrl(Path(each).as_uri()), name=Path(each).name) for each in roots]

    async def tell(context: ClientRequestContext) -> ListRootsResult:
        return ListRootsResult(roots=known)

    return tell


async def greet(session: ClientSession) -> None:
    """Agree on a revision of the protocol: by the handshake that every server knows but the newest ones."""
    try:
        await session.initialize()
    except MCPError as refusal:
        try:
            await session.discover()
        except (MCPError, RuntimeError, ValidationError):
            raise refusal from None


async def list_tools(session: ClientSession, dispatcher: FaithfulDispatcher, *, until: float) -> list[object]:
    """
    Return all tools of all pages, as the server sent them; a `Cut` at the end of a list that goes on too long.

    Args:
        until: When to ask for no further page, in seconds of the monotonic clock.
    """
    pages: list[list[object]] = []
    seen: set[str] = set()
    cursor: str | None = None
    cut: list[object] = []
    for number in itertools.count():
        if number == _MAX_PAGES or sum(map(len, pages)) > _MAX_TOOLS or (number and time.monotonic() > until):
            cut = [Cut(f"its list of tools had no end after {number} pages; the rest was not read")]
            break
        # What one tool lacks is told tool by tool; the session would refuse the page.
        with suppress(ValidationError):
            await session.list_tools(params=PaginatedRequestParams(cursor=cursor) if cursor is not None else None)
        page = _entries(dispatcher.page)
        if page and page in pages:
            # The list goes round in circles.
            break
        pages.append(page)
        following = dispatcher.page.get("nextCursor")
        if not isinstance(following, str) or not following or following in seen:
            break
        seen.add(following)
        cursor = following
    listed = [entry for page in pages for entry in page]
    if len(listed) > _MAX_TOOLS:
        cut = [Cut(f"its list holds {len(listed)} tools; at most {_MAX_TOOLS} are read")]
    return listed[:_MAX_TOOLS] + cut


async def call_tool(session: ClientSession, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """
    Return the result of a call, as the server sent it.

    Raises:
        MCPError: There is none.
    """
    request = CallToolRequest(params=CallToolRequestParams(name=name, arguments=dict(arguments)))
    try:
        await session.send_request(request, EmptyResult)
    except _Answered as answered:
        return answered.result
    raise AssertionError("a call's result never comes back through the session")


def _mended_greeting(result: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in what a server does not say of itself, and what nobody needs."""
    mended = dict(result)
    if not isinstance(mended.get("protocolVersion"), str):
        mended["protocolVersion"] = LATEST_HANDSHAKE_VERSION
    if not _fits(ServerCapabilities, mended.get("capabilities")):
        mended["capabilities"] = {}
    if not _fits(Implementation, mended.get("serverInfo")):
        mended["serverInfo"] = {"name": "", "version": ""}
    return {key: mended[key] for key in ("protocolVersion", "capabilities", "serverInfo")}


def _entries(result: Mapping[str, Any]) -> list[object]:
    tools = result.get("tools")
    return tools if isinstance(tools, list) else []


def _fits(kind: type[BaseModel], value: object) -> bool:
    try:
        kind.model_validate(value, by_name=False)
    except ValidationError:
        return False
    return True
