"""Connected servers' tools in a toolset: which are offered, under which names, and where a call goes."""

from __future__ import annotations

import itertools
import re

from mmtools.policies.allow_all import AllowAll
from mmtools.ports.remote_tools import LeftOut, RemoteTool
from mmtools.runner import Runner
from mmtools.testing.files import MemoryFiles
from mmtools.testing.processes import ScriptedProcesses
from mmtools.testing.remote_tools import ScriptedRemoteTools
from mmtools.toolsets import mm, remote

SERVERS = {
    "files": ["read-file", "read_file", "read.file"],
    "a": ["b__c"],
    "a__b": ["c"],
    "acme_": ["status"],
    "acme": ["_status"],
    "bash": ["bash"],
    "long" * 30: ["tool" * 30, "tool" * 31],
}


def scripted(order: tuple[str, ...]) -> ScriptedRemoteTools:
    return ScriptedRemoteTools(RemoteTool(server=server, name=name) for server in order for name in SERVERS[server])


def test_every_name_is_valid_and_leads_to_its_tool_in_every_order_of_connection() -> None:
    offered = []
    for order in itertools.islice(itertools.permutations(SERVERS), 0, 5040, 97):
        built = remote.build(scripted(order))
        offered.append(dict(built.routes))
        runner = Runner(built.tools, permission=AllowAll())
        for spec in runner.specs:
            assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", spec.name)
            server, tool = built.routes[spec.name]
            assert runner.execute(spec.name) == f"{server}: {tool}"
    assert all(routes == offered[0] for routes in offered)
    assert set(offered[0].values()) == {(server, tool) for server, tools in SERVERS.items() for tool in tools}


def test_no_built_in_tool_is_shadowed() -> None:
    built_in = mm.build(processes=ScriptedProcesses(), files=MemoryFiles())
    joined = built_in.plus(*remote.build(scripted(tuple(SERVERS))).tools)
    assert len(joined) == len(built_in) + 10
    assert not {spec.name for spec in built_in.specs} & {spec.name for spec in joined.specs[len(built_in) :]}


def test_what_is_left_out_or_renamed_is_told() -> None:
    tools = [RemoteTool(server="s", name=name) for name in ("a.b", "a_b")]
    built = remote.build(
        ScriptedRemoteTools(tools, left_out=[LeftOut("x", "exit status 1"), LeftOut("s", "broken", "c")])
    )
    names = [tool.spec.name for tool in built.tools]
    assert names[1] == "s__a_b"
    assert built.notes == (
        "mcp server 'x' left out: exit status 1",
        "mcp server 's', tool 'c' left out: broken",
        f"mcp server 's', tool 'a.b' is offered as {names[0]}, to be unlike another tool",
    )


def test_the_limit_of_an_answer_is_the_hosts() -> None:
    [tool] = remote.build(ScriptedRemoteTools([RemoteTool(server="s", name="t")]), max_output=3).tools
    assert Runner([tool], permission=AllowAll()).execute("s__t").startswith("s: \n[… 1 more")
