"""Calls that wait for a decision: interrupts of a graph, which outlive its process."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command

from mmtools import Defer, Remember, Runner, local
from mmtools.hosting.langchain import tools
from mmtools.pending import PendingCall
from mmtools.policies.rules import Rule, Rules
from mmtools.testing.recorders import RecordingObserver
from tests.hosting.langchain.acting import GO, THREAD, WAYS, by_hand, go
from tests.hosting.langchain.scripted import Scripted, calls, results, scripted

APPROVE, REJECT = {"type": "approve"}, {"type": "reject", "message": "not today"}

APPEND = ("bash", {"command": "echo x >> log.txt; cat log.txt"})
EDIT = ("edit_file", {"path": "a.txt", "edits": [{"old": "one", "new": "1"}]})


def agent(runner: Runner, model: Scripted, builder: Any = create_agent) -> Any:
    if builder is by_hand:
        return by_hand(runner, model, checkpointer=InMemorySaver())
    return create_agent(model, tools(runner), checkpointer=InMemorySaver())


def deferring(root: Path, **options: Any) -> Runner:
    return local.mm(root, permission=Rules([Rule.allow("bash(echo free *)")], inner=Defer()), **options)


@WAYS
@pytest.mark.parametrize("builder", [create_agent, by_hand])
def test_an_approved_call_is_carried_out_once(root: Path, way: str, builder: Any) -> None:
    observer = RecordingObserver()
    with deferring(root, observer=observer) as runner:
        graph = agent(runner, scripted(calls(APPEND), calls(EDIT, start=2)), builder)
        (asked,) = go(graph, way)["__interrupt__"]
        assert not (root / "log.txt").exists()
        value = asked.value
        assert (value["type"], value["name"], value["tool_call_id"]) == ("tool_approval", "bash", "c1")
        assert value["args"]["command"] == APPEND[1]["command"]
        assert value["description"].startswith("run: echo x")
        assert PendingCall.from_json(value["pending"]).call_id == "c1"
        assert asked.response_schema["properties"]["type"] == {"enum": ["approve", "reject"]}
        (second,) = go(graph, way, Command(resume=APPROVE))["__interrupt__"]
        assert second.value["tool_call_id"] == "c2"
        final = go(graph, way, Command(resume={second.id: APPROVE}))
    ran, edited = results(final["messages"])
    assert (ran.text, edited.status) == ("x\n", "success")
    assert (root / "a.txt").read_text() == "1\ntwo\n"
    assert [each.outcome for each in observer.observations] == ["pending", "ok"] * 2


@WAYS
@pytest.mark.parametrize(
    ("answered", "said"),
    [
        (REJECT, "not today"),
        ({"type": "reject"}, "rejected by the user]"),
        (
            {"type": "edit", "edited_action": {"name": "bash", "args": {"command": "true"}}},
            "neither approve nor reject",
        ),
        (True, "neither approve nor reject"),
        ("approve", "neither approve nor reject"),
        ([APPROVE], "neither approve nor reject"),
    ],
)
def test_what_is_no_yes_is_a_no(root: Path, way: str, answered: Any, said: str) -> None:
    with deferring(root) as runner:
        graph = agent(runner, scripted(calls(APPEND)))
        go(graph, way)
        final = go(graph, way, Command(resume=answered))
    (message,) = results(final["messages"])
    assert (message.status, message.artifact["status"]) == ("error", "rejected")
    assert said in message.text
    assert not (root / "log.txt").exists()


@WAYS
def test_several_wait_at_once_and_each_gets_its_own_answer(root: Path, way: str) -> None:
    with deferring(root) as runner:
        response = calls(
            ("bash", {"command": "echo free 1 >> free.txt"}),
            APPEND,
            ("bash", {"command": "touch no.txt"}),
            EDIT,
            ("read_file", {"path": "a.txt"}),
        )
        graph = agent(runner, scripted(response))
        (root / "free.txt").touch()
        waiting = {each.value["tool_call_id"]: each.id for each in go(graph, way)["__interrupt__"]}
        assert {"c2", "c3", "c4"} <= set(waiting)
        answers = {waiting["c3"]: REJECT, waiting["c2"]: APPROVE}
        left = go(graph, way, Command(resume=answers))["__interrupt__"]
        assert "c4" in {each.value["tool_call_id"] for each in left}
        final = go(graph, way, Command(resume={each.id: APPROVE for each in left}))
    by_id = {message.tool_call_id: message for message in results(final["messages"])}
    assert by_id["c2"].text == "x\n"
    assert "not today" in by_id["c3"].text
    assert not (root / "no.txt").exists()
    assert by_id["c4"].status == by_id["c5"].status == "success"
    assert (root / "a.txt").read_text() == "1\ntwo\n"
    assert (root / "log.txt").read_text() == "x\n"


@WAYS
def test_calls_that_share_one_task_are_not_run_again_by_a_question(root: Path, way: str) -> None:
    with deferring(root) as runner:
        response = calls(("bash", {"command": "echo free 1"}), APPEND, EDIT)
        graph = agent(runner, scripted(response, calls(APPEND, start=4)), by_hand)
        state = go(graph, way)
        free, *others = results(state["messages"])
        assert free.text == "free 1\n"
        for message in others:
            assert message.status == "error"
            assert "only call of its response" in message.text
        (asked,) = state["__interrupt__"]
        assert asked.value["tool_call_id"] == "c4"
        final = go(graph, way, Command(resume=APPROVE))
    assert results(final["messages"])[-1].text == "x\n"
    assert (root / "log.txt").read_text() == "x\n"


@WAYS
def test_an_answer_to_something_else_approves_nothing(root: Path, way: str) -> None:
    with deferring(root) as runner:
        model = scripted(calls(APPEND))
        graph = create_agent(model, tools(runner), checkpointer=InMemorySaver(), interrupt_before=["tools"])
        go(graph, way)
        (asked,) = go(graph, way, Command(resume=APPROVE))["__interrupt__"]
        assert not (root / "log.txt").exists()
        final = go(graph, way, Command(resume={asked.id: APPROVE}))
    assert results(final["messages"])[0].text == "x\n"


def test_a_file_that_changed_meanwhile_is_kept_and_named(root: Path) -> None:
    with deferring(root) as runner:
        graph = agent(runner, scripted(calls(EDIT)))
        go(graph, "invoke")
        (root / "a.txt").write_text("one\nmine\n")
        final = go(graph, "invoke", Command(resume=APPROVE))
    (message,) = results(final["messages"])
    assert message.status == "error"
    assert f"no longer what was approved, for {root / 'a.txt'}, " in message.text
    assert (root / "a.txt").read_text() == "one\nmine\n"


def test_outside_a_graph_the_record_is_the_hosts_to_keep(root: Path) -> None:
    with deferring(root) as runner:
        bash = next(tool for tool in tools(runner) if tool.name == "bash")
        (call,) = calls(APPEND).tool_calls
        message = bash.invoke(call)
        assert "waits for a decision" in message.text
        assert PendingCall.from_json(message.artifact["pending"]).tool == "bash"


#: A host that dies with its questions open.
HOST = """
import json, os, signal, sqlite3, sys
from langchain.agents import create_agent
from langgraph.checkpoint.sqlite import SqliteSaver
from mmtools import Defer, local
from mmtools.hosting.langchain import tools
from tests.hosting.langchain.scripted import calls, scripted

