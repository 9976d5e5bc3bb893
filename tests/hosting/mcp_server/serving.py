"""Servers in this process and in one of their own, and a person who answers at the client."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from attrs import define, field, frozen
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, ElicitRequestFormParams, ElicitResult, TextContent

from mmtools import Permission, Runner, local
from mmtools.hosting.mcp_server import ToolServer
from mmtools.ports.display import Display
from tests.patience import PATIENCE_S

__all__ = [
    "ERAS",
    "HOST",
    "Person",
    "Place",
    "Target",
    "alive",
    "http_host",
    "mm",
    "patiently",
    "run",
    "said",
    "stdio_host",
]

#: How a client opens a connection: by the handshake of up to 2025-11-25, or as 2026-07-28 has it where that is served.
ERAS = ("legacy", "auto")

HOST = Path(__file__).with_name("host.py")

Target: TypeAlias = ToolServer | StdioServerParameters | str


@define
class Person:
    """A person who answers questions as scripted, and keeps them."""

    answers: list[dict[str, str] | str] = field(factory=list)
    asked: list[str] = field(factory=list)
    forms: list[Any] = field(factory=list)

    async def __call__(self, context: object, params: object) -> ElicitResult:
        assert isinstance(params, ElicitRequestFormParams)
        self.asked.append(params.message)
        self.forms.append(params.requested_schema)
        answer = self.answers.pop(0)
        if answer in ("decline", "cancel"):
            return ElicitResult.model_validate({"action": answer})
        content = answer if isinstance(answer, dict) else {"decision": answer}
        return ElicitResult(action="accept", content=dict(content))


@frozen
class Place:
    """A directory, a server over it, and how a client opens its connection."""

    root: Path
    target: Target
    era: str


def mm(root: Path, **options: Any) -> ToolServer:
    """Serve the mm tools in this process."""

    def open_runner(asking: Permission, display: Display) -> Runner:
        return local.mm(root, display=display, **{"permission": asking, **options})

    return ToolServer(open_runner)


def run(target: Target, era: str, work: Callable[[Client], Awaitable[None]], person: Person | None = None) -> None:
    """Connect a client of the official SDK, and have it work."""

    async def connected() -> None:
        async with Client(target, mode=era, elicitation_callback=person) as client:
            await work(client)

    asyncio.run(connected())


def said(result: object) -> str:
    """Return the text of a result that is one text."""
    assert isinstance(result, CallToolResult)
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


def stdio_host(root: Path, *options: str) -> StdioServerParameters:
    """Describe a server for a client that starts it."""
    return StdioServerParameters(command=sys.executable, args=[str(HOST), "stdio", str(root), *options])


@contextmanager
def http_host(root: Path, *options: str) -> Iterator[str]:
    """Run a server of its own process; its URL."""
    command = [sys.executable, str(HOST), "http", str(root), *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True) as process:
        assert process.stderr is not None
        try:
            line = process.stderr.readline()
            assert "http://" in line, line + process.stderr.read()
            yield line.split()[-1]
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE_S)


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be reaped by its parent does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b") ")[2][:1]
    except FileNotFoundError:
        return False
    return state != b"Z"


def patiently(true: Callable[[], bool]) -> bool:
    """Wait until something is so."""
    until = time.monotonic() + PATIENCE_S
    while not true():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True
