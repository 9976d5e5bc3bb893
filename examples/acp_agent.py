"""
An agent without a model for any editor that speaks ACP: the prompt is its script, one JSON call a line.

Whatever is no JSON begins a script of its own. From a shell: `acpx --agent "python acp_agent.py" exec "hello"`.
"""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any
from uuid import uuid4

import acp
from acp.schema import ClientCapabilities, TextContentBlock

from mmtools import Remember, Runner
from mmtools.adapters.local_files import LocalFiles
from mmtools.adapters.subprocesses import Subprocesses
from mmtools.core.environment import EnvironmentPolicy
from mmtools.hosting.acp import AcpSession, EditorFiles, EditorTerminals
from mmtools.toolsets import mm

HELLO = [
    ("write_file", {"path": "hello.txt", "content": "Hello, wrld!\n"}),
    ("read_file", {"path": "hello.txt"}),
    ("edit_file", {"path": "hello.txt", "edits": [{"old": "wrld", "new": "world"}]}),
    ("bash", {"command": "cat hello.txt"}),
]


class ScriptedAgent:
    def __init__(self) -> None:
        self.sessions: dict[str, tuple[AcpSession, Runner]] = {}
        self.capabilities: ClientCapabilities | None = None

    def on_connect(self, connection: acp.Client) -> None:
        self.connection = connection

    async def initialize(
        self, protocol_version: int, client_capabilities: ClientCapabilities | None = None, **_: Any
    ) -> acp.InitializeResponse:
        self.capabilities = client_capabilities
        return acp.InitializeResponse(protocol_version=acp.PROTOCOL_VERSION)

    async def new_session(self, cwd: str, **_: Any) -> acp.NewSessionResponse:
        session = AcpSession(self.connection, uuid4().hex, policy=Remember, capabilities=self.capabilities)
        files = EditorFiles(LocalFiles(cwd), session)
        processes = EditorTerminals(Subprocesses(cwd, environment=EnvironmentPolicy().child(os.environ)), session)
        tools = mm.build(files=files, processes=processes)
        runner = Runner(tools, permission=session, display=session, on_close=(processes.close,))
        self.sessions[session.session_id] = session, runner
        return acp.NewSessionResponse(session_id=session.session_id)

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> acp.PromptResponse:
        session, runner = self.sessions[session_id]
        script = [block.text for block in prompt if isinstance(block, TextContentBlock)]
        return acp.PromptResponse(stop_reason=await session.turn(play(session, runner, "\n".join(script))))

    async def cancel(self, session_id: str, **_: Any) -> None:
        session, _runner = self.sessions[session_id]
        session.cancel()


async def play(session: AcpSession, runner: Runner, script: str) -> None:
    try:
        calls = [(call["tool"], call["arguments"]) for call in map(json.loads, script.splitlines())]
    except (ValueError, TypeError, KeyError):
        calls = HELLO
    with runner.turn():
        for number, (tool, arguments) in enumerate(calls):
            await runner.acall(tool, arguments, call_id=f"call_{number}")
        session.say(runner.recap())


if __name__ == "__main__":
    asyncio.run(acp.run_agent(ScriptedAgent()))  # type: ignore[arg-type]
