"""Calls that wait, as the SDK's interruptions; also of a host that was killed meanwhile."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import agents
import pytest
from agents import Agent, RunConfig, RunResult, RunState
from agents.items import ToolCallOutputItem
from agents.testing import ScriptedModel, assistant_message, function_call

from mmtools import AllowAll, Decision, Defer, Outcome, Permission, PermissionRequest, Runner, local
from mmtools.hosting.openai_agents import function_tools, in_context, rejection_texts
from mmtools.pending import PendingCall
from mmtools.policies.rules import Rule, Rules
from mmtools.ports.display import FinishedCall, StartedCall

EDIT = ("edit_file", {"path": "a.txt", "edits": [{"old": "one", "new": "1"}]})
MAKE = ("bash", {"command": "echo made >> made.txt"})
READ = ("read_file", {"path": "a.txt"})


class Heard:
    """A display that keeps what it is told."""

    def __init__(self) -> None:
        self.ends: list[Outcome] = []

    def started(self, call: StartedCall) -> None: ...

    def output(self, call_id: str, text: str) -> None: ...

    def finished(self, call: FinishedCall) -> None:
        self.ends.append(call.outcome)

    @property
    def statuses(self) -> list[str]:
        return [f"{outcome.tool} {outcome.status}" for outcome in self.ends]


class Host:
    """A program around one agent, which can die and be started anew."""

    def __init__(self, root: Path, *responses: Any, permission: Permission | None = None, **options: Any) -> None:
        self.heard = Heard()
        self.runner = local.mm(root, permission=permission or Defer(), display=self.heard, **options)
        numbers = iter(range(1, 100))
        self.model = ScriptedModel(
            [[function_call(*step, call_id=f"c{next(numbers)}") for step in response] for response in responses]
            + [[assistant_message("done")]]
        )
        tools = function_tools(self.runner, waiting=in_context)
        self.agent = Agent[Any](name="coder", model=self.model, tools=tools)
        self.config = RunConfig(tool_error_formatter=rejection_texts(self.runner, waiting=in_context))

    def go(self, state: RunState[Any, Any] | str = "go") -> RunResult:
        context: Any = {} if isinstance(state, str) else None
        running = agents.Runner.run(self.agent, state, context=context, run_config=self.config)
        return asyncio.run(running)

    def restored(self, text: str) -> RunState[Any, Any]:
        return asyncio.run(RunState.from_string(self.agent, text))


@pytest.fixture
def hosts() -> Any:
    made: list[Host] = []

    def make(*arguments: Any, **options: Any) -> Host:
        made.append(Host(*arguments, **options))
        return made[-1]

    yield make
    for host in made:
        host.runner.close()


def outputs(result: RunResult) -> list[Any]:
    return [item.output for item in result.new_items if isinstance(item, ToolCallOutputItem)]


def test_what_waits_can_be_shown_and_is_not_done(root: Path, hosts: Any) -> None:
    result = hosts(root, [EDIT, MAKE]).go()
    shown = [PendingCall.from_json(record) for record in in_context(result.context_wrapper.context).values()]
    assert [(each.tool, each.title) for each in shown] == [
        ("edit_file", "edit a.txt"),
        ("bash", "run: echo made >> made.txt"),
    ]
    assert [item.name for item in result.interruptions] == ["edit_file", "bash"]
    assert (root / "a.txt").read_text() == "one\ntwo\n"
    assert not (root / "made.txt").exists()


def test_approved_and_rejected_in_one_response(root: Path, hosts: Any) -> None:
    host = hosts(root, [EDIT, MAKE, READ], permission=Rules([Rule.allow("read*")], inner=Defer()))
    first = host.go()
    assert [item.output for item in first.new_items if isinstance(item, ToolCallOutputItem)] == [
        "1│one\n2│two\n"
    ] or outputs(first)
    state = first.to_state()
    edit, make = first.interruptions
    state.approve(edit)
    state.reject(make)
    result = host.go(state)
    assert result.final_output == "done"
    texts = {item.raw_item["call_id"]: item.output for item in result.new_items if isinstance(item, ToolCallOutputItem)}  # type: ignore[index, typeddict-item]
    assert "a.txt" in texts["c1"]
    assert texts["c2"].endswith("rejected by the user]")
    assert (root / "a.txt").read_text() == "1\ntwo\n"
    assert not (root / "made.txt").exists()
    assert in_context(result.context_wrapper.context) == {}
    assert host.heard.statuses.count("edit_file ok") == 1
    assert host.heard.statuses.count("read_file ok") == 1
    assert host.heard.statuses.count("bash rejected") == 1


def test_a_message_with_the_no_is_what_the_model_reads(root: Path, hosts: Any) -> None:
    host = hosts(root, [MAKE])
    state = host.go().to_state()
    state.reject(state.get_interruptions()[0], rejection_message="not today")
    assert outputs(host.go(state)) == ["not today"]
    assert not (root / "made.txt").exists()


def test_one_is_decided_and_the_other_still_waits(root: Path, hosts: Any) -> None:
    host = hosts(root, [EDIT, MAKE])
    state = host.go().to_state()
    state.approve(state.get_interruptions()[0])
    between = host.go(state)
    assert [item.name for item in between.interruptions] == ["bash"]
    assert (root / "a.txt").read_text() == "1\ntwo\n"
    state = host.restored(between.to_state().to_string())
    state.approve(state.get_interruptions()[0])
    assert host.go(state).final_output == "done"
    assert (root / "made.txt").read_text() == "made\n"
    assert host.heard.statuses.count("edit_file ok") == 1


def test_always_holds_for_later_calls_of_the_tool_and_for_no_other(root: Path, hosts: Any) -> None:
    host = hosts(root, [MAKE], [MAKE, EDIT])
    state = host.go().to_state()
    state.approve(state.get_interruptions()[0], always_approve=True)
    result = host.go(state)
    assert [item.name for item in result.interruptions] == ["edit_file"]
    assert (root / "made.txt").read_text() == "made\nmade\n"


def test_always_does_not_stand_above_a_rule_that_denies(root: Path, hosts: Any) -> None:
    host = hosts(
        root, [MAKE], [("bash", {"command": "rm a.txt"})], permission=Rules([Rule.deny("bash(rm)")], inner=Defer())
    )
    state = host.go().to_state()
    state.approve(state.get_interruptions()[0], always_approve=True)
    assert host.go(state).final_output == "done"
    assert (root / "a.txt").exists()


def test_arguments_that_only_the_runner_can_read_are_not_carried_out_unseen(root: Path, hosts: Any) -> None:
    host = hosts(root, [("bash", json.dumps(json.dumps(MAKE[1])))])
    state = host.go().to_state()
    state.approve(state.get_interruptions()[0])
    (text,) = outputs(host.go(state))
    assert text
    assert not (root / "made.txt").exists()


@pytest.mark.parametrize("sent", ["", "[1]", '"{}"', '{"command":'])
def test_what_the_sdk_has_approved_unseen_is_not_done_unseen(root: Path, hosts: Any, sent: str) -> None:
    host = hosts(root, [("bash", sent)])
    state = host.go().to_state()
    state.approve(state.get_interruptions()[0])
    (text,) = outputs(host.go(state))
    assert text == host.runner.execute("bash", sent)


def test_an_approval_whose_record_was_lost_does_nothing(root: Path, hosts: Any) -> None:
    first = hosts(root, [MAKE]).go()
    saved = json.loads(first.to_state().to_string())
    saved["context"]["context"] = {}
    host = hosts(root)
    state = host.restored(json.dumps(saved))
    state.approve(state.get_interruptions()[0])
    (text,) = outputs(host.go(state))
    assert "make the call again" in text
    assert not (root / "made.txt").exists()


def test_a_record_of_another_call_does_nothing(root: Path, hosts: Any) -> None:
    host = hosts(root, [MAKE, EDIT])
    state = host.go().to_state()
    assert state._context is not None
    kept = in_context(state._context.context)
    kept["c1"], kept["c2"] = kept["c2"], kept["c1"]
    for item in state.get_interruptions():
        state.approve(item)
    with pytest.raises(agents.UserError, match="record given with it"):
        host.go(state)
    assert not (root / "made.txt").exists()
    assert (root / "a.txt").read_text() == "one\ntwo\n"


def test_a_second_question_is_not_answered_by_the_approval_of_the_first(
    root: Path, hosts: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "b.txt"
    outside.write_text("one\n")
    host = hosts(root, [("edit_file", {**EDIT[1], "path": str(outside)})], outside="ask")
    state = host.go().to_state()
    state.approve(state.get_interruptions()[0])
    (text,) = outputs(host.go(state))
    assert "make the call again" in text
    assert outside.read_text() == "one\n"


def test_without_a_context_a_call_cannot_wait(root: Path, hosts: Any) -> None:
    host = hosts(root, [MAKE])
    with pytest.raises(agents.UserError, match=r"context=\{\}"):
        asyncio.run(agents.Runner.run(host.agent, "go"))


def test_a_host_may_keep_waiting_calls_anywhere(root: Path) -> None:
    kept: dict[str, str] = {}
    runner = local.mm(root, permission=Defer())
    script = ScriptedModel([[function_call(*MAKE, call_id="c1")], [assistant_message("done")]])
    agent = Agent[Any](name="coder", model=script, tools=function_tools(runner, waiting=lambda context: kept))
    with runner:
        state = asyncio.run(agents.Runner.run(agent, "go")).to_state()
        assert [*kept] == ["c1"]
        state.approve(state.get_interruptions()[0])
        asyncio.run(agents.Runner.run(agent, state))
    assert kept == {}
    assert (root / "made.txt").exists()


def test_a_streamed_run_waits_and_goes_on(root: Path, hosts: Any) -> None:
    host = hosts(root, [MAKE])

    async def stream(given: Any) -> Any:
        result = agents.Runner.run_streamed(host.agent, given, context={} if given == "go" else None)
        names = [event.name async for event in result.stream_events() if event.type == "run_item_stream_event"]
        return names, result

    async def both() -> None:
        names, first = await stream("go")
        assert "tool_output" not in names
        state = first.to_state()
        state.approve(state.get_interruptions()[0])
        names, second = await stream(state)
        assert "tool_output" in names
        assert second.final_output == "done"

    asyncio.run(both())
    assert (root / "made.txt").read_text() == "made\n"


def test_an_agent_within_a_tool_of_another_one_waits_too(root: Path, hosts: Any) -> None:
    inner = hosts(root, [MAKE])
    outer = ScriptedModel([[function_call("ask", {"input": "make it"}, call_id="o1")], [assistant_message("all done")]])
    asks = inner.agent.as_tool(tool_name="ask", tool_description="Ask the coder.")
    boss = Agent[Any](name="boss", model=outer, tools=[asks])
    state = asyncio.run(agents.Runner.run(boss, "go", context={})).to_state()
    (item,) = state.get_interruptions()
    assert item.name == "bash"
    state.approve(item)
    assert asyncio.run(agents.Runner.run(boss, state)).final_output == "all done"
    assert (root / "made.txt").read_text() == "made\n"


def test_runs_at_once_with_the_same_call_ids_keep_to_themselves(root: Path) -> None:
    async def one(name: str, runner: Runner) -> Any:
        calls = [function_call("bash", {"command": f"sleep 0.05; echo {name}"}, call_id="c1")]
        script = ScriptedModel([calls, [assistant_message("done")]])
        agent = Agent[Any](name="coder", model=script, tools=function_tools(runner, waiting=in_context))
        return outputs(await agents.Runner.run(agent, "go", context={}))

    async def all_at_once() -> list[Any]:
        with local.mm(root, permission=AllowAll()) as runner:
            return await asyncio.gather(*(one(name, runner) for name in "abc"))

    assert asyncio.run(all_at_once()) == [["a\n"], ["b\n"], ["c\n"]]


def guarded(host: Host, log: list[str], *, stops: int) -> None:
    """Have a guardrail of the SDK see each call, and stop the first ones."""

    def look(_: Any) -> agents.ToolGuardrailFunctionOutput:
        log.append("guardrail")
        if log.count("guardrail") <= stops:
            return agents.ToolGuardrailFunctionOutput.reject_content("no")
        return agents.ToolGuardrailFunctionOutput.allow()

    for tool in host.agent.tools:
        assert isinstance(tool, agents.FunctionTool)
        tool.tool_input_guardrails = [agents.ToolInputGuardrail(look)]


def test_a_guardrail_stands_between_the_question_and_the_act(root: Path, hosts: Any) -> None:
    log: list[str] = []

    class Asked(AllowAll):
        def decide(self, request: PermissionRequest) -> Decision:
            log.append(f"asked, made {(root / 'made.txt').exists()}")
            return super().decide(request)

    host = hosts(root, [MAKE, EDIT], [MAKE, EDIT], permission=Asked())
    guarded(host, log, stops=2)
    result = host.go()
    assert outputs(result)[:2] == ["no", "no"]
    assert log[:4] == ["asked, made False", "guardrail"] * 2
    assert (root / "made.txt").read_text() == "made\n"
    assert (root / "a.txt").read_text() == "1\ntwo\n"
    assert log[4:6] == ["asked, made False", "guardrail"]
    assert sorted(host.heard.statuses) == ["bash ok", "edit_file ok"]


def test_a_guardrail_may_still_stop_what_was_approved(root: Path, hosts: Any) -> None:
    host = hosts(root, [MAKE])
    guarded(host, [], stops=1)
    state = host.go().to_state()
    state.approve(state.get_interruptions()[0])
    assert outputs(host.go(state)) == ["no"]
    assert not (root / "made.txt").exists()


def test_hooks_hear_of_a_call_before_it_is_made(root: Path, hosts: Any) -> None:
    seen: list[tuple[str, bool]] = []

    class Hooks(agents.RunHooks[Any]):
        async def on_tool_start(self, context: Any, agent: Any, tool: Any) -> None:
            seen.append((tool.name, (root / "made.txt").exists()))

    host = hosts(root, [MAKE], permission=AllowAll())
    asyncio.run(agents.Runner.run(host.agent, "go", context={}, hooks=Hooks()))
    assert seen == [("bash", False)]
    assert (root / "made.txt").exists()


def test_a_call_is_shown_and_counted_once_when_it_is_made(root: Path, hosts: Any) -> None:
    host = hosts(root, [READ, EDIT], permission=Rules([Rule.allow("read*")], inner=Defer()))
    first = host.go()
    assert host.heard.statuses == ["read_file ok"]
    state = first.to_state()
    state.approve(first.interruptions[0])
    host.go(state)
    assert host.heard.statuses == ["read_file ok", "edit_file ok"]


def test_of_two_changes_of_one_file_the_second_is_asked_about_as_the_first_left_it(root: Path, hosts: Any) -> None:
    second = ("edit_file", {"path": "a.txt", "edits": [{"old": "1", "new": "uno"}]})
    host = hosts(root, [EDIT, second], permission=AllowAll())
    host.go()
    assert host.heard.statuses == ["edit_file ok", "edit_file ok"]
    assert (root / "a.txt").read_text() == "uno\ntwo\n"


#: A host that dies at once when its run is interrupted, after it has saved the run's state.
DYING = """
import asyncio, os, signal, sys
import agents
from agents import Agent
from agents.testing import ScriptedModel, function_call
from mmtools import Defer, local
from mmtools.hosting.openai_agents import function_tools, in_context

