"""When each tool of crab is declared, and with which limits."""

from __future__ import annotations

from pathlib import Path

from mmtools import AllowAll, ToolCall
from mmtools.adapters.local_files import LocalFiles
from mmtools.adapters.ripgrep_search import RipgrepSearch, find_ripgrep
from mmtools.adapters.subprocesses import Subprocesses
from mmtools.ports.remote_tools import RemoteTool
from mmtools.ports.search import Search
from mmtools.runner import Runner
from mmtools.testing.files import MemoryFiles
from mmtools.testing.processes import ScriptedProcesses
from mmtools.testing.remote_tools import ScriptedRemoteTools
from mmtools.toolsets import crab, remote


def search() -> Search:
    program = find_ripgrep()
    assert program
    return RipgrepSearch(program)


def test_each_port_that_is_left_out_leaves_its_tools_out() -> None:
    files = MemoryFiles({})
    assert [spec.name for spec in crab.build(files=files).specs] == ["read", "write", "edit"]
    assert [spec.name for spec in crab.build(files=files, processes=ScriptedProcesses()).specs][3:] == ["bash"]
    assert [spec.name for spec in crab.build(files=files, search=search()).specs][3:] == ["glob", "grep"]


def test_other_programs_tools_come_last_and_shadow_nothing() -> None:
    servers = ScriptedRemoteTools([RemoteTool(server="x", name="bash"), RemoteTool(server="bash", name="read")])
    toolset = crab.build(files=MemoryFiles({})).plus(*remote.build(servers).tools)
    assert [spec.name for spec in toolset.specs] == ["read", "write", "edit", "x__bash", "bash__read"]


def test_the_limits_reach_the_tools(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("x" * 50 + "\n" + "y" * 50 + "\n")
    processes = Subprocesses(str(tmp_path), environment={})
    limits = crab.Limits(max_output=60, bash_timeout_s=0.2)
    toolset = crab.build(files=LocalFiles(tmp_path), processes=processes, search=search(), limits=limits)
    with Runner(toolset, permission=AllowAll(), on_close=(processes.close,)) as runner:
        read, found, slept = runner.call_many(
            [
                ToolCall("read", {"path": "long.txt"}),
                ToolCall("grep", {"pattern": "."}),
                ToolCall("bash", {"command": "sleep 9"}),
            ]
        )
    assert (read.truncated, found.truncated) == (True, True)
    assert "y" * 50 not in read.text
    assert "y" * 50 not in found.text
    assert slept.text.endswith("[error: 0.2s timeout exceeded]")
