"""The client as a host sees it; how it deals with servers of every kind is tested in the folder beside this."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading

import pytest

from mmtools.adapters.mcp_client import McpClient
from mmtools.errors import DefinitionError
from mmtools.ports.remote_tools import RemoteTools
from tests.adapters.mcp.serving import ENVIRONMENT, call, connected, scripted, text

pytestmark = pytest.mark.slow


def test_tools_come_in_the_order_of_the_servers_and_of_their_lists() -> None:
    with connected(scripted("b"), scripted("a")) as client:
        remote: RemoteTools = client
        servers = [tool.server for tool in remote.tools]
        assert servers == sorted(servers, reverse=True)
        assert [tool.name for tool in remote.tools[: servers.count("b")]] == [
            tool.name for tool in remote.tools[servers.count("b") :]
        ]


def test_a_call_reaches_the_server_that_it_is_for() -> None:
    with connected(scripted("a__b"), scripted("a"), scripted("a b")) as client:
        for server in ("a__b", "a", "a b"):
            assert text(call(client, "echo", server=server, of=server)) == f'{{"of": "{server}"}}'


def test_two_servers_of_one_name_are_a_bug_and_none_is_started() -> None:
    threads = threading.active_count()
    with pytest.raises(DefinitionError, match="two MCP servers are named 'a'"):
        McpClient([scripted("a"), scripted("b"), scripted("a")], directory="/", environment=ENVIRONMENT)
    assert threading.active_count() == threads


def test_no_servers_are_no_tools() -> None:
    with connected() as client:
        assert (client.tools, client.left_out) == ((), ())


def test_a_client_that_is_forgotten_ends_its_servers() -> None:
    client = McpClient([scripted()], directory="/", environment=ENVIRONMENT)
    assert any(thread.name == "mmtools-mcp" for thread in threading.enumerate())
    del client
    gc.collect()
    assert not any(thread.name == "mmtools-mcp" for thread in threading.enumerate())


def test_many_calls_from_many_threads() -> None:
    with connected(scripted("a"), scripted("b")) as client:
        wrong: list[str] = []

        def work(number: int) -> None:
            for count in range(25):
                server = "ab"[(number + count) % 2]
                answer = text(call(client, "echo", server=server, n=[number, count]))
                if answer != f'{{"n": [{number}, {count}]}}':
                    wrong.append(answer)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []


def test_without_the_sdk_one_sentence_says_what_to_install() -> None:
    code = (
        "import sys\n"
        "from mmtools.adapters.mcp_client import McpClient\n"
        "from mmtools.ports.remote_tools import McpServer\n"
        "assert not {'mcp', 'pydantic', 'anyio', 'httpx2', 'jsonschema'} & set(sys.modules)\n"
        "sys.modules['mcp'] = None\n"
        "McpClient([McpServer('a', ['true'])], directory='/', environment={})\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (
        ended.stderr.strip()
        .splitlines()[-1]
        .endswith("DefinitionError: MCP servers need the package mcp: pip install mcp")
    )
