"""An editor for tests: the SDK's own client, with buffers, terminals and a person who answers."""

from __future__ import annotations

import asyncio
import concurrent.futures
import json
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import acp
from acp import schema
from acp.agent.connection import AgentSideConnection
from acp.connection import StreamEvent
from attrs import define, field
from jsonschema import Draft202012Validator

from mmtools import Remember
from mmtools.hosting.acp import AcpSession
from tests import programs

__all__ = ["Editor", "Link", "LoopThread", "acpx", "check_messages", "connected", "lives", "published"]


def acpx() -> Path:
    """Return the command line client."""
    return Path(programs.path("acpx"))


@cache
def published() -> dict[str, Any]:
    """Return the protocol's published schema, version 1."""
    packages = acpx().resolve().parents[2]
    path = packages / "@agentclientprotocol/sdk/schema/v1/schema.json"
    assert path.exists(), f"the protocol's schema is missing; install it: {programs.INSTALL_LINES['acpx']}"
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


@cache
def _validator(method: str, suffix: str) -> Draft202012Validator:
    definitions = published()["$defs"]
    (name,) = (
        name
        for name, body in definitions.items()
        if body.get("x-method") == method and name.endswith(suffix) and name != "CancelRequestNotification"
    )
    return Draft202012Validator({**published(), "anyOf": [{"$ref": f"#/$defs/{name}"}]})


def check_messages(messages: list[tuple[bool, dict[str, Any]]]) -> None:
    """
    Require that all messages are as the published schema wants them.

    Args:
        messages: Whether it is the agent's, and what it is, in the order seen.
    """
    asked: dict[tuple[bool, Any], str] = {}
    for from_agent, message in messages:
        if "method" not in message:
            method = asked.pop((not from_agent, message["id"]))
            if "result" in message:
                _validator(method, "Response").validate(message["result"])
        elif "id" in message:
            asked[from_agent, message["id"]] = message["method"]
            _validator(message["method"], "Request").validate(message["params"])
        else:
            _validator(message["method"], "Notification").validate(message["params"])
    # Their answers may be on the way still when the connection ends.
    assert set(asked.values()) <= {"session/request_permission", "terminal/release"}, asked


def lives(pid: int) -> bool:
    """Whether a process runs; one that only waits to be reaped does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


@define(eq=False)
class _Terminal:
    process: asyncio.subprocess.Process
    reading: asyncio.Task[None]
    output: bytearray
    limit: int | None


@define(eq=False)
class Editor:
    """
    The editor of a test: the SDK\'s own client, with buffers, terminals and a person who answers.

    Args:
        answer: The id of the option that the person takes, by the question; None cancels.
        buffers: What is not saved, by path.
        saves: What saving makes of a text.
        refuses: Methods that it does not have.
        terminals_wait: Whether a person must allow each terminal first.
        exits: How every command is said to have ended.
    """

    answer: Callable[[schema.ToolCallUpdate], str | None] = lambda call: "allow_once"
    buffers: dict[str, str] = field(factory=dict)
    saves: Callable[[str], str] = lambda text: text
    refuses: set[str] = field(factory=set)
    terminals_wait: bool = False
    exits: schema.WaitForTerminalExitResponse | None = None
    asked: list[schema.ToolCallUpdate] = field(factory=list)
    offered: list[schema.PermissionOption] = field(factory=list)
    updates: list[Any] = field(factory=list)
    written: list[str] = field(factory=list)
    read: list[str] = field(factory=list)
    asked_for_terminals: int = 0
    terminals: dict[str, _Terminal] = field(factory=dict)
    watched: list[str] = field(factory=list)
    released: list[str] = field(factory=list)

    async def request_permission(
        self, session_id: str, tool_call: schema.ToolCallUpdate, options: list[schema.PermissionOption], **_: Any
    ) -> schema.RequestPermissionResponse:
        self._refuse("session/request_permission")
        self.asked.append(tool_call)
        self.updates.append(tool_call)
        self.offered = options
        taken = self.answer(tool_call)
        if taken == "never":
            await asyncio.Event().wait()
        if taken is None:
            return schema.RequestPermissionResponse(outcome=schema.DeniedOutcome(outcome="cancelled"))
        return schema.RequestPermissionResponse(outcome=schema.AllowedOutcome(outcome="selected", option_id=taken))

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        self.updates.append(update)

    async def read_text_file(self, session_id: str, path: str, **_: Any) -> schema.ReadTextFileResponse:
        self._refuse("fs/read_text_file")
        self.read.append(path)
        if path in self.buffers:
            return schema.ReadTextFileResponse(content=self.buffers[path])
        try:
            text = Path(path).read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            raise acp.RequestError.resource_not_found(path) from None
        # As editors do that keep one kind of line break in their buffers.
        return schema.ReadTextFileResponse(content=text.removeprefix("\ufeff").replace("\r\n", "\n"))

    async def write_text_file(self, session_id: str, path: str, content: str, **_: Any) -> schema.WriteTextFileResponse:
        self._refuse("fs/write_text_file")
        self.written.append(path)
        self.buffers.pop(path, None)
        Path(path).write_bytes(self.saves(content).encode())
        return schema.WriteTextFileResponse()

    async def create_terminal(
        self,
        session_id: str,
        command: str,
        args: list[str] | None = None,
        env: list[schema.EnvVariable] | None = None,
        cwd: str | None = None,
        output_byte_limit: int | None = None,
        **_: Any,
    ) -> schema.CreateTerminalResponse:
        self._refuse("terminal/create")
        self.asked_for_terminals += 1
        while self.terminals_wait:
            await asyncio.sleep(0.01)
        process = await asyncio.create_subprocess_exec(
            command,
            *(args or []),
            cwd=cwd,
            env={**os.environ, **{each.name: each.value for each in env or []}},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
        output = bytearray()

        async def read() -> None:
            assert process.stdout is not None
            while piece := await process.stdout.read(65_536):
                output.extend(piece)

        terminal_id = f"terminal-{len(self.terminals) + 1}"
        self.terminals[terminal_id] = _Terminal(process, asyncio.ensure_future(read()), output, output_byte_limit)
        return schema.CreateTerminalResponse(terminal_id=terminal_id)

    async def wait_for_terminal_exit(
        self, session_id: str, terminal_id: str, **_: Any
    ) -> schema.WaitForTerminalExitResponse:
        self.watched.append(terminal_id)
        code = await self.terminals[terminal_id].process.wait()
        if self.exits is not None:
            return self.exits
        if code < 0:
            return schema.WaitForTerminalExitResponse(signal=signal.Signals(-code).name)
        return schema.WaitForTerminalExitResponse(exit_code=code)

    async def terminal_output(self, session_id: str, terminal_id: str, **_: Any) -> schema.TerminalOutputResponse:
        terminal = self.terminals[terminal_id]
        if terminal.process.returncode is not None:
            await terminal.reading
        kept = bytes(terminal.output)
        cut = terminal.limit is not None and len(kept) > terminal.limit
        if cut:
            kept = kept[-(terminal.limit or 0) :]
        return schema.TerminalOutputResponse(output=kept.decode("utf-8", "replace"), truncated=cut)

    async def kill_terminal(self, session_id: str, terminal_id: str, **_: Any) -> schema.KillTerminalResponse:
        with suppress(ProcessLookupError):
            os.killpg(self.terminals[terminal_id].process.pid, signal.SIGKILL)
        return schema.KillTerminalResponse()

    async def release_terminal(self, session_id: str, terminal_id: str, **_: Any) -> schema.ReleaseTerminalResponse:
        await self.kill_terminal(session_id, terminal_id)
        await self.terminals[terminal_id].process.wait()
        await self.terminals[terminal_id].reading
        self.released.append(terminal_id)
        return schema.ReleaseTerminalResponse()

    def on_connect(self, conn: object) -> None:
        pass

    def allow_terminals(self) -> None:
        """Let those terminals begin that wait."""
        self.terminals_wait = False

    def calls(self) -> dict[str, list[Any]]:
        """Return what was said of each call, in order."""
        told: dict[str, list[Any]] = {}
        for update in self.updates:
            if isinstance(update, schema.ToolCallStart | schema.ToolCallProgress | schema.ToolCallUpdate):
                told.setdefault(update.tool_call_id, []).append(update)
        return told

    def said(self) -> str:
        """Return the agent's own words."""
        chunks = [update for update in self.updates if isinstance(update, schema.AgentMessageChunk)]
        return "".join(chunk.content.text for chunk in chunks if isinstance(chunk.content, schema.TextContentBlock))

    def _refuse(self, method: str) -> None:
        if method in self.refuses:
            raise acp.RequestError.method_not_found(method)


