"""Two servers of the protocol's own authors, connected at once, as a model would use them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mmtools.call import Status
from mmtools.policies.allow_all import AllowAll
from mmtools.ports.remote_tools import McpServer
from mmtools.runner import Runner
from mmtools.toolsets import remote
from tests import programs
from tests.adapters.mcp.serving import ENVIRONMENT, connected, free_port, listening

EVERYTHING, FILESYSTEM = "mcp-server-everything", "mcp-server-filesystem"

pytestmark = [pytest.mark.needs(EVERYTHING, FILESYSTEM), pytest.mark.slow]

#: Every tool of `server-everything`, a call of it, and how its answer begins; what it says of itself in status and media.
CALLS: dict[str, tuple[dict[str, Any], str]] = {
    "echo": ({"message": "hé"}, "Echo: hé"),
    "get-annotated-message": ({"messageType": "error", "includeImage": True}, "Error: Operation failed\n[image: image/png, 4033 bytes]"),
    "get-env": ({}, "{"),
    "get-resource-links": ({"count": 1}, "Here are 1 resource links to resources available in this server:\n[link to the resource demo://resource/dynamic/"),
    "get-resource-reference": ({"resourceType": "Text", "resourceId": 1}, "Returning resource reference for Resource 1:\n[resource demo://resource/dynamic/text/1]\nResource 1: "),
    "get-structured-content": ({"location": "Chicago"}, '{"temperature":36,"conditions":"Light rain / drizzle","humidity":82}'),
    "get-sum": ({"a": 1, "b": 2.5}, "The sum of 1 and 2.5 is 3.5."),
    "get-tiny-image": ({}, "Here's the image you requested:\n[image: image/png, 4033 bytes]\nThe image above is the MCP logo."),
    "gzip-file-as-resource": ({"name": "a.gz", "data": "data:text/plain,hello", "outputType": "resource"}, "[resource demo://resource/session/a.gz: application/gzip, "),
    "toggle-simulated-logging": ({}, "Started simulated, random-leveled logging"),
    "toggle-subscriber-updates": ({}, "Started simulated resource updated notifications"),
    "trigger-long-running-operation": ({"duration": 0.1, "steps": 2}, "Long running operation completed. Duration: 0.1 seconds, Steps: 2."),
    "get-roots-list": ({}, "Current MCP Roots (1 total):"),
    "simulate-research-query": ({"topic": "tea"}, "MCP error -32601: Tool simulate-research-query requires task augmentation"),
}  # fmt: skip
FAILS = {"simulate-research-query"}
PICTURES = {"get-annotated-message", "get-tiny-image"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files").resolve()


@pytest.fixture(scope="module")
def runner(folder: Path) -> Iterator[Runner]:
    servers = [
        McpServer("everything", [programs.path(EVERYTHING)], roots=(str(folder),)),
        McpServer("files", [programs.path(FILESYSTEM), str(folder)]),
    ]
    with connected(*servers, directory=folder, environment={**ENVIRONMENT, "GIVEN": "yes"}) as client:
        assert client.left_out == ()
        offered = remote.build(client)
        assert offered.notes == ()
        yield Runner(offered.tools, permission=AllowAll())


def test_both_offer_their_tools(runner: Runner) -> None:
    names = [spec.name for spec in runner.specs]
    assert names[: len(CALLS)] == [f"everything__{name}" for name in CALLS]
    assert len(names[len(CALLS) :]) == 14
    assert all(name.startswith("files__") for name in names[len(CALLS) :])


@pytest.mark.parametrize("name", CALLS)
def test_every_tool_of_server_everything(runner: Runner, name: str) -> None:
    arguments, beginning = CALLS[name]
    outcome = runner.call(f"everything__{name}", arguments)
    assert outcome.text.startswith(beginning), outcome.text
    assert outcome.status is (Status.FAILED if name in FAILS else Status.OK)
    assert [media.mime_type for media in outcome.media] == ["image/png"] * (name in PICTURES)


def test_the_server_sees_the_environment_it_was_given_and_no_more(runner: Runner) -> None:
    seen = json.loads(runner.execute("everything__get-env"))
    assert seen["GIVEN"] == "yes"
    assert set(seen) <= {*ENVIRONMENT, "GIVEN", "MMTOOLS_CALL"}


def test_wrong_arguments_are_the_servers_to_refuse(runner: Runner) -> None:
    outcome = runner.call("everything__get-sum", {"a": "one"})
    assert outcome.status is Status.FAILED
    assert "Invalid arguments for tool get-sum" in outcome.text


def test_files_are_written_read_and_edited(runner: Runner, folder: Path) -> None:
    path = str(folder / "a.txt")
    assert runner.execute("files__write_file", {"path": path, "content": "one\n"}) == f"Successfully wrote to {path}"
    assert runner.execute("files__read_text_file", {"path": path}) == "one\n"
    edits = [{"oldText": "one", "newText": "two"}]
    assert "+two" in runner.execute("files__edit_file", {"path": path, "edits": edits})
    assert (folder / "a.txt").read_text() == "two\n"
    assert runner.execute("files__list_directory", {"path": str(folder)}) == "[FILE] a.txt"
    refused = runner.call("files__read_text_file", {"path": "/etc/passwd"})
    assert refused.status is Status.FAILED
    assert refused.text.startswith("Access denied - path outside allowed directories")


def test_the_same_server_at_an_address() -> None:
    port = free_port()
    with (
        listening([programs.path(EVERYTHING), "streamableHttp"], port, PORT=str(port)),
        connected(McpServer("everything", url=f"http://127.0.0.1:{port}/mcp")) as client,
    ):
        runner = Runner(remote.build(client).tools, permission=AllowAll())
        assert [spec.name.removeprefix("everything__") for spec in runner.specs] == [
            name for name in CALLS if name != "get-roots-list"
        ]
        for name in ("echo", "get-tiny-image", "get-sum", "trigger-long-running-operation"):
            arguments, beginning = CALLS[name]
            assert runner.execute(f"everything__{name}", arguments).startswith(beginning)
