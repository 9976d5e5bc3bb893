"""
Claims: a call shown and asked about through AcpSession costs at most 1.15 times the same call through a host that sends the
protocol's messages by hand, and importing it at most 20 ms on top of the SDK and of mmtools.

Both ends of the connection are the SDK's, in one process: what is timed is a whole turn as the editor sees it.
"""

from __future__ import annotations

import asyncio
import socket
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import acp
from acp import schema
from acp.agent.connection import AgentSideConnection

from benchmarks.measure import compare, row
from mmtools import AllowAll, Decision, LoopDetector, PermissionRequest, Remember, Runner, local
from mmtools.hosting.acp import AcpSession

CALLS = 30
IMPORT = """
import time, acp
from mmtools import Remember, Runner, local
begun = time.perf_counter()
import mmtools.hosting.acp
print((time.perf_counter() - begun) * 1000)
"""

Call = Callable[[str, dict[str, Any], str], Awaitable[object]]


class Editor:
    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        pass

    async def request_permission(self, **_: Any) -> schema.RequestPermissionResponse:
        outcome = schema.AllowedOutcome(outcome="selected", option_id="allow_once")
        return schema.RequestPermissionResponse(outcome=outcome)


class Agent:
    """An agent that makes CALLS calls for each prompt, in the way of the session that it is sent to."""

    def __init__(self) -> None:
        self.ways: dict[str, Call] = {}
        self.work: tuple[str, Callable[[int], dict[str, Any]]] = ("", lambda number: {})

    async def prompt(self, session_id: str, **_: Any) -> acp.PromptResponse:
        name, arguments = self.work
        for number in range(CALLS):
            await self.ways[session_id](name, arguments(number), f"call_{number}")
        return acp.PromptResponse(stop_reason="end_turn")


class AskByHand:
    """A policy that asks for permission as a host would without us."""

    def __init__(self, connection: acp.Client) -> None:
        self.connection = connection

    async def decide(self, request: PermissionRequest) -> Decision:
        answer = await self.connection.request_permission(
            session_id="by hand",
            tool_call=schema.ToolCallUpdate(tool_call_id=request.call_id, title=request.title),
            options=[
                schema.PermissionOption(option_id="allow_once", name="Allow", kind="allow_once"),
                schema.PermissionOption(option_id="reject_once", name="Reject", kind="reject_once"),
            ],
        )
        begun = acp.update_tool_call(request.call_id, status="in_progress")
        await self.connection.session_update("by hand", begun)
        chosen = answer.outcome.option_id if isinstance(answer.outcome, schema.AllowedOutcome) else "cancelled"
        return Decision(chosen)


def by_hand(connection: acp.Client, runner: Runner) -> Call:
    """Show a call as a host would without us: its start, and its end with the text."""

    async def call(name: str, arguments: dict[str, Any], call_id: str) -> None:
        await connection.session_update(
            "by hand", acp.start_tool_call(call_id, name, status="pending", raw_input=arguments)
        )
        outcome = await runner.acall(name, arguments, call_id=call_id)
        content = [acp.tool_content(acp.text_block(outcome.text))]
        await connection.session_update("by hand", acp.update_tool_call(call_id, status="completed", content=content))

    return call


def shown_by(runner: Runner) -> Call:
    """Show a call as a host does with us."""

    async def call(name: str, arguments: dict[str, Any], call_id: str) -> None:
        await runner.acall(name, arguments, call_id=call_id)

    return call


async def main() -> None:
    """Print both ways of calling and the import."""
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=ours)
    editor_reader, editor_writer = await asyncio.open_connection(sock=theirs)
    agent = Agent()
    connection = AgentSideConnection(agent, writer, reader)  # type: ignore[arg-type]
    client = acp.connect_to_agent(Editor(), editor_writer, editor_reader)  # type: ignore[arg-type]
    loop = asyncio.get_running_loop()

    def turn(session_id: str) -> Callable[[], object]:
        def run() -> object:
            prompt = client.prompt(session_id=session_id, prompt=[acp.text_block("go")])
            return asyncio.run_coroutine_threadsafe(prompt, loop).result()

        return run

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.txt").write_text("one\n" * 40)
        detector = LoopDetector(warn_after=10**8, stop_after=10**9)
        for asked in (False, True):
            session = AcpSession(connection, "ours", policy=Remember if asked else lambda ask: AllowAll())
            shown = local.mm(folder, permission=session, display=session, loop_detector=detector)
            hand = local.mm(folder, permission=AskByHand(connection) if asked else AllowAll(), loop_detector=detector)
            agent.ways = {
                "ours": shown_by(shown),
                "by hand": by_hand(connection, hand),
            }
            for name, arguments in (
                ("read_file", lambda number: {"path": "a.txt"}),
                ("bash", lambda number: {"command": "echo hi"}),
                ("write_file", lambda number: {"path": "b.txt", "content": f"{number}\n"}),
            ):
                if asked and name == "read_file":
                    continue
                agent.work = (name, arguments)
                label = f"{CALLS} calls of {name}, {'each asked about' if asked else 'none asked about'}"
                await asyncio.to_thread(compare, label, turn("ours"), turn("by hand"), target="<= 1.15x", rounds=9)
            shown.close()
            hand.close()
    for each in (connection, client):
        await each.close()
    for end in (writer, editor_writer):
        end.close()
        with suppress(OSError):
            await end.wait_closed()
    spent = [float(subprocess.check_output([sys.executable, "-c", IMPORT])) for _ in range(5)]
    row("import on top of the SDK and mmtools", f"{statistics.median(spent):.1f} ms", "", "", "<= 20 ms")


if __name__ == "__main__":
    asyncio.run(main())
