"""What only a real transport shows: standard input and output, HTTP, and the end of a server."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from mmtools import AllowAll, DefinitionError, McpServer, Permission, Runner, Status, ToolKind, local
from mmtools.hosting.mcp_server import ToolServer, serve_http
from mmtools.ports.display import Display
from tests.hosting.mcp_server.serving import (
    ERAS,
    HOST,
    Person,
    alive,
    http_host,
    mm,
    patiently,
    run,
    said,
    stdio_host,
)
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}},
}
#: Two children, of which one has left its session; their process ids are written down.
ENDLESS = "sleep 300 & echo $! > child; setsid sleep 300 & echo $! > other; echo > up; wait"


def children(root: Path) -> list[int]:
    assert patiently((root / "up").exists)
    return [int((root / name).read_text()) for name in ("child", "other")]


@pytest.mark.parametrize("era", ERAS)
def test_a_client_starts_a_server_and_works_with_it(root: Path, era: str) -> None:
    person = Person(["allow once", "allow once", {"decision": "reject", "feedback": "not today"}])
    heard: list[str | None] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message)

    async def work(client: Client) -> None:
        assert client.server_info is not None
        assert (client.server_info.name, client.server_info.version) == ("mmtools", "1.2.3")
        read = await client.call_tool("read_file", {"path": "a.txt"})
        edited = await client.call_tool("edit_file", {"path": "a.txt", "edits": [{"old": "one", "new": "1"}]})
        assert said(read) == "one\ntwo\n"
        assert said(edited).startswith("edited a.txt")
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: client.call_tool("bash", {"command": ENDLESS}, progress_callback=hear))
            pids = await asyncio.to_thread(children, root)
            group.cancel_scope.cancel()
        assert await asyncio.to_thread(patiently, lambda: not any(map(alive, pids)))
        refused = await client.call_tool("bash", {"command": "true"})
        assert said(refused) == "[command rejected by the user]\nnot today"

    run(stdio_host(root), era, work, person)
    assert (root / "a.txt").read_text() == "1\ntwo\n"


class Raw:
    """A client that speaks to a server over pipes, line by line."""

    def __init__(self, root: Path, *options: str) -> None:
        command = [sys.executable, str(HOST), "stdio", str(root), *options]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.send(HELLO)
        assert json.loads(self.line())["id"] == 1
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def line(self) -> bytes:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def call(self, tool: str, arguments: dict[str, Any]) -> None:
        params = {"name": tool, "arguments": arguments}
        self.send({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params})

    def end(self) -> int:
        _, complaints = self.process.communicate(timeout=PATIENCE_S)
        assert b"Traceback" not in complaints, complaints.decode()
        return self.process.returncode


@pytest.mark.parametrize("ending", ["end of input", signal.SIGTERM])
def test_a_server_that_ends_leaves_nothing_behind(root: Path, ending: signal.Signals | str) -> None:
    raw = Raw(root, "mm", "all")
    raw.call("bash", {"command": "echo noise >&1; " + ENDLESS})
    pids = children(root)
    assert all(map(alive, pids))
    if isinstance(ending, signal.Signals):
        raw.process.send_signal(ending)
        assert raw.end() == 128 + ending
    else:
        assert raw.end() == 0
    assert patiently(lambda: not any(map(alive, pids)))


def test_over_http_a_client_that_leaves_takes_its_children_with_it(root: Path) -> None:
    pids: list[int] = []

    async def work(client: Client) -> None:
        started = await client.call_tool("bash", {"command": "sleep 300 >&- 2>&- & echo $! > child"})
        assert not started.is_error
        pids.append(int((root / "child").read_text()))
        assert alive(pids[-1])

    with http_host(root, "mm", "all") as url:
        run(url, "auto", work)
        assert patiently(lambda: not alive(pids[0]))
        run(url, "auto", work)
    assert patiently(lambda: not alive(pids[1]))


def answer(url: str, body: object = HELLO, **headers: str) -> int:
    """Return the status of a POST."""
    sent = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    request = urllib.request.Request(url, json.dumps(body).encode(), sent)
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


def test_no_web_page_reaches_the_tools(over_http: tuple[Path, str]) -> None:
    url = over_http[1]
    port = url.split(":")[2].split("/")[0]
    assert answer(url) == 200
    assert answer(url, origin=f"http://localhost:{port}", host=f"localhost:{port}") == 200
    for host in (
        "evil.example",
        f"evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        f"127.0.0.1:{port}.evil.example",
        "",
    ):
        assert answer(url, host=host) in (400, 421), host
    for origin in (
        "http://evil.example",
        "null",
        "http://localhost:3000",
        f"https://localhost:{port}",
        f"http://127.0.0.1:{port}.evil.example",
    ):
        assert answer(url, origin=origin) == 403, origin
    assert answer(url, content_type="text/plain") == 400


def test_over_http_a_request_without_a_session_is_none(over_http: tuple[Path, str]) -> None:
    """Clients could not be told apart: nothing is done, whatever session the request names."""
    url = over_http[1]
    call = {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "read_file", "arguments": {"path": "a.txt"}},
    }
    assert answer(url, call) == 400
    assert answer(url, call, mcp_session_id="made-up") == 404
    envelope = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    modern = {**call, "params": {**call["params"], "_meta": envelope}}  # type: ignore[dict-item]
    for session in ({}, {"mcp_session_id": "made-up"}):
        headers = {"mcp_protocol_version": "2026-07-28", "mcp_method": "tools/call", "mcp_name": "read_file", **session}
        assert answer(url, modern, **headers) == 400


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.1", "example.com", ""])
def test_only_this_machine_is_served(root: Path, host: str) -> None:
    with pytest.raises(DefinitionError, match="this machine alone"):
        serve_http(mm(root), host=host)


def test_a_server_with_a_token_refuses_whoever_does_not_bring_it(root: Path) -> None:
    words = [sys.executable, "-m", "mmtools", "serve", "--http", "0", "--allow", "reads", "--root", str(root)]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            url = process.stderr.readline().split()[1]
            token = process.stderr.readline().split()[-1]
            assert len(token) >= 32
            assert answer(url, authorization=f"Bearer {token}") == 200
            assert answer(url, authorization=f"bearer {token}") == 200
            assert answer(url) == 401
            for wrong in (token, f"Bearer {token}x", f"Bearer {token[:-1]}", "Bearer ", "Basic " + token, ""):
                assert answer(url, authorization=wrong) == 401, wrong
        finally:
            process.send_signal(signal.SIGTERM)


@pytest.mark.parametrize("token", ["", "short", "a b" * 10, "é" * 20, "x" * 20 + "\n"])
def test_a_token_that_no_header_can_carry_or_that_is_guessed_is_refused(root: Path, token: str) -> None:
    with pytest.raises(DefinitionError, match="a token is 16 or more"):
        serve_http(mm(root), token=token)


def test_a_port_that_is_taken_is_named(root: Path, over_http: tuple[Path, str]) -> None:
    port = int(over_http[1].split(":")[2].split("/")[0])
    for number in (port, 70_000, -1):
        with pytest.raises(DefinitionError, match=f"port {number}"):
            serve_http(mm(root), port=number)


def test_what_cannot_be_served_fails_before_anybody_connects(tmp_path: Path) -> None:
    def open_runner(asking: Permission, display: Display) -> Runner:
        return local.mm(tmp_path / "nowhere", permission=asking, display=display)

    with pytest.raises(NotADirectoryError):
        ToolServer(open_runner)


def test_without_the_sdk_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\nsys.modules['mcp'] = None\nsys.modules['mcp_types'] = None\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", "import mmtools.hosting.mcp_server"],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{HOST.parents[3]}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stderr.splitlines()[-1].endswith("needs the package mcp, 2.3 or newer: pip install 'mcp>=2.3'")


def test_ready_to_allow_everything_is_a_choice_of_the_host(root: Path) -> None:
    async def work(client: Client) -> None:
        assert said(await client.call_tool("bash", {"command": "echo hi"})) == "hi\n"

    run(mm(root, permission=AllowAll()), "auto", work)


def test_our_own_client_uses_our_own_server(root: Path) -> None:
    server = McpServer("there", [sys.executable, str(HOST), "stdio", str(root), "mm", "all"])
    with local.crab(root, permission=AllowAll(), mcp_servers=[server]) as runner:
        assert runner.execute("there__read_file", {"path": "a.txt"}) == "one\ntwo\n"
        refused = runner.call("there__edit_file", {"path": "a.txt", "edits": [{"old": "three", "new": "3"}]})
        assert refused.status is Status.FAILED
        assert "three" not in (root / "a.txt").read_text()
        assert runner["there__bash"].spec.kind is ToolKind.OTHER
