"""Whole runs of an agent, with LangChain's own fake model."""

from __future__ import annotations

import asyncio
import base64
import importlib
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.checkpoint.memory import InMemorySaver

from mmtools import AllowAll, Choice, Decision, LoopDetector, LoopStopped, Runner, local, providers
from mmtools.call import Media
from mmtools.hosting.langchain import tools
from mmtools.hosting.langchain_stops import LoopStops
from mmtools.hosting.live import LiveDisplay
from mmtools.testing.payloads import json_values
from mmtools.testing.permissions import Scripted as ScriptedPermission
from tests.hosting.langchain.acting import GO, WAYS, Echo, by_hand, go
from tests.hosting.langchain.scripted import Script, calls, results, scripted
from tests.hypothesis_profiles import scaled
from tests.patience import PATIENCE_S

YES, NO = Decision(Choice.ALLOW_ONCE), Decision(Choice.REJECT_ONCE, "not today")

LOOP = [calls(("read_file", {"path": "none.txt"}), start=n) for n in range(1, 9)]


def edit(old: str, new: str, number: int) -> AIMessage:
    return calls(("edit_file", {"path": "a.txt", "edits": [{"old": old, "new": new}]}), start=number)


def from_the_hint(messages: Sequence[BaseMessage]) -> AIMessage:
    assert "    return 1" in messages[-1].text
    return edit("    return 1", "    return 2", 3)


@WAYS
@pytest.mark.parametrize("agent", [create_agent, by_hand])
def test_a_session(root: Path, way: str, agent: Any) -> None:
    (root / "a.txt").write_text("def one():\n    return 1\n")
    script: list[Script] = [
        calls(("read_file", {"path": "a.txt"})),
        edit("   return  1", "   return  2", 2),
        from_the_hint,
        calls(("bash", {"command": "cat a.txt"}), start=4),
        calls(("bash", {"command": "rm a.txt"}), start=5),
    ]
    with local.mm(root, permission=ScriptedPermission([YES, YES, NO])) as runner:
        model = scripted(*script)
        graph = by_hand(runner, model) if agent is by_hand else create_agent(model, tools(runner))
        final = go(graph, way)
    read, failed, edited, shown, refused = results(final["messages"])
    assert "return 1" in read.text
    assert (failed.status, failed.artifact["status"]) == ("error", "failed")
    assert (edited.status, edited.artifact["changed"]) == ("success", [str(root / "a.txt")])
    assert "return 2" in shown.text
    assert (refused.status, refused.artifact["status"]) == ("error", "rejected")
    assert refused.text.endswith("not today")
    assert (root / "a.txt").read_text() == "def one():\n    return 2\n"
    assert final["messages"][-1].text == "done"


def test_calls_of_one_response_keep_their_order(root: Path) -> None:
    steps = [("bash", {"command": f"sleep 0.{9 - i}; echo {i} >> log.txt"}) for i in range(8, 5, -1)]
    with local.mm(root, permission=AllowAll()) as runner:
        final = go(
            create_agent(scripted(calls(*steps, ("bash", {"command": "cat log.txt"}))), tools(runner)), "ainvoke"
        )
    answered = results(final["messages"])
    assert [message.tool_call_id for message in answered] == ["c1", "c2", "c3", "c4"]
    assert answered[3].text == "8\n7\n6\n"


@WAYS
def test_a_loop_stop_ends_the_run_with_a_whole_history(root: Path, way: str) -> None:
    with local.mm(root, permission=AllowAll()) as runner:
        graph = create_agent(scripted(*LOOP), tools(runner), middleware=[LoopStops()], checkpointer=InMemorySaver())
        final = go(graph, way)
        *_, stopped, last = final["messages"]
        assert isinstance(stopped, ToolMessage)
        assert isinstance(last, AIMessage)
        assert last.text == stopped.text
        assert "stopped by the loop detector" in last.text
        made = {
            call["id"] for message in final["messages"] if isinstance(message, AIMessage) for call in message.tool_calls
        }
        assert made == {message.tool_call_id for message in results(final["messages"])}
        again = go(graph, way, {"messages": [HumanMessage("go on")]})
    assert len(again["messages"]) > len(final["messages"]) + 1


