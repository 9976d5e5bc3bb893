"""
The tools of Runners as an MCP server, over standard input and output, or over HTTP to this machine alone.

    server = ToolServer(lambda asking, display: local.mm("path/to/repo", permission=asking, display=display))
    serve_stdio(server)

Each client has a Runner of its own. `asking` puts permission questions to the person at the client, where the client can
show them, and else refuses; `display` sends on what commands say while they run.
"""

from __future__ import annotations

import asyncio
import ipaddress
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

from mmtools.errors import DefinitionError

try:
    from mmtools.hosting.mcp.server import ToolServer
    from mmtools.hosting.mcp.session import OpenRunner
except ModuleNotFoundError as missing:
    if str(missing.name).partition(".")[0] not in ("mcp", "mcp_types"):
        raise
    raise ModuleNotFoundError(
        "serving over MCP needs the package mcp, 2.3 or newer: pip install 'mcp>=2.3'", name=missing.name
    ) from missing

__all__ = ["OpenRunner", "ToolServer", "serve_http", "serve_stdio"]

_LEAVE = (signal.SIGINT, signal.SIGTERM)

_LAST_PORT = 65_535

#: 1 s for answers that are on their way when a server is told to stop.
_GRACE_S = 1


def serve_stdio(server: ToolServer) -> None:
    """
    Serve the client at standard input and output until it leaves.

    Meanwhile standard output is the wire: what else is written there goes to standard error.
    """
    asyncio.run(_serve_stdio(server))


def serve_http(
    server: ToolServer,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    announce: Callable[[str], None] = lambda url: print(f"mmtools: {url}", file=sys.stderr, flush=True),
) -> None:
    """
    Serve clients on this machine over streamable HTTP until a signal ends it.

    A request is refused when its Host or Origin is not this server's own address: no web page can reach the tools. Every
    program of every user of this machine can.

    Args:
        host: An address of this machine's loopback, or "localhost".
        port: 0 takes a free one.
        announce: Told the URL as soon as clients may connect.

    Raises:
        DefinitionError: The address is not of the loopback, or cannot be listened at.
    """
    try:
        with _listen(host, port) as listening:
            _run_http(server, listening, announce)
    finally:
        server.abandon()


async def _serve_stdio(server: ToolServer) -> None:
    from mcp.server.stdio import stdio_server

    loop = asyncio.get_running_loop()
    for number in _LEAVE if threading.current_thread() is threading.main_thread() else ():
        loop.add_signal_handler(number, _leave, server, number)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def _leave(server: ToolServer, number: int) -> None:
    """End the process although a thread still reads standard input, which nothing can interrupt."""

    def end() -> None:
        try:
            server.abandon()
        finally:
            os._exit(128 + number)

    threading.Thread(target=end, name="mmtools-leave", daemon=True).start()


def _listen(host: str, port: int) -> socket.socket:
    address = "127.0.0.1" if host == "localhost" else host
    try:
        loopback = ipaddress.ip_address(address).is_loopback
    except ValueError:
        loopback = False
    if not loopback:
        raise DefinitionError(
            f"tools are served to this machine alone: at 127.0.0.1, ::1 or localhost, not at {host!r}"
        )
    if not 0 <= port <= _LAST_PORT:
        raise DefinitionError(f"there is no port {port}: ports are 1 to {_LAST_PORT}, and 0 takes a free one")
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        return socket.create_server((address, port), family=family)
    except OSError as error:
        raise DefinitionError(f"cannot listen at {host}, port {port}: {error}") from None


def _run_http(server: ToolServer, listening: socket.socket, announce: Callable[[str], None]) -> None:
    import uvicorn
    from mcp.server.transport_security import TransportSecuritySettings

    address, port = listening.getsockname()[:2]
    here = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
    names = [here, f"localhost:{port}"]
    security = TransportSecuritySettings(allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names])
    application = server.streamable_http_app(transport_security=security)
    options = uvicorn.Config(application, log_level="warning", lifespan="on", timeout_graceful_shutdown=_GRACE_S)
    announce(f"http://{here}/mcp")
    with suppress(KeyboardInterrupt):
        uvicorn.Server(options).run(sockets=[listening])
