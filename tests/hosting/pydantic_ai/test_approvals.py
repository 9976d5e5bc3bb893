"""Calls that wait as the framework's own approval requests, and go on as what was asked about or not at all."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, ToolApproved, ToolDenied
from pydantic_ai.capabilities import HandleDeferredToolCalls
from pydantic_ai.exceptions import UserError
from pydantic_ai.tools import RunContext
from pydantic_ai.toolsets import FunctionToolset

from mmtools import AllowAll, Choice, Decision, Defer, DefinitionError, PermissionRequest, Rule, Rules, Runner, local
from mmtools.hosting.pydantic_ai import RunnerToolset, decided
from mmtools.pending import PendingCall
from mmtools.testing.recorders import RecordingDisplay
from tests.hosting.pydantic_ai import desk
from tests.hosting.pydantic_ai.scripted import Call, Script, Step, agent, ran, returns, told

HOUSE = Path(__file__).parents[3]
EDIT: Call = ("edit_file", {"path": "a.txt", "edits": [{"old": "one", "new": "1"}]})
BASH: Call = ("bash", {"command": "echo made > made.txt"})
YES, NO = Decision(Choice.ALLOW_ONCE), Decision(Choice.REJECT_ONCE, "not today")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    return tmp_path


@pytest.fixture
def runner(root: Path) -> Iterator[Runner]:
    with local.mm(root, permission=Rules([Rule.allow("read*")], inner=Defer())) as runner:
        yield runner


class Talk:
    """An agent that is run up to its questions, then on with the answers."""

    def __init__(self, runner: Runner, *steps: Step) -> None:
        self.agent = agent(runner, *steps)
        self.result = ran(self.agent, "go")

    @property
    def requests(self) -> DeferredToolRequests:
        assert isinstance(self.result.output, DeferredToolRequests)
        return self.result.output

    def go_on(self, results: DeferredToolResults) -> list[Any]:
        history = self.result.all_messages()
        self.result = ran(self.agent, None, message_history=history, deferred_tool_results=results)
        return told(self.result.all_messages())

    def decide(self, *decisions: Decision) -> list[Any]:
        ids = [call.tool_call_id for call in self.requests.approvals]
        return self.go_on(decided(self.requests, dict(zip(ids, decisions, strict=True))))


def test_a_waiting_call_is_an_approval_request_with_its_record(runner: Runner, root: Path) -> None:
    talk = Talk(runner, [("read_file", {"path": "a.txt"}), EDIT])
    (call,) = talk.requests.approvals
    assert (call.tool_name, call.tool_call_id) == ("edit_file", "c2")
    record = PendingCall.from_json(talk.requests.metadata["c2"]["pending"])
    assert (record.call_id, record.title, record.tool) == ("c2", "edit a.txt", "edit_file")
    assert told(talk.result.all_messages()) == ["one\ntwo\n"]
    assert (root / "a.txt").read_text() == "one\ntwo\n"


@pytest.mark.parametrize("approval", [True, ToolApproved()])
def test_a_yes_in_the_frameworks_words(runner: Runner, root: Path, approval: bool | ToolApproved) -> None:
    talk = Talk(runner, [EDIT], "done")
    requests = talk.requests
    (text,) = talk.go_on(requests.build_results(approvals={"c1": approval}, metadata=requests.metadata))
    assert "a.txt" in text
    assert (root / "a.txt").read_text() == "1\ntwo\n"


@pytest.mark.parametrize(("approval", "said"), [(False, "denied"), (ToolDenied("not today"), "not today")])
def test_a_no_in_the_frameworks_words(runner: Runner, root: Path, approval: Any, said: str) -> None:
    talk = Talk(runner, [BASH], "done")
    (text,) = talk.go_on(talk.requests.build_results(approvals={"c1": approval}, metadata=talk.requests.metadata))
    assert said in text
    assert not (root / "made.txt").exists()
    assert next(returns(talk.result.all_messages())).outcome == "denied"


def test_a_no_in_the_runners_words(runner: Runner, root: Path) -> None:
    talk = Talk(runner, [BASH], "done")
    (text,) = talk.decide(NO)
    assert text.endswith("rejected by the user]\nnot today")
    assert not (root / "made.txt").exists()
    assert next(returns(talk.result.all_messages())).metadata == {"status": "rejected"}


def test_several_questions_of_one_response_are_answered_each(runner: Runner, root: Path) -> None:
    write: Call = ("write_file", {"path": "b.txt", "content": "b\n"})
    talk = Talk(runner, [EDIT, BASH, write], "done")
    assert len(talk.requests.approvals) == 3
    edited, refused, written = talk.decide(YES, NO, YES)
    assert "a.txt" in edited
    assert "not today" in refused
    assert "b.txt" in written
    assert sorted(path.name for path in root.iterdir()) == ["a.txt", "b.txt"]


def test_two_changes_of_one_file_were_not_asked_about_together(runner: Runner, root: Path) -> None:
    second: Call = ("edit_file", {"path": "a.txt", "edits": [{"old": "two", "new": "2"}]})
    first, refused = Talk(runner, [EDIT, second], "done").decide(YES, YES)
    assert "a.txt" in first
    assert "nothing was done" in refused
    assert f"no longer what was approved, for {root / 'a.txt'}" in refused
    assert (root / "a.txt").read_text() == "1\ntwo\n"


def test_a_call_may_wait_twice(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "b.txt"
    outside.write_text("one\n")
    edit: Call = ("edit_file", {"path": str(outside), "edits": [{"old": "one", "new": "1"}]})
    with local.mm(root, permission=Defer(), outside="ask") as runner:
        talk = Talk(runner, [edit], "done")
        assert talk.decide(YES) == []
        assert outside.read_text() == "one\n"
        titles = [PendingCall.from_json(talk.requests.metadata["c1"]["pending"]).title]
    assert titles[0].startswith("edit ")


def test_an_approval_without_its_record_is_the_hosts_mistake(runner: Runner, root: Path) -> None:
    talk = Talk(runner, [BASH], "done")
    with pytest.raises(UserError, match=r"bash was approved without its record: pass metadata=requests\.metadata"):
        talk.go_on(talk.requests.build_results(approve_all=True))
    assert not (root / "made.txt").exists()


def test_other_arguments_than_those_asked_about_are_not_approved(runner: Runner, root: Path) -> None:
    talk = Talk(runner, [BASH], "done")
    other = ToolApproved(override_args={"command": "rm a.txt"})
    results = talk.requests.build_results(approvals={"c1": other}, metadata=talk.requests.metadata)
    with pytest.raises(DefinitionError, match="the arguments of bash are not those that were asked about"):
        talk.go_on(results)
    assert (root / "a.txt").exists()


def test_the_record_of_another_call_approves_nothing(runner: Runner, root: Path) -> None:
    talk = Talk(runner, [BASH, BASH], "done")
    kept = talk.requests.metadata
    results = talk.requests.build_results(approve_all=True, metadata={"c1": kept["c2"], "c2": kept["c1"]})
    with pytest.raises(DefinitionError, match=r"the record given with it is of bash \(c2\)"):
        talk.go_on(results)
    assert not (root / "made.txt").exists()


def test_a_handler_may_answer_during_the_run(runner: Runner, root: Path) -> None:
    def handle(ctx: RunContext[None], requests: DeferredToolRequests) -> DeferredToolResults:
        return decided(requests, {"c1": YES, "c2": NO})

    script = Script([EDIT, BASH], "done")
    toolset = RunnerToolset[None](runner)
    host = Agent(script.model, toolsets=[toolset], capabilities=[HandleDeferredToolCalls(handler=handle)])
    result = asyncio.run(host.run("go"))
    edited, refused = told(result.all_messages())
    assert "a.txt" in edited
    assert refused.endswith("not today")
    assert (root / "a.txt").read_text() == "1\ntwo\n"


@pytest.mark.parametrize(("decision", "said"), [(YES, "launched"), (NO, "not today")])
def test_questions_of_other_toolsets_stay_theirs(runner: Runner, root: Path, decision: Decision, said: str) -> None:
    other = FunctionToolset[None]()

    @other.tool_plain(requires_approval=True)
    def launch() -> str:
        return "launched"

    script = Script([("mm_edit_file", EDIT[1]), ("launch", {})], "done")
    host = Agent(
        script.model,
        toolsets=[RunnerToolset[None](runner).prefixed("mm"), other],
        output_type=[str, DeferredToolRequests],
    )
    first = asyncio.run(host.run("go"))
    assert isinstance(first.output, DeferredToolRequests)
    results = decided(first.output, {"c1": YES, "c2": decision})
    again = asyncio.run(host.run(message_history=first.all_messages(), deferred_tool_results=results))
    assert told(again.all_messages())[-1] == said
    assert (root / "a.txt").read_text() == "1\ntwo\n"


def test_some_questions_may_wait_on_while_a_handler_answers_others(runner: Runner, root: Path) -> None:
    def handle(ctx: RunContext[None], requests: DeferredToolRequests) -> DeferredToolResults:
        return decided(requests, {"c1": YES})

    script = Script([EDIT, BASH], "done")
    host = Agent(
        script.model,
        toolsets=[RunnerToolset[None](runner)],
        output_type=[str, DeferredToolRequests],
        capabilities=[HandleDeferredToolCalls(handler=handle)],
    )
    result = asyncio.run(host.run("go"))
    assert isinstance(result.output, DeferredToolRequests)
    assert [call.tool_call_id for call in result.output.approvals] == ["c2"]
    assert (root / "a.txt").read_text() == "1\ntwo\n"
    assert not (root / "made.txt").exists()


def test_the_frameworks_own_approval_stands_before_the_runners(root: Path) -> None:
    script = Script([BASH], "done")
    with local.mm(root, permission=AllowAll()) as runner:
        toolset = RunnerToolset[None](runner).approval_required()
        host = Agent(script.model, toolsets=[toolset], output_type=[str, DeferredToolRequests])
        first = asyncio.run(host.run("go"))
        assert isinstance(first.output, DeferredToolRequests)
        assert not (root / "made.txt").exists()
        results = first.output.build_results(approve_all=True)
        asyncio.run(host.run(message_history=first.all_messages(), deferred_tool_results=results))
    assert (root / "made.txt").read_text() == "made\n"


def test_a_permission_that_is_awaited_answers_on_the_runs_loop(root: Path) -> None:
    loops: list[object] = []

    class EditorPermission:
        async def decide(self, request: PermissionRequest) -> Decision:
            loops.append(asyncio.get_running_loop())
            return NO if request.tool == "bash" else YES

    async def host() -> list[Any]:
        loops.append(asyncio.get_running_loop())
        with local.mm(root, permission=EditorPermission()) as runner:
            return told((await agent(runner, [EDIT, BASH], "done").run("go")).all_messages())

    edited, refused = asyncio.run(host())
    assert "a.txt" in edited
    assert refused.endswith("not today")
    assert len(loops) == 3
    assert len(set(map(id, loops))) == 1


def test_displays_see_the_call_wait_and_end(root: Path) -> None:
    display = RecordingDisplay()
    with local.mm(root, permission=Defer(), display=display) as runner:
        Talk(runner, [EDIT], "done").decide(YES)
    assert [(call.outcome.call_id, call.outcome.status.value) for call in display.finished_calls] == [
        ("c1", "pending"),
        ("c1", "ok"),
    ]


def test_a_decision_outlives_the_host(tmp_path: Path) -> None:
    roots = {name: tmp_path / name for name in ("same", "changed", "refused", "command")}
    for name, root in roots.items():
        root.mkdir()
        (root / "a.txt").write_text("one\ntwo\n")
        (root / "call.json").write_text(json.dumps(BASH if name == "command" else EDIT))
    command = [sys.executable, "-m", "tests.hosting.pydantic_ai.desk", *map(str, roots.values())]
    with subprocess.Popen(command, cwd=HOUSE, stdout=subprocess.PIPE, text=True) as host:
        assert host.stdout is not None
        assert host.stdout.readline() == "stored\n"
        host.kill()
    assert host.returncode == -9
    assert [(root / "a.txt").read_text() for root in roots.values()] == ["one\ntwo\n"] * 4
    (roots["changed"] / "a.txt").write_text("one\nmine\n")
    (roots["refused"] / "no.txt").write_text("not today")
    (same,), (changed,), (refused,), _ = [asyncio.run(desk.go_on(root)) for root in roots.values()]
    assert "a.txt" in same
    assert (roots["same"] / "a.txt").read_text() == "1\ntwo\n"
    assert f"no longer what was approved, for {roots['changed'] / 'a.txt'}" in changed
    assert (roots["changed"] / "a.txt").read_text() == "one\nmine\n"
    assert refused.endswith("not today")
    assert (roots["refused"] / "a.txt").read_text() == "one\ntwo\n"
    assert (roots["command"] / "made.txt").read_text() == "made\n"
