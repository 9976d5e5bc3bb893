"""How a connection begins: what a server may get wrong then, and what is said of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mmtools.ports.remote_tools import McpServer
from tests.adapters.mcp.scripted_server import TOOLS
from tests.adapters.mcp.serving import call, connected, scripted, text

pytestmark = pytest.mark.slow

NAMES = [tool["name"] for tool in TOOLS]


def test_servers_that_do_not_get_ready_are_left_out_with_a_reason_and_cost_no_other() -> None:
    servers = [
        scripted("fine"),
        scripted("silent", start="silent", start_timeout_s=0.5),
        McpServer("noise", ["sh", "-c", "echo 'usage: server [--help]'; sleep 1000"], start_timeout_s=3.0),
        scripted("deaf", start="deaf", start_timeout_s=0.5),
        scripted("exit", start="exit"),
        scripted("ancient", revision="1999-01-01"),
        scripted("unlisted", refuses=["tools/list"]),
        scripted("unwilling", refuses=["initialize", "server/discover"]),
        scripted("empty", tools=[]),
        scripted("broken", tools=[7]),
        McpServer("missing", ["/no/such/program"]),
        McpServer("astray", ["true"], cwd="/no/such/directory"),
    ]
    with connected(*servers) as client:
        assert [(each.server, each.tool, each.reason) for each in client.left_out] == [
            ("silent", None, "not ready within 0.5 s"),
            ("noise", None, "not ready within 3 s; it printed 'usage: server [--help]'"),
            ("deaf", None, "not ready within 0.5 s"),
            ("exit", None, "exit status 7: cannot read the key file"),
            ("ancient", None, "Unsupported protocol version from the server: 1999-01-01"),
            ("unlisted", None, "no tools/list here"),
            ("unwilling", None, "no initialize here"),
            ("empty", None, "it offers no tool"),
            ("broken", "number 1", "it has no name"),
            ("broken", None, "it offers no tool"),
            ("missing", None, "cannot be started: No such file or directory: /no/such/program"),
            ("astray", None, "cannot be started: No such file or directory: /no/such/directory"),
        ]
        assert {tool.server for tool in client.tools} == {"fine"}
        assert text(call(client, "echo")) == "{}"


def test_all_pages_are_read_and_one_broken_tool_costs_only_itself() -> None:
    tools = [*TOOLS[:3], {"name": "bad", "inputSchema": {"type": 3}}, {"description": "nameless"}, *TOOLS[3:], TOOLS[0]]
    with connected(scripted(tools=tools, pages=2)) as client:
        assert [tool.name for tool in client.tools] == NAMES
        assert [each.tool for each in client.left_out] == ["bad", "number 5", "echo"]


def test_a_list_that_goes_round_in_circles_ends() -> None:
    with connected(scripted(loops=True)) as client:
        assert [tool.name for tool in client.tools] == NAMES
        assert client.left_out == ()


def test_tools_that_change_right_after_the_start_are_listed_again() -> None:
    with connected(scripted(tools=TOOLS[:1], later=TOOLS)) as client:
        assert [tool.name for tool in client.tools] == NAMES


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_older_revisions_are_spoken(revision: str) -> None:
    with connected(scripted(revision=revision)) as client:
        assert text(call(client, "echo", a=None)) == '{"a": null}'


@pytest.mark.parametrize(
    "greeting",
    [
        {},
        {"protocolVersion": "2024-11-05"},
        {"protocolVersion": 7, "capabilities": None, "serverInfo": "me"},
        {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": []},
            "serverInfo": {"name": "me"},
            "instructions": 3,
        },
    ],
)
def test_a_server_that_says_little_or_nonsense_of_itself_is_spoken_to(greeting: dict[str, object]) -> None:
    with connected(scripted(greeting=greeting)) as client:
        assert text(call(client, "echo")) == "{}"


def test_a_server_of_the_newest_revision_only_is_spoken_to(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with connected(scripted(refuses=["initialize"], log=str(log))) as client:
        assert text(call(client, "echo", a=None)) == '{"a": null}'
    heard = [json.loads(line) for line in log.read_text().splitlines()]
    assert [each["method"] for each in heard] == ["initialize", "server/discover", "tools/list", "tools/call"]
    assert heard[-1]["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"


def test_nothing_is_added_to_a_call(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with connected(scripted(log=str(log))) as client:
        call(client, "echo", q={"n": 1, "kids": [{"n": 2}]}, t=None)
    heard = [json.loads(line) for line in log.read_text().splitlines()]
    assert heard[-1]["params"] == {"name": "echo", "arguments": {"q": {"n": 1, "kids": [{"n": 2}]}, "t": None}}