@WAYS
@pytest.mark.parametrize("agent", [create_agent, by_hand])
def test_without_the_middleware_a_loop_stop_is_raised(root: Path, way: str, agent: Any) -> None:
    with local.mm(root, permission=AllowAll()) as runner:
        model = scripted(*LOOP)
        graph = by_hand(runner, model) if agent is by_hand else create_agent(model, tools(runner))
        with pytest.raises(LoopStopped) as stop:
            go(graph, way)
    assert stop.value.outcomes[0].tool == "read_file"


@pytest.mark.parametrize("streamed", [False, True], ids=["run", "streamed"])
def test_cancelling_a_run_kills_what_it_runs(root: Path, streamed: bool) -> None:
    command = "sleep 600 & echo $! > child; setsid sleep 600 & echo $! > away; wait"

    async def cancelled(runner: Runner) -> float:
        graph = create_agent(scripted(calls(("bash", {"command": command}))), tools(runner))
        task = asyncio.ensure_future(_drained(graph) if streamed else graph.ainvoke(GO))
        while not all((root / name).exists() and (root / name).read_text() for name in ("child", "away")):
            await asyncio.sleep(0.02)
        begun = time.monotonic()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        while any(_alive(int((root / name).read_text())) for name in ("child", "away")):
            assert time.monotonic() - begun < PATIENCE_S
            await asyncio.sleep(0.01)
        return time.monotonic() - begun

    with local.mm(root, permission=AllowAll(), bash_timeout_s=300) as runner:
        print(f"dead after {asyncio.run(cancelled(runner)):.3f} s")


async def _drained(graph: Any) -> None:
    async for _ in graph.astream(GO):
        pass


def _alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.mark.parametrize("arguments", [{"path": 5}, {}, {"path": "a.txt", "start": "one"}, {"path": ["a.txt"]}])
def test_arguments_are_checked_by_the_runner(root: Path, arguments: dict[str, Any]) -> None:
    with local.mm(root, permission=AllowAll()) as runner:
        final = go(create_agent(scripted(calls(("read_file", arguments))), tools(runner)), "invoke")
        expected = runner.execute("read_file", arguments)
    (message,) = results(final["messages"])
    assert message.status == "error"
    assert message.text == expected
    assert "path" in message.text or "start" in message.text


#: Words that LangChain gives a meaning to among a tool's arguments.
_TAKEN = [
    "config",
    "run_manager",
    "callbacks",
    "runtime",
    "self",
    "sent",
    "state",
    "store",
    "args",
    "kwargs",
    "tool_call_id",
]


@scaled(25)
@given(st.dictionaries(st.sampled_from(_TAKEN) | st.text(max_size=5), json_values(), max_size=4))
def test_arguments_arrive_as_they_were_sent(arguments: dict[str, Any]) -> None:
    patient = LoopDetector(warn_after=1_000, stop_after=2_000)
    runner = Runner([Echo()], permission=AllowAll(), loop_detector=patient)
    (echo,) = tools(runner)
    expected = runner.execute("echo", arguments)
    call = {"type": "tool_call", "id": "c1", "name": "echo", "args": arguments}
    assert echo.invoke(arguments) == expected
    assert echo.invoke(call).text == expected
    assert asyncio.run(echo.ainvoke(call)).text == expected


@pytest.mark.parametrize("agent", [create_agent, by_hand])
def test_a_graph_hands_over_nothing_of_its_own(agent: Any) -> None:
    arguments = dict.fromkeys(_TAKEN, "kept")
    runner = Runner([Echo()], permission=AllowAll())
    model = scripted(calls(("echo", arguments)))
    graph = by_hand(runner, model) if agent is by_hand else create_agent(model, tools(runner))
    assert json.loads(results(go(graph, "invoke")["messages"])[0].text) == arguments


