"""Clients of scripted and real servers, for the tests of this folder and of what stands on it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mmtools.adapters.mcp.timeouts import Timeouts
from mmtools.adapters.mcp_client import McpClient
from mmtools.call import Cancellation
from mmtools.ports.remote_tools import McpServer, RemoteAnswer, TextBlock
from tests.patience import PATIENCE_S

__all__ = [
    "ENVIRONMENT",
    "SCRIPT",
    "alive",
    "call",
    "connected",
    "free_port",
    "heard",
    "listening",
    "scripted",
    "send",
    "text",
]

SCRIPT = Path(__file__).with_name("scripted_server.py")
#: Tests need not wait for servers that do not leave.
QUICK = Timeouts(leave_s=0.4, term_s=0.4)
ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")}


def scripted(
    name: str = "scripted",
    /,
    *,
    timeout_s: float = PATIENCE_S,
    start_timeout_s: float = PATIENCE_S,
    **options: Any,
) -> McpServer:
    command = [sys.executable, "-I", "-S", str(SCRIPT), json.dumps(options)]
    return McpServer(name, command, timeout_s=timeout_s, start_timeout_s=start_timeout_s)


@contextmanager
def connected(
    *servers: McpServer, directory: Path | str = "/", environment: Mapping[str, str] = ENVIRONMENT
) -> Iterator[McpClient]:
    with McpClient(servers, directory=directory, environment=environment, timeouts=QUICK) as client:
        yield client


def heard(log: Path) -> list[str]:
    """The methods of the messages that a scripted server has written into its log, and the tools of its calls."""
    messages = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    return [each.get("params", {}).get("name") or each.get("method", "") for each in messages]


def call(
    client: McpClient,
    name: str,
    /,
    *,
    server: str | None = None,
    cancellation: Cancellation | None = None,
    **arguments: Any,
) -> RemoteAnswer:
    """Call a tool, the first of that name or the one of that server."""
    return send(client, name, arguments, server=server, cancellation=cancellation)


def send(
    client: McpClient,
    name: str,
    arguments: Mapping[str, Any],
    *,
    server: str | None = None,
    cancellation: Cancellation | None = None,
) -> RemoteAnswer:
    tool = next(tool for tool in client.tools if tool.name == name and server in (None, tool.server))
    return client.call(tool, arguments, cancellation=cancellation or Cancellation())


def text(answer: RemoteAnswer) -> str:
    assert all(isinstance(block, TextBlock) for block in answer.blocks), answer
    return "\n".join(block.text for block in answer.blocks if isinstance(block, TextBlock))


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be reaped by its parent does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b") ")[2][:1]
    except FileNotFoundError:
        return False
    return state != b"Z"


@contextmanager
def listening(command: list[str], port: int, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program that listens on a port, and kill it at the end."""
    process = subprocess.Popen(
        command,
        env={**ENVIRONMENT, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert process.poll() is None, f"{command} has ended"
            time.sleep(0.02)
        yield process
    finally:
        process.kill()
        process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