root, checkpoints, response = sys.argv[1:]
with local.mm(root, permission=Defer()) as runner:
    saver = SqliteSaver(sqlite3.connect(checkpoints, check_same_thread=False))
    graph = create_agent(scripted(calls(*json.loads(response))), tools(runner), checkpointer=saver)
    state = graph.invoke({"messages": [("user", "go")]}, {"configurable": {"thread_id": "1"}})
    assert len(state["__interrupt__"]) == 3
    os.kill(os.getpid(), signal.SIGKILL)
"""

EDITS = [EDIT, ("edit_file", {"path": "b.txt", "edits": [{"old": "one", "new": "1"}]}), APPEND]


def test_questions_survive_the_death_of_their_process(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    checkpoints = tmp_path_factory.mktemp("home") / "checkpoints.sqlite"
    (root / "b.txt").write_text("one\ntwo\n")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    command = [sys.executable, "-c", HOST, str(root), str(checkpoints), json.dumps(EDITS)]
    killed = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert killed.returncode == -9, killed.stderr
    assert (root / "a.txt").read_text() == "one\ntwo\n"
    (root / "b.txt").write_text("one\nmine\n")

    saver = SqliteSaver(sqlite3.connect(checkpoints, check_same_thread=False))
    with local.mm(root, permission=Defer()) as runner:
        graph = create_agent(scripted(calls(*EDITS)), tools(runner), checkpointer=saver)
        waiting = graph.get_state(THREAD).interrupts
        assert [each.value["description"] for each in waiting][:2] == ["edit a.txt", "edit b.txt"]
        final = go(graph, "invoke", Command(resume={each.id: APPROVE for each in waiting}))
    saver.conn.close()
    applied, refused, ran = results(final["messages"])
    assert applied.status == "success"
    assert (root / "a.txt").read_text() == "1\ntwo\n"
    assert f"no longer what was approved, for {root / 'b.txt'}, " in refused.text
    assert (root / "b.txt").read_text() == "one\nmine\n"
    assert ran.text == "x\n"


@WAYS
def test_questions_answered_one_at_a_time_are_asked_once(root: Path, way: str) -> None:
    observer = RecordingObserver()
    with deferring(root, observer=observer) as runner:
        response = calls(*(("bash", {"command": f"echo {n} >> log.txt"}) for n in range(8)))
        graph = agent(runner, scripted(response))
        waiting = go(graph, way)["__interrupt__"]
        while waiting:
            state = go(graph, way, Command(resume={waiting[0].id: APPROVE}))
            waiting = state.get("__interrupt__", ())
    assert sorted((root / "log.txt").read_text().split()) == [str(n) for n in range(8)]
    assert sorted(each.outcome for each in observer.observations) == ["ok"] * 8 + ["pending"] * 8
    assert len(results(state["messages"])) == 8


def test_a_question_that_was_asked_is_the_one_that_is_answered(root: Path) -> None:
    with deferring(root) as runner:
        graph = agent(runner, scripted(calls(EDIT, APPEND)))
        first = {each.value["tool_call_id"]: each for each in go(graph, "invoke")["__interrupt__"]}
        (root / "a.txt").write_text("one\nmine\n")
        (left,) = go(graph, "invoke", Command(resume={first["c2"].id: APPROVE}))["__interrupt__"]
        assert left.value == first["c1"].value
        final = go(graph, "invoke", Command(resume=APPROVE))
    assert "no longer what was approved" in results(final["messages"])[0].text
    assert (root / "a.txt").read_text() == "one\nmine\n"


def test_an_always_reaches_the_policy(root: Path) -> None:
    with local.mm(root, permission=Remember(Defer())) as runner:
        graph = agent(runner, scripted(calls(APPEND), calls(APPEND, start=2)))
        go(graph, "invoke")
        final = go(graph, "invoke", Command(resume={**APPROVE, "always": True}))
    assert "__interrupt__" not in final
    assert [message.text for message in results(final["messages"])] == ["x\n", "x\nx\n"]


@pytest.mark.parametrize("limit", [1, 2])
@WAYS
def test_few_workers_are_enough(root: Path, way: str, limit: int) -> None:
    with deferring(root) as runner:
        graph = agent(runner, scripted(calls(APPEND, EDIT))).with_config(max_concurrency=limit)
        waiting = go(graph, way)["__interrupt__"]
        final = go(graph, way, Command(resume={each.id: APPROVE for each in waiting}))
    assert [message.status for message in results(final["messages"])] == ["success", "success"]


@WAYS
@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
def test_an_agent_inside_another_graph_asks_through_it(root: Path, way: str, durability: Any) -> None:
    with deferring(root) as runner:
        inner = create_agent(scripted(calls(APPEND, EDIT)), tools(runner))
        builder = StateGraph(MessagesState)
        builder.add_node("agent", inner)
        builder.add_edge(START, "agent")
        builder.add_edge("agent", END)
        graph = builder.compile(checkpointer=InMemorySaver())
        waiting = {
            each.value["tool_call_id"]: each.id for each in go(graph, way, durability=durability)["__interrupt__"]
        }
        (root / "a.txt").write_text("one\nmine\n")
        answer: Any = Command(resume={waiting["c1"]: APPROVE, waiting["c2"]: APPROVE})
        final = go(graph, way, answer, durability=durability)
    ran, refused = results(final["messages"])
    assert ran.text == "x\n"
    assert "no longer what was approved" in refused.text


def test_a_saver_without_blocking_calls(root: Path) -> None:
    async def run(runner: Runner) -> list[str]:
        async with AsyncSqliteSaver.from_conn_string(":memory:") as saver:
            graph: Any = create_agent(scripted(calls(APPEND, EDIT)), tools(runner), checkpointer=saver)
            waiting = (await graph.ainvoke(GO, THREAD))["__interrupt__"]
            final = await graph.ainvoke(Command(resume={each.id: APPROVE for each in waiting}), THREAD)
        return [message.status for message in results(final["messages"])]

    with deferring(root) as runner:
        assert asyncio.run(run(runner)) == ["success", "success"]


@WAYS
def test_langchains_own_approval_may_come_first(root: Path, way: str) -> None:
    with deferring(root) as runner:
        gate = HumanInTheLoopMiddleware[Any, Any, Any](interrupt_on={"bash": True}, interrupt_mode="per_call")
        graph = create_agent(scripted(calls(APPEND)), tools(runner), middleware=[gate], checkpointer=InMemorySaver())
        (theirs,) = go(graph, way)["__interrupt__"]
        assert "pending" not in theirs.value
        (ours,) = go(graph, way, Command(resume=APPROVE))["__interrupt__"]
        assert ours.value["pending"]
        assert not (root / "log.txt").exists()
        final = go(graph, way, Command(resume=APPROVE))
    assert results(final["messages"])[0].text == "x\n"


@WAYS
def test_a_graph_without_a_checkpointer_does_nothing_undecided(root: Path, way: str) -> None:
    with deferring(root) as runner:
        final = go(create_agent(scripted(calls(APPEND)), tools(runner)), way)
    (message,) = results(final["messages"])
    assert "waits for a decision" in message.text
    assert message.artifact["status"] == "pending"
    assert not (root / "log.txt").exists()


@WAYS
def test_a_further_question_is_another_interrupt(
    root: Path, way: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "b.txt"
    outside.write_text("one\n")
    edit = ("edit_file", {"path": str(outside), "edits": [{"old": "one", "new": "1"}]})
    with local.mm(root, permission=Defer(), outside="ask") as runner:
        graph = agent(runner, scripted(calls(edit)))
        (first,) = go(graph, way)["__interrupt__"]
        (second,) = go(graph, way, Command(resume=APPROVE))["__interrupt__"]
        assert first.value["description"] != second.value["description"]
        assert outside.read_text() == "one\n"
        final = go(graph, way, Command(resume=APPROVE))
    (message,) = results(final["messages"])
    assert outside.read_text() == ("1\n" if message.status == "success" else "one\n")