async def main():
    calls = [function_call("edit_file", {"path": "a.txt", "edits": [{"old": "one", "new": "1"}]}, call_id="c1"),
             function_call("bash", {"command": "echo made >> made.txt"}, call_id="c2")]
    tools = function_tools(local.mm(".", permission=Defer()), waiting=in_context)
    agent = Agent(name="coder", model=ScriptedModel([calls]), tools=tools)
    result = await agents.Runner.run(agent, "go", context={})
    open("state.json", "w").write(result.to_state().to_string())
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


@pytest.fixture(scope="module")
def left_behind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("killed")
    (root / "a.txt").write_text("one\ntwo\n")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    ended = subprocess.run([sys.executable, "-c", DYING], cwd=root, env=environment, check=False)
    assert ended.returncode == -9
    assert (root / "a.txt").read_text() == "one\ntwo\n"
    assert not (root / "made.txt").exists()
    return root


@pytest.fixture
def killed(left_behind: Path) -> Path:
    (left_behind / "a.txt").write_text("one\ntwo\n")
    (left_behind / "made.txt").unlink(missing_ok=True)
    return left_behind


def approved_after_restart(host: Host, root: Path) -> list[Any]:
    state = host.restored((root / "state.json").read_text())
    for item in state.get_interruptions():
        state.approve(item)
    result = host.go(state)
    assert result.final_output == "done"
    return outputs(result)