def test_a_loop_of_ones_own_needs_no_graph(root: Path) -> None:
    with local.mm(root, permission=AllowAll()) as runner:
        by_name = {tool.name: tool for tool in tools(runner)}
        (call,) = calls(("bash", {"command": "exit 3"})).tool_calls
        message = by_name["bash"].invoke(call)
        assert isinstance(message, ToolMessage)
        assert (message.tool_call_id, message.name, message.status) == ("c1", "bash", "error")
        assert by_name["read_file"].invoke('{"path": "a.txt"}') == runner.execute("read_file", {"path": "a.txt"})


@WAYS
def test_pictures_and_files_reach_the_model_and_other_media_are_named(way: str) -> None:
    media = (Media("image/png", b"\x89PNG"), Media("audio/wav", b"RIFF"), Media("application/pdf", b"%PDF"))
    runner = Runner([Echo(media=media)], permission=AllowAll())
    model = scripted(calls(("echo", {})))
    go(create_agent(model, tools(runner), checkpointer=InMemorySaver()), way)
    assert model.asked[-1][-1].content == [
        {"type": "text", "text": "{}\n[audio/wav, 4 bytes: cannot be shown here]"},
        {"type": "image", "base64": base64.b64encode(b"\x89PNG").decode(), "mime_type": "image/png"},
        {"type": "file", "base64": base64.b64encode(b"%PDF").decode(), "mime_type": "application/pdf"},
    ]


@pytest.mark.filterwarnings("ignore:.*left out:UserWarning")
@pytest.mark.parametrize("dialect", [local.mm, local.crab])
def test_what_a_model_api_is_sent_is_the_declaration(root: Path, dialect: Any) -> None:
    with dialect(root, permission=AllowAll()) as runner:
        assert [convert_to_openai_tool(tool) for tool in tools(runner)] == providers.openai_chat(runner.specs)
        assert [tool.name for tool in tools(runner)] == [spec.name for spec in runner.specs]


def test_live_output_is_streamed_as_the_tools_own() -> None:
    async def streamed() -> list[Any]:
        runner = Runner([Echo()], permission=AllowAll(), display=LiveDisplay())
        graph: Any = create_agent(scripted(calls(("echo", {}))), tools(runner))
        return [chunk async for chunk in graph.astream(GO, stream_mode="tools")]

    runner = Runner([Echo()], permission=AllowAll(), display=LiveDisplay())
    graph: Any = create_agent(scripted(calls(("echo", {}))), tools(runner))
    blocking = list(graph.stream(GO, stream_mode="tools"))
    for chunks in (asyncio.run(streamed()), blocking):
        events = [(chunk["event"], chunk["tool_call_id"]) for chunk in chunks]
        assert [name for name, _ in events] == [
            "tool-started",
            "tool-output-delta",
            "tool-output-delta",
            "tool-finished",
        ]
        assert {of for _, of in events} == {"c1"}
        assert [chunk["delta"] for chunk in chunks if chunk["event"] == "tool-output-delta"] == ["live ", "output"]
        assert chunks[0]["input"] == {}


@pytest.mark.parametrize(
    ("module", "needed"),
    [
        ("langchain", "langgraph.prebuilt"),
        ("langchain", "langchain_core.tools"),
        ("langchain_stops", "langchain.agents.middleware"),
    ],
)
def test_a_missing_framework_is_one_clear_sentence(monkeypatch: pytest.MonkeyPatch, module: str, needed: str) -> None:
    monkeypatch.delitem(sys.modules, f"mmtools.hosting.{module}")
    monkeypatch.setitem(sys.modules, needed, None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install langchain[a-z -]*$"):
        importlib.import_module(f"mmtools.hosting.{module}")


def test_a_tool_can_be_written_down_by_tracing(root: Path) -> None:
    with local.mm(root, permission=AllowAll()) as runner:
        for tool in tools(runner):
            assert "runner" not in json.loads(tool.model_dump_json())
            assert "runner" not in repr(tool)