@define(eq=False)
class Link:
    """Both ends of a connection, and all that went over it."""

    agent: AgentSideConnection
    editor: acp.ClientSideConnection
    messages: list[tuple[bool, dict[str, Any]]]


@asynccontextmanager
async def connected(editor: Editor) -> AsyncIterator[Link]:
    """Connect an editor with an agent that the test plays."""
    messages: list[tuple[bool, dict[str, Any]]] = []

    def note(event: StreamEvent) -> None:
        messages.append((event.direction.value == "outgoing", event.message))

    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=ours, limit=50_000_000)
    editor_reader, editor_writer = await asyncio.open_connection(sock=theirs, limit=50_000_000)
    agent = AgentSideConnection(_Nobody(), writer, reader, observers=[note])  # type: ignore[arg-type]
    client = acp.connect_to_agent(editor, editor_writer, editor_reader)  # type: ignore[arg-type]
    try:
        yield Link(agent, client, messages)
    finally:
        for each in (agent, client):
            await each.close()
        for end in (writer, editor_writer):
            end.close()
            with suppress(OSError):
                await end.wait_closed()
    check_messages(messages)


class LoopThread:
    """An editor connected on a loop of another thread, for tests of what blocks."""

    def __init__(self, editor: Editor, **offered: Any) -> None:
        self._editor = editor
        self._offered = schema.ClientCapabilities(**offered)
        self._ready: concurrent.futures.Future[AcpSession] = concurrent.futures.Future()
        self._over = asyncio.Event()
        self._pool = concurrent.futures.ThreadPoolExecutor(1)

    def __enter__(self) -> AcpSession:
        self._served = self._pool.submit(lambda: asyncio.run(self._serve()))
        either: list[concurrent.futures.Future[Any]] = [self._served, self._ready]
        concurrent.futures.wait(either, return_when=concurrent.futures.FIRST_COMPLETED)
        if not self._ready.done():
            self._served.result()
        return self._ready.result()

    def __exit__(self, *_: object) -> None:
        self._ready.result().host_loop.soon(self._over.set)
        self._served.result()
        self._pool.shutdown()

    async def _serve(self) -> None:
        async with connected(self._editor) as link:
            self._ready.set_result(AcpSession(link.agent, "s1", policy=Remember, capabilities=self._offered))
            await self._over.wait()


class _Nobody:
    """The agent's side of a connection that no prompt comes over."""
