"""`RemoteTools` over the Model Context Protocol, by its official SDK: child processes and addresses."""

from __future__ import annotations

import importlib.util
import logging
import os
import weakref
from collections.abc import Mapping, Sequence
from typing import Any, Self

from mmtools.adapters.mcp.engine import Engine
from mmtools.adapters.mcp.timeouts import Timeouts
from mmtools.call import Cancellation
from mmtools.errors import DefinitionError
from mmtools.ports.remote_tool_problems import NotConnected
from mmtools.ports.remote_tools import LeftOut, McpServer, RemoteAnswer, RemoteTool

__all__ = ["McpClient"]


class McpClient:
    """
    A client of servers, connected side by side; one that fails is left out and costs the others nothing.

    Returns when each has listed its tools or failed to.

    Args:
        servers: Their names unique.
        directory: Where children run unless a server says something else.
        environment: The children's whole environment but for what a server adds.

    Raises:
        DefinitionError: Two servers have the same name, or the SDK is not installed.
    """

    def __init__(
        self,
        servers: Sequence[McpServer],
        *,
        directory: str | os.PathLike[str],
        environment: Mapping[str, str],
        timeouts: Timeouts = Timeouts(),  # noqa: B008 - frozen
    ) -> None:
        _require_distinct(servers)
        if importlib.util.find_spec("mcp") is None:
            raise DefinitionError("MCP servers need the package mcp: pip install mcp")
        _keep_quiet()
        self._left_out: list[LeftOut] = []
        tools: list[RemoteTool] = []
        self._engine = Engine(timeouts)
        self._finalizer = weakref.finalize(self, self._engine.close)
        try:
            opened = self._engine.open(servers, os.path.abspath(directory), environment)
            for server in servers:
                found = opened[server.name]
                if isinstance(found, NotConnected):
                    self._left_out.append(LeftOut(server.name, _said(found)))
                    continue
                offered, left_out = found
                tools += offered
                self._left_out += left_out
                if not offered:
                    self._left_out.append(LeftOut(server.name, "it offers no tool"))
        except BaseException:
            self.close()
            raise
        self._tools = tuple(tools)

    @property
    def tools(self) -> tuple[RemoteTool, ...]:
        return self._tools

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        return tuple(self._left_out)

    def call(self, tool: RemoteTool, arguments: Mapping[str, Any], *, cancellation: Cancellation) -> RemoteAnswer:
        return self._engine.call(tool, arguments, cancellation)

    def close(self) -> None:
        self._finalizer()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _keep_quiet() -> None:
    """Keep the SDK's log off a terminal: without any handler Python prints warnings there. A host's handlers get them."""
    for name in ("client", "mcp"):
        logger = logging.getLogger(name)
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())


def _require_distinct(servers: Sequence[McpServer]) -> None:
    names = [server.name for server in servers]
    for name in names:
        if names.count(name) > 1:
            raise DefinitionError(f"two MCP servers are named {name!r}; give each a name of its own")


def _said(problem: NotConnected) -> str:
    return f"{problem.reason}: {problem.last_words}" if problem.last_words else problem.reason
