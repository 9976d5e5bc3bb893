"""The example agent, driven end to end by real clients: the SDK's own and acpx."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import acp
import pytest
from acp import schema

from tests.hosting.acp.editors import Editor, acpx, check_messages, lives
from tests.patience import PATIENCE_S, soon

pytestmark = [pytest.mark.needs("acpx"), pytest.mark.slow]

AGENT = Path(__file__).parents[3] / "examples" / "acp_agent.py"


def run_acpx(root: Path, home: Path, *options: str, code: int) -> list[tuple[bool, dict[str, Any]]]:
    """
    Have acpx say hello to the agent.

    Returns:
        Every message, and whether it is the agent's.
    """
    ended = subprocess.run(
        [acpx(), "--agent", f"{sys.executable} {AGENT}", "--cwd", root, "--format", "json", *options, "exec", "hello"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "HOME": str(home)},
    )
    assert ended.returncode == code, ended.stdout + ended.stderr
    messages = [json.loads(line) for line in ended.stdout.splitlines()]
    told = []
    open_requests = set()
    for message in messages:
        if "method" in message:
            ours = message["method"] not in ("initialize", "session/new", "session/prompt")
            open_requests |= {message["id"]} if ours and "id" in message else set()
        else:
            # Both sides count their requests from 0; the prompt's answer is the last of all.
            ours = message["id"] not in open_requests or "stopReason" in message.get("result", {})
            open_requests -= set() if ours else {message["id"]}
        told.append((ours, message))
    return told


def updates(messages: list[tuple[bool, dict[str, Any]]]) -> list[dict[str, Any]]:
    return [message["params"]["update"] for _, message in messages if message.get("method") == "session/update"]


def test_acpx_allows_everything(tmp_path: Path) -> None:
    (root := tmp_path / "root").mkdir()
    messages = run_acpx(root, tmp_path, "--approve-all", code=0)
    check_messages(messages)
    ends = [update["status"] for update in updates(messages) if update.get("status") in ("completed", "failed")]
    assert ends == ["completed"] * 4
    diffs = [each for update in updates(messages) for each in update.get("content", []) if "newText" in each]
    assert [(diff.get("oldText"), diff["newText"]) for diff in diffs] == [
        (None, "Hello, wrld!\n"),
        ("Hello, wrld!\n", "Hello, world!\n"),
    ]
    methods = {message["method"] for _, message in messages if "method" in message}
    assert {"session/request_permission", "fs/read_text_file", "fs/write_text_file", "terminal/create"} <= methods
    assert (root / "hello.txt").read_text() == "Hello, world!\n"


def test_acpx_refuses_everything(tmp_path: Path) -> None:
    (root := tmp_path / "root").mkdir()
    # 5: acpx says with it that permission was denied.
    messages = run_acpx(root, tmp_path, "--deny-all", code=5)
    check_messages(messages)
    failed = [update for update in updates(messages) if update.get("status") == "failed"]
    said = [update["content"][0]["content"]["text"] for update in failed]
    assert (said[0], said[-1]) == ("[write rejected by the user]", "[command rejected by the user]")
    assert len(failed) == 4
    assert list(root.iterdir()) == []


def script(*calls: tuple[str, dict[str, Any]]) -> list[Any]:
    lines = [json.dumps({"tool": tool, "arguments": arguments}) for tool, arguments in calls]
    return [acp.text_block("\n".join(lines))]


def test_the_sdks_client_plays_a_script_and_cancels_the_next(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    editor = Editor()

    async def main() -> list[str]:
        fs = schema.FileSystemCapabilities(read_text_file=True, write_text_file=True)
        offered = schema.ClientCapabilities(fs=fs)
        async with acp.spawn_agent_process(editor, sys.executable, str(AGENT)) as (agent, _process):  # type: ignore[arg-type]
            await agent.initialize(protocol_version=acp.PROTOCOL_VERSION, client_capabilities=offered)
            session_id = (await agent.new_session(cwd=str(tmp_path), mcp_servers=[])).session_id
            edit = {"path": "a.txt", "edits": [{"old": "one", "new": "two"}]}
            done = await agent.prompt(
                session_id=session_id, prompt=script(("read_file", {"path": "a.txt"}), ("edit_file", edit))
            )
            slow = "(sleep 61 & echo $! > part; mv part inner; wait)"
            prompt = asyncio.ensure_future(
                agent.prompt(session_id=session_id, prompt=script(("bash", {"command": slow})))
            )
            while not (tmp_path / "inner").exists():
                await asyncio.sleep(0.01)
            await agent.cancel(session_id=session_id)
            return [done.stop_reason, (await prompt).stop_reason]

    assert asyncio.run(main()) == ["end_turn", "cancelled"]
    assert (tmp_path / "a.txt").read_text() == "two\n"
    soon(lambda: not lives(int((tmp_path / "inner").read_text())))
    assert [told[-1].status for told in editor.calls().values()] == ["completed", "completed", "failed"]


def test_an_agent_whose_editor_dies_takes_its_commands_with_it(tmp_path: Path) -> None:
    async def main() -> None:
        editor = Editor()
        async with acp.spawn_agent_process(editor, sys.executable, str(AGENT)) as (agent, process):  # type: ignore[arg-type]
            await agent.initialize(protocol_version=acp.PROTOCOL_VERSION)
            session_id = (await agent.new_session(cwd=str(tmp_path), mcp_servers=[])).session_id
            slow = "(sleep 61 & echo $! > part; mv part inner; wait)"
            prompt = asyncio.ensure_future(
                agent.prompt(session_id=session_id, prompt=script(("bash", {"command": slow})))
            )
            while not (tmp_path / "inner").exists():
                await asyncio.sleep(0.01)
            assert process.stdin is not None
            process.stdin.close()
            assert await asyncio.wait_for(process.wait(), PATIENCE_S) == 0
            with pytest.raises(ConnectionError):
                await prompt

    asyncio.run(main())
    soon(lambda: not lives(int((tmp_path / "inner").read_text())))
