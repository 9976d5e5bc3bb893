"""The scripted remote tools keep the port's promises."""

from __future__ import annotations

import pytest

from mmtools.call import Cancellation
from mmtools.ports.remote_tool_problems import Interrupted, NoAnswer, RemoteToolsClosed
from mmtools.ports.remote_tools import LeftOut, RemoteAnswer, RemoteTool, RemoteTools, TextBlock
from mmtools.testing.remote_tools import ScriptedRemoteTools

TOOL = RemoteTool(server="s", name="t")


def test_reactions_come_in_order_and_the_last_goes_on() -> None:
    said = [RemoteAnswer(blocks=(TextBlock(text),)) for text in "ab"]
    remote: RemoteTools = ScriptedRemoteTools([TOOL], [said[0], NoAnswer("s", 1.0), lambda tool, arguments: said[1]])
    assert remote.call(TOOL, {"n": 1}, cancellation=Cancellation()) == said[0]
    with pytest.raises(NoAnswer):
        remote.call(TOOL, {"n": 2}, cancellation=Cancellation())
    assert [remote.call(TOOL, {}, cancellation=Cancellation()) for _ in range(2)] == [said[1]] * 2
    assert isinstance(remote, ScriptedRemoteTools)
    assert remote.calls == [("s", "t", {"n": 1}), ("s", "t", {"n": 2}), ("s", "t", {}), ("s", "t", {})]


def test_without_a_script_an_answer_names_the_tool() -> None:
    remote = ScriptedRemoteTools([TOOL], left_out=[LeftOut("x", "gone")])
    assert remote.call(TOOL, {}, cancellation=Cancellation()).blocks == (TextBlock("s: t"),)
    assert (remote.tools, remote.left_out) == ((TOOL,), (LeftOut("x", "gone"),))


def test_a_cancelled_call_and_a_closed_port_do_nothing() -> None:
    remote = ScriptedRemoteTools([TOOL])
    cancellation = Cancellation()
    cancellation.request()
    with pytest.raises(Interrupted):
        remote.call(TOOL, {}, cancellation=cancellation)
    remote.close()
    remote.close()
    with pytest.raises(RemoteToolsClosed):
        remote.call(TOOL, {}, cancellation=Cancellation())
    assert remote.calls == []
