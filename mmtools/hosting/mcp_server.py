"""
The tools of Runners as an MCP server, over standard input and output, or over HTTP to this machine alone.

    server = ToolServer(lambda asking, display: local.mm("path/to/repo", permission=asking, display=display))
    serve_stdio(server)

Each client has a Runner of its own. `asking` puts permission questions to the person at the client, where the client can
show them, and else refuses; `display` sends on what commands say while they run.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import os
import re
import signal
import socket
import sys
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeAlias

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

#: A server as ASGI has it: called with a scope, and what receives and sends.
Application: TypeAlias = Callable[[Any, Any, Any], Awaitable[None]]

#: Source: RFC 6750, section 2.1 (b64token); short ones can be guessed.
_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]{16,}=*")

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
    token: str | None = None,
    announce: Callable[[str], None] = lambda url: print(f"mmtools: {url}", file=sys.stderr, flush=True),
) -> None:
    """
    Serve clients on this machine over streamable HTTP until a signal ends it.

    A request is refused when its Host or Origin is not this server's own address: no web page can reach the tools. Without
    a token every program of every user of this machine can.

    Args:
        host: An address of this machine's loopback, or "localhost".
        port: 0 takes a free one.
        token: What a request must bring as `Authorization: Bearer <token>`, or be refused with 401; None asks for none.
        announce: Told the URL as soon as clients may connect.

    Raises:
        DefinitionError: The address is not of the loopback, or cannot be listened at, or the token is none.
    """
    if token is not None and not _TOKEN.fullmatch(token):
        raise DefinitionError("a token is 16 or more letters, digits and -._~+/=, as a header can carry it")
    try:
        with _listen(host, port) as listening:
            _run_http(server, listening, token, announce)
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


def _run_http(server: ToolServer, listening: socket.socket, token: str | None, announce: Callable[[str], None]) -> None:
    import uvicorn
    from mcp.server.transport_security import TransportSecuritySettings

    address, port = listening.getsockname()[:2]
    here = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
    names = [here, f"localhost:{port}"]
    security = TransportSecuritySettings(allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names])
    application: Application = server.streamable_http_app(transport_security=security)
    if token is not None:
        application = _asking_for(token, application)
    options = uvicorn.Config(application, log_level="warning", lifespan="on", timeout_graceful_shutdown=_GRACE_S)
    announce(f"http://{here}/mcp")
    with suppress(KeyboardInterrupt):
        uvicorn.Server(options).run(sockets=[listening])


def _asking_for(token: str, application: Application) -> Application:
    """Refuse requests that do not bring the token, before anything reads them."""
    expected = f"bearer {token}".encode()

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and not any(
            hmac.compare_digest(_with_lower_scheme(value), expected)
            for name, value in scope["headers"]
            if name.lower() == b"authorization"
        ):
            headers = [(b"www-authenticate", b"Bearer"), (b"content-length", b"0")]
            await send({"type": "http.response.start", "status": 401, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
            return
        await application(scope, receive, send)

    return guarded


def _with_lower_scheme(value: bytes) -> bytes:
    scheme, _, rest = value.partition(b" ")
    return scheme.lower() + b" " + rest.strip()
