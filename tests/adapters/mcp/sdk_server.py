"""A server of the official SDK over streamable HTTP. Run as a program: `sdk_server.py PORT`."""

from __future__ import annotations

import asyncio
import os
import sys

from mcp.server import MCPServer
from mcp.server.mcpserver import Context, Image

server = MCPServer("sdk")


@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool()
async def sleep(seconds: float) -> str:
    """Sleep."""
    await asyncio.sleep(seconds)
    return "slept"


@server.tool()
def fail() -> str:
    """Fail."""
    raise ValueError("it went wrong")


@server.tool()
def picture() -> Image:
    """Show a dot."""
    return Image(data=b"\x89PNG\r\n\x1a\n" + bytes(16), format="png")


@server.tool()
def header(context: Context) -> str:
    """Tell a header of the request."""
    return str(dict(context.headers or {}).get("x-token"))


@server.tool()
def crash() -> str:
    """End at once."""
    os._exit(9)


if __name__ == "__main__":
    server.run(transport="streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
