"""The tools of connected MCP servers, ready to join any toolset."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from mmtools.core import remote_names
from mmtools.ports.remote_tools import RemoteTools
from mmtools.tool import AnyTool
from mmtools.tools.remote.remote_tool import NamespacedTool

__all__ = ["Offered", "build"]


@frozen(kw_only=True)
class Offered:
    """
    The tools to add to a toolset, and what a host may want to tell a person.

    Args:
        routes: Server and tool, as they are called, by the name under which they are offered.
        notes: One line each: servers and tools that are left out, and tools offered under a name that had to be changed
            to be unlike another's.
    """

    tools: tuple[AnyTool, ...]
    routes: Mapping[str, tuple[str, str]]
    notes: tuple[str, ...]


def build(remote: RemoteTools, *, max_output: int = 30_000) -> Offered:
    """
    Name the tools and wrap them; none can be named like a built-in one, for their names hold `__`.

    Args:
        max_output: Characters of one answer (30,000: decision D8).
    """
    names = remote_names.name_all((tool.server, tool.name) for tool in remote.tools)
    tools = tuple(
        NamespacedTool(remote=remote, tool=tool, name=names[tool.server, tool.name], max_output=max_output)
        for tool in remote.tools
    )
    renamed = [
        f"mcp server {server!r}, tool {tool!r} is offered as {name}, to be unlike another tool"
        for (server, tool), name in names.items()
        if name != remote_names.plain(server, tool)
    ]
    return Offered(
        tools=tools,
        routes={name: pair for pair, name in names.items()},
        notes=(*map(str, remote.left_out), *renamed),
    )
