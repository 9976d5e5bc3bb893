"""
Time the MCP server against the SDK's own echo server, and against a server that calls `Runner.call` by hand.

Run as: `python benchmarks/hosting/bench_mcp_server.py`. Servers run in processes of their own, over standard input and
output and over HTTP; 100 calls are under way at once, or one alone.
"""

from __future__ import annotations

import asyncio
import itertools
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, TypeAlias

from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult

__all__ = ["main"]

HERE = Path(__file__)
_AT_ONCE = 100
_ROUNDS = 5

Work: TypeAlias = Callable[[Client, str], Awaitable[float]]

#: The servers; two read a file of one line, the third says again what it is told.
_SERVERS = ("ours", "by hand", "echo")

#: No call is like another, or a Runner would rightly stop them.
_NUMBERS = itertools.count(2)


def serve(which: str, root: str, port: int | None) -> None:
    """Be one of the three servers."""
    if which == "echo":
        _serve_echo(port)
        return
    from mmtools import AllowAll, local
    from mmtools.hosting.mcp_server import ToolServer, serve_http, serve_stdio

    if which == "ours":
        server = ToolServer(lambda asking, display: local.mm(root, permission=AllowAll(), display=display))
        if port is None:
            serve_stdio(server)
        else:
            serve_http(server, port=port)
        return
    asyncio.run(_serve_by_hand(root, port))


def _serve_echo(port: int | None) -> None:
    from mcp.server import MCPServer

    server = MCPServer("echo", log_level="ERROR")

    @server.tool()
    def echo(text: str) -> str:
        """Say it again."""
        return text

    if port is None:
        server.run(transport="stdio")
    else:
        server.run(transport="streamable-http", host="127.0.0.1", port=port)


async def _serve_by_hand(root: str, port: int | None) -> None:
    import uvicorn
    from mcp.server import Server
    from mcp.server.stdio import stdio_server
    from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool

    from mmtools import AllowAll, Status, local

    runner = local.mm(root, permission=AllowAll())

    async def tools(context: Any, params: Any) -> ListToolsResult:
        return ListToolsResult(
            tools=[
                Tool(name=spec.name, description=spec.description, input_schema=spec.arguments_schema)
                for spec in runner.specs
            ]
        )

    async def call(context: Any, params: Any) -> CallToolResult:
        outcome = await asyncio.to_thread(runner.call, params.name, params.arguments)
        return CallToolResult(content=[TextContent(text=outcome.text)], is_error=outcome.status is not Status.OK)

    server: Server[Any] = Server("hand", on_list_tools=tools, on_call_tool=call)
    if port is None:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
    else:
        application = server.streamable_http_app()
        await uvicorn.Server(uvicorn.Config(application, port=port, log_level="error")).serve()


async def at_once(client: Client, which: str) -> float:
    """Return how long 100 calls take together, in seconds."""
    begun = time.perf_counter()
    results = await asyncio.gather(*(_call(client, which) for _ in range(_AT_ONCE)))
    spent = time.perf_counter() - begun
    assert not any(result.is_error for result in results)
    return spent


def _call(client: Client, which: str) -> Awaitable[CallToolResult]:
    if which == "echo":
        return client.call_tool("echo", {"text": f"one {next(_NUMBERS)}\n"})
    return client.call_tool("read_file", {"path": "a.txt", "end": next(_NUMBERS)})


async def alone(client: Client, which: str) -> float:
    """Return how long one call takes, in seconds."""
    begun = time.perf_counter()
    await _call(client, which)
    return time.perf_counter() - begun


async def rounds(clients: dict[str, Client], work: Work, count: int) -> dict[str, list[float]]:
    """Do the work with each server in turn, so that a slow moment hits them all."""
    spent: dict[str, list[float]] = {which: [] for which in clients}
    for counted in range(count + 1):
        for which in list(clients)[:: 1 if counted % 2 else -1]:
            seconds = await work(clients[which], which)
            if counted:
                spent[which].append(seconds)
    return spent


async def compare(over: str, root: str) -> None:
    """Start all servers, and print how ours does against the other two."""
    processes: list[subprocess.Popen[bytes]] = []
    try:
        async with AsyncExitStack() as stack:
            clients: dict[str, Client] = {}
            for which in _SERVERS:
                target: str | StdioServerParameters
                if over == "stdio":
                    target = StdioServerParameters(command=sys.executable, args=[str(HERE), which, root])
                else:
                    port = _free_port()
                    command = [sys.executable, str(HERE), which, root, str(port)]
                    processes.append(subprocess.Popen(command, stderr=subprocess.DEVNULL))
                    await _reachable(port)
                    target = f"http://127.0.0.1:{port}/mcp"
                clients[which] = await stack.enter_async_context(Client(target, mode="legacy"))
            together = await rounds(clients, at_once, _ROUNDS)
            single = await rounds(clients, alone, 200)
            _row(f"{over}, {_AT_ONCE} at once, against echo", together, "echo")
            _row(f"{over}, {_AT_ONCE} at once, against by hand", together, "by hand")
            _row(f"{over}, one call, against by hand", single, "by hand")
    finally:
        for process in processes:
            process.terminate()
            process.wait()


def _row(name: str, spent: dict[str, list[float]], other: str) -> None:
    mine, theirs = statistics.median(spent["ours"]), statistics.median(spent[other])
    cells = f"{mine * 1000:>10.1f} ms{theirs * 1000:>10.1f} ms"
    print(f"{name:<40}{cells}   time {mine / theirs:.2f}x, throughput {theirs / mine:.2f}x", flush=True)


def imports() -> None:
    """Print how much more processor time ours takes to import than what any host of the SDK and of mmtools imports."""
    own = "import mcp, mcp.server; from mmtools import AllowAll, local; local.mm"
    code = (
        f"import time; {own}; begun = time.process_time(); import mmtools.hosting.mcp_server; "
        "print(time.process_time() - begun)"
    )
    spent = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
        for _ in range(_ROUNDS)
    ]
    print(f"import over the SDK's own: {statistics.median(spent) * 1000:.1f} ms (target: 20 ms at most)")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


async def _reachable(port: int) -> None:
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            await asyncio.sleep(0.05)
        else:
            return


def main() -> None:
    """Print all rows."""
    with tempfile.TemporaryDirectory() as root:
        Path(root, "a.txt").write_text("one\n")
        for over in ("stdio", "http"):
            asyncio.run(compare(over, root))
    imports()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        serve(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else None)
    else:
        main()
