"""What comes out of a session as the server sent it, and what the session answers when a server asks back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mmtools.adapters.mcp_client import McpClient
from mmtools.ports.remote_tool_problems import CallRefused
from mmtools.ports.remote_tools import McpServer, RemoteAnswer, TextBlock, UnreadableBlock
from tests.adapters.mcp.serving import ENVIRONMENT, call, connected, scripted, text

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def client() -> Any:
    with connected(scripted()) as client:
        yield client


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ({"method": "ping"}, {"result": {}}),
        ({"method": "roots/list"}, {"error": "List roots not supported"}),
        (
            {"method": "sampling/createMessage", "params": {"messages": [], "maxTokens": 1}},
            {"error": "Sampling not supported"},
        ),
        (
            {
                "method": "elicitation/create",
                "params": {"message": "m", "requestedSchema": {"type": "object", "properties": {}}},
            },
            {"error": "Elicitation not supported"},
        ),
        ({"method": "no/such"}, {"error": "Method not found"}),
        ({"method": "roots/list", "params": 7}, {"error": None}),
    ],
)
def test_a_server_that_asks_back_gets_an_answer(
    client: McpClient, asked: dict[str, Any], answer: dict[str, Any]
) -> None:
    if answer == {"error": None}:
        # No request as the protocol says: there is nobody to answer, and the connection goes on.
        assert text(call(client, "echo")) == "{}"
        return
    said = json.loads(text(call(client, "ask", **asked)))
    if "error" in said:
        said = {"error": said["error"]["message"]}
    assert said == answer


def test_a_server_is_told_the_roots_that_the_host_names(tmp_path: Path) -> None:
    plain = scripted()
    server = McpServer("rooted", plain.command, roots=(str(tmp_path),))
    with McpClient([server], directory="/", environment=ENVIRONMENT) as client:
        said = json.loads(text(call(client, "ask", method="roots/list")))
    assert said == {"result": {"roots": [{"uri": tmp_path.as_uri(), "name": tmp_path.name}]}}


@pytest.mark.parametrize(
    ("result", "answer"),
    [
        ({}, RemoteAnswer()),
        ({"content": []}, RemoteAnswer()),
        ({"content": None, "isError": None}, RemoteAnswer()),
        ({"content": "bare"}, RemoteAnswer(blocks=(TextBlock("bare"),))),
        (
            {"content": [{"type": "hologram"}, {"type": "text", "text": "a", "annotations": {"priority": "high"}}]},
            RemoteAnswer(blocks=(UnreadableBlock("hologram", "there is no such kind of content"), TextBlock("a"))),
        ),
        ({"structuredContent": [1], "isError": True}, RemoteAnswer(structured=[1], failed=True)),
    ],
)
def test_a_result_that_the_protocol_does_not_know_is_shown_as_far_as_it_goes(
    client: McpClient, result: dict[str, Any], answer: RemoteAnswer
) -> None:
    assert call(client, "result", result=result) == answer


def test_an_answer_that_does_not_fit_the_tools_own_schema_is_shown() -> None:
    tool = {"name": "result", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object", "required": ["x"]}}
    with connected(scripted(tools=[tool])) as client:
        assert call(client, "result", result={"structuredContent": {"y": 1}}).structured == {"y": 1}


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ('{"id": ID.0, "result": {"content": "a"}}', "a"),
        ('{"id": "ID", "result": {"content": "a"}, "error": null}', "a"),
        ('[{"jsonrpc": "2.0", "id": ID, "result": {"content": "a"}}]', "a"),
        ('{"jsonrpc": "2.0", "id": ID, "result": "a"}', CallRefused),
        ('{"jsonrpc": "2.0", "id": ID, "result": null}', CallRefused),
        ('{"jsonrpc": "2.0", "id": ID, "error": "out of paper"}', CallRefused),
        ('{"jsonrpc": "2.0", "id": ID, "error": {"code": -32000, "message": "Connection closed"}}', CallRefused),
    ],
)
def test_sloppy_answers_are_answers(client: McpClient, line: str, answer: str | type[CallRefused]) -> None:
    if isinstance(answer, str):
        assert text(call(client, "line", line=line)) == answer
        return
    with pytest.raises(answer):
        call(client, "line", line=line)


def test_an_error_of_the_protocol_keeps_its_words(client: McpClient) -> None:
    with pytest.raises(CallRefused) as refused:
        call(client, "refuse", error={"code": -32000, "message": "rate limit:\n  try later"})
    assert (refused.value.server, refused.value.reason) == ("scripted", "rate limit: try later")
