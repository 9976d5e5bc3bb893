"""Several clients at once, and a list of tools that changes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.subscriptions import ServerEvent
from mcp_types import ServerNotification, ToolListChangedNotification

from mmtools import Permission, Runner, local
from mmtools.hosting.mcp_server import ToolServer
from mmtools.ports.display import Display
from tests.hosting.mcp_server.serving import ERAS, Person, http_host, run, said

pytestmark = pytest.mark.slow

ONE = {"path": "a.txt", "edits": [{"old": "one", "new": "1"}]}


def test_clients_do_not_see_one_another(root: Path) -> None:
    """Over HTTP, where they share a server: what one has read or was granted is not the other's, nor what it repeated."""

    async def talk(url: str) -> None:
        first, second = Person(["allow for this session"]), Person(["reject"])
        async with (
            Client(url, elicitation_callback=first) as one,
            Client(url, elicitation_callback=second) as two,
        ):
            for _ in range(4):
                assert (await one.call_tool("read", {"path": "no.txt"})).is_error
            for _ in range(2):
                assert "LOOP" not in said(await two.call_tool("read", {"path": "no.txt"}))
            await one.call_tool("read", {"path": "a.txt"})
            unread = await two.call_tool("edit", ONE)
            assert unread.is_error
            assert "read" in said(unread)
            assert second.asked == []
            both = await asyncio.gather(
                one.call_tool("edit", ONE), two.call_tool("bash", {"command": "touch made", "timeout": 5})
            )
            assert [each.is_error for each in both] == [False, True]
            again = {"path": "a.txt", "edits": [{"old": "two", "new": "2"}]}
            assert not (await one.call_tool("edit", again)).is_error
            assert (len(first.asked), len(second.asked)) == (1, 1)

    with http_host(root, "crab") as url:
        asyncio.run(talk(url))
    assert (root / "a.txt").read_text() == "1\n2\n"
    assert not (root / "made").exists()


def skilled(root: Path, opened: list[Runner]) -> ToolServer:
    (root / "skills").mkdir()

    def open_runner(asking: Permission, display: Display) -> Runner:
        opened.append(local.mm(root, permission=asking, display=display, skills_dir=root / "skills"))
        return opened[-1]

    return ToolServer(open_runner)


def learn(root: Path) -> None:
    (root / "skills" / "greet.md").write_text("---\ndescription: How to greet.\n---\nSay hello.\n")


async def names(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools(cache_mode="bypass")).tools]


def test_clients_of_the_handshake_are_told_that_the_tools_changed(root: Path) -> None:
    told: list[Any] = []
    changed = asyncio.Event()
    opened: list[Runner] = []
    server = skilled(root, opened)

    async def hear(message: object) -> None:
        if isinstance(message, ServerNotification):
            told.append(message)
            changed.set()

    async def talk() -> None:
        async with Client(server, mode="legacy", message_handler=hear) as client:
            assert client.server_capabilities is not None
            assert client.server_capabilities.tools is not None
            assert client.server_capabilities.tools.list_changed is True
            assert "read_skill" not in await names(client)
            learn(root)
            await server.renew()
            await asyncio.wait_for(changed.wait(), 20)
            assert "read_skill" in await names(client)

    asyncio.run(talk())
    assert [type(each) for each in told] == [ToolListChangedNotification]
    assert len(opened) == 2


def test_clients_that_listen_are_told_that_the_tools_changed(root: Path) -> None:
    opened: list[Runner] = []
    server = skilled(root, opened)

    async def talk() -> None:
        async with Client(server, mode="auto") as client:
            assert "read_skill" not in await names(client)
            async with client.listen(tools_list_changed=True) as events:
                learn(root)
                await server.renew()
                event: ServerEvent = await asyncio.wait_for(anext(aiter(events)), 20)
            assert type(event).__name__ == "ToolsListChanged"
            assert "read_skill" in await names(client)

    asyncio.run(talk())


@pytest.mark.parametrize("era", ERAS)
def test_a_call_that_runs_goes_on_to_its_end(root: Path, era: str) -> None:
    opened: list[Runner] = []
    server = skilled(root, opened)
    person = Person(["allow once"])

    async def work(client: Client) -> None:
        command = "touch up; while [ ! -e go ]; do sleep 0.02; done; echo done"
        running = asyncio.ensure_future(client.call_tool("bash", {"command": command}))
        while not (root / "up").exists():
            await asyncio.sleep(0.02)
        await server.renew()
        (root / "go").touch()
        assert said(await running) == "done\n"
        assert not (await client.call_tool("read_file", {"path": "a.txt"})).is_error

    run(server, era, work, person)
    with pytest.raises(Exception, match="closed"):
        opened[0].call("read_file", {"path": "a.txt"})


def test_every_runner_is_closed_at_the_end(root: Path) -> None:
    opened: list[Runner] = []
    server = skilled(root, opened)

    async def work(client: Client) -> None:
        await names(client)

    for era in ERAS:
        run(server, era, work)
    assert len(opened) == 2
    for runner in opened:
        with pytest.raises(Exception, match="closed"):
            runner.call("read_file", {"path": "a.txt"})