def test_approved_after_the_host_was_killed(killed: Path, hosts: Any) -> None:
    host = hosts(killed)
    approved_after_restart(host, killed)
    assert (killed / "a.txt").read_text() == "1\ntwo\n"
    assert (killed / "made.txt").read_text() == "made\n"
    assert host.heard.statuses == ["edit_file ok", "bash ok"]


def test_a_file_that_changed_while_the_host_was_dead_is_named_and_kept(killed: Path, hosts: Any) -> None:
    (killed / "a.txt").write_text("one\nmine\n")
    edited, _ = approved_after_restart(hosts(killed), killed)
    assert f"for {killed / 'a.txt'}" in edited
    assert "make the call again" in edited
    assert (killed / "a.txt").read_text() == "one\nmine\n"
    assert (killed / "made.txt").read_text() == "made\n"


def test_a_restarted_host_needs_no_deferral_of_its_own(killed: Path, hosts: Any) -> None:
    approved_after_restart(hosts(killed, permission=AllowAll()), killed)
    assert (killed / "a.txt").read_text() == "1\ntwo\n"


def test_nothing_is_asked_of_a_runner_that_is_closed(root: Path) -> None:
    runner: Runner = local.mm(root, permission=Defer())
    tools = function_tools(runner, waiting=in_context)
    runner.close()
    script = ScriptedModel([[function_call(*MAKE, call_id="c1")]])
    with pytest.raises(agents.UserError, match="this runner is closed"):
        asyncio.run(agents.Runner.run(Agent[Any](name="coder", model=script, tools=tools), "go", context={}))
