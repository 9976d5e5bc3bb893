"""The start of a server's process. Without the SDK: a process may start while that is loaded."""

from __future__ import annotations

from collections.abc import Mapping

from mmtools.adapters.mcp.child import Child
from mmtools.ports.remote_tool_problems import NotConnected
from mmtools.ports.remote_tools import McpServer

__all__ = ["start_child"]


def start_child(server: McpServer, environment: Mapping[str, str], directory: str) -> Child | None:
    """
    Start a server's process, if it has one.

    Raises:
        NotConnected: With the system's words.
    """
    if server.url is not None:
        return None
    try:
        return Child(server, environment=environment, directory=directory)
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else None
        where = f": {problem.filename}" if isinstance(problem, OSError) and problem.filename else ""
        raise NotConnected(server.name, f"cannot be started: {reason or problem}{where}") from problem
