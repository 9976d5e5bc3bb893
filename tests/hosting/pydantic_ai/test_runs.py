"""Real runs of an agent over a Runner, with the framework's own fake model."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai import Agent, BinaryContent, CancellationToken, capture_run_messages
from pydantic_ai.exceptions import RunCancelled, UnexpectedModelBehavior
from pydantic_ai.messages import FunctionToolResultEvent, ModelMessagesTypeAdapter
from pydantic_ai.models.test import TestModel

from mmtools import AllowAll, Choice, Decision, LoopStopped, Runner, Status, ToolKind, local, providers
from mmtools.call import Media
from mmtools.core.loop import LoopDetector
from mmtools.hosting.live import LiveDisplay
from mmtools.hosting.pydantic_ai import LiveOutput, RunnerToolset
from mmtools.testing.permissions import Scripted
from mmtools.testing.recorders import RecordingDisplay
from tests.hosting.pydantic_ai.acting import Step, runner_of
from tests.hosting.pydantic_ai.scripted import Call, Script, agent, ran, returns, told
from tests.hypothesis_profiles import scaled

BOTH = "def one():\n    return 1\n\n\ndef two():\n    return 1\n"


def alive(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_turn_from_a_first_look_to_a_finished_change(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text(BOTH)

    def edit(old: str) -> list[Call]:
        return [("edit_file", {"path": "code.py", "edits": [{"old": old, "new": "def two():\n    return 2"}]})]

    def as_the_hint_says(hint: str) -> list[Call]:
        return edit(hint.split("```")[1].strip("\n"))

    permission = Scripted([Choice.ALLOW_ONCE, Choice.ALLOW_ONCE, Decision(Choice.REJECT_ONCE, "not today")])
    with local.mm(tmp_path, permission=permission) as runner:
        run = agent(
            runner,
            [("read_file", {"path": "code.py"})],
            edit("def two():\n  return 1"),
            as_the_hint_says,
            [("bash", {"command": "grep -c 'return 2' code.py"})],
            [("bash", {"command": "rm code.py"})],
            "done",
        )
        result = ran(run, "make two return 2")
    read, failed, edited, counted, refused = told(result.all_messages())
    assert read == BOTH
    assert failed.startswith("old text not found: lines 5-6 differ")
    assert "code.py" in edited
    assert counted == "1\n"
    assert refused.endswith("rejected by the user]\nnot today")
    assert (tmp_path / "code.py").read_text() == BOTH[:-2] + "2\n"
    ends = [part.metadata["status"] for part in returns(result.all_messages())]
    assert ends == ["ok", "failed", "ok", "ok", "rejected"]
    assert result.output == "done"


def test_the_model_is_offered_what_the_runner_has(tmp_path: Path) -> None:
    script = Script("done")
    with local.mm(tmp_path, permission=AllowAll()) as runner:
        toolset = RunnerToolset[None](runner, id="mine")
        asyncio.run(Agent(script.model, toolsets=[toolset]).run("go"))
        assert toolset.id == "mine"
        expected = providers.mcp(runner.specs)
    assert script.offered is not None
    offered = script.offered.function_tools
    assert [tool.name for tool in offered] == [tool["name"] for tool in expected]
    assert [tool.description for tool in offered] == [tool["description"] for tool in expected]
    assert [tool.parameters_json_schema for tool in offered] == [tool["inputSchema"] for tool in expected]
    for tool in offered:
        jsonschema.Draft202012Validator.check_schema(tool.parameters_json_schema)
        assert tool.strict is False


def test_the_frameworks_model_that_makes_arguments_up_gets_through_every_tool(tmp_path: Path) -> None:
    with local.mm(tmp_path, permission=AllowAll()) as runner:
        result = asyncio.run(Agent(TestModel(), toolsets=[RunnerToolset[None](runner)]).run("go"))
        names = [spec.name for spec in runner.specs]
    assert [part.tool_name for part in returns(result.all_messages())] == names


def test_a_loop_ends_the_run_as_the_frameworks_own_error_and_the_talk_can_go_on(tmp_path: Path) -> None:
    same = ("read_file", {"path": "missing.txt"})
    with local.mm(tmp_path, permission=AllowAll()) as runner:
        run = agent(runner, *[[same]] * 5, [same, same], "another turn")
        with capture_run_messages() as messages, pytest.raises(UnexpectedModelBehavior, match="same read_file") as end:
            ran(run, "look")
        assert isinstance(end.value.__cause__, LoopStopped)
        assert end.value.__cause__.outcomes[-1].status is Status.FAILED
        assert len(told(messages)) >= 5
        assert ran(run, "go on", message_history=messages).output == "another turn"


async def started(root: Path) -> list[int]:
    """Wait for a command that notes its child and its grandchild."""
    grandchild = root / "grandchild"
    while not grandchild.exists() or not grandchild.read_text().endswith("\n"):
        await asyncio.sleep(0.01)
    pids = [int((root / name).read_text()) for name in ("child", "grandchild")]
    assert all(map(alive, pids))
    return pids


SLEEP: Call = ("bash", {"command": "bash -c 'echo $$ > child; sleep 60 & echo $! > grandchild; wait'"})


def test_a_cancelled_task_leaves_no_process(tmp_path: Path) -> None:
    async def host() -> None:
        with local.mm(tmp_path, permission=AllowAll()) as runner:
            task = asyncio.create_task(agent(runner, [SLEEP], "done").run("go"))
            pids = await started(tmp_path)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert not any(map(alive, pids))

    asyncio.run(host())


def test_a_run_that_the_framework_cancels_leaves_no_process_and_can_go_on(tmp_path: Path) -> None:
    async def host() -> None:
        with local.mm(tmp_path, permission=AllowAll()) as runner:
            talker, token = agent(runner, [SLEEP], "another turn"), CancellationToken()
            task = asyncio.create_task(talker.run("go", cancellation_token=token))
            pids = await started(tmp_path)
            token.cancel()
            with pytest.raises(RunCancelled) as end:
                await task
            assert not any(map(alive, pids))
            again = await talker.run("go on", message_history=end.value.all_messages())
            assert again.output == "another turn"

    asyncio.run(host())


def test_a_loop_stop_kills_what_still_runs_beside_it() -> None:
    met = threading.Barrier(2)
    reads, fetches = Step(ToolKind.READ), Step(ToolKind.FETCH, meeting=met)
    detector = LoopDetector(warn_after=1, stop_after=2)
    with Runner([reads, fetches], permission=AllowAll(), loop_detector=detector) as runner:
        calls = [("step_read", {"number": 1})]
        run = agent(runner, calls, [*calls, ("step_fetch", {"number": 1}), ("step_fetch", {"number": 2})])
        with pytest.raises(UnexpectedModelBehavior):
            ran(run, "go")
    assert sorted(fetches.notes) == [("begin", 1), ("begin", 2), ("end", 1), ("end", 2)]


def test_reads_of_one_response_run_side_by_side() -> None:
    reads = Step(ToolKind.READ, meeting=threading.Barrier(3))
    with runner_of([reads]) as runner:
        result = ran(agent(runner, [("step_read", {"number": n}) for n in range(3)], "done"), "go")
    assert told(result.all_messages()) == ["step 0", "step 1", "step 2"]


@scaled(25)
@given(st.lists(st.sampled_from(list(ToolKind)), min_size=1, max_size=8))
def test_a_change_sees_what_was_before_it_and_nothing_beside_it(kinds: list[ToolKind]) -> None:
    notes: list[tuple[str, int]] = []
    with runner_of(Step(kind, notes) for kind in ToolKind) as runner:
        calls = [(f"step_{kind.value}", {"number": number}) for number, kind in enumerate(kinds)]
        result = ran(agent(runner, list(calls), "done"), "go")
    assert told(result.all_messages()) == [f"step {number}" for number in range(len(kinds))]
    still = {ToolKind.READ, ToolKind.SEARCH, ToolKind.FETCH, ToolKind.THINK}
    for number, kind in enumerate(kinds):
        if kind not in still:
            begun, ended = notes.index(("begin", number)), notes.index(("end", number))
            assert ended == begun + 1
            assert {of for _, of in notes[:begun]} == set(range(number))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["path", "start", "x"]), inner, max_size=3)
    ),
    max_leaves=5,
)
broken = st.sampled_from(
    ["", " ", "{", "[1]", "null", '"a.txt"', '{"path": "a.txt", "path": "b"}', '{"start": NaN}', '{"start": 1e999}',
     '{"path": "\\ud800"}', "[" * 5000, '{"x": ' + "[" * 150 + "]" * 150 + "}",  '{"a":' * 5000, '{"INVALID_JSON": 1}', '{"start": ' + "9" * 5000 + "}"]
)  # fmt: skip
sent = st.dictionaries(st.sampled_from(["path", "start", "end", "x"]), values, max_size=3)


@scaled(40)
@given(st.lists(sent | sent.map(json.dumps) | values.map(json.dumps) | broken, min_size=1, max_size=5))
def test_arguments_of_any_kind_read_as_they_do_without_a_framework(
    tmp_path_factory: pytest.TempPathFactory, arguments: list[Any]
) -> None:
    root = tmp_path_factory.getbasetemp()
    (root / "a.txt").write_text("one\n")

    def host() -> Runner:
        return local.mm(root, permission=AllowAll(), loop_detector=LoopDetector(warn_after=900, stop_after=1000))

    with host() as runner:
        expected = [runner.execute("read_file", each) for each in arguments]
    with host() as runner:
        result = ran(agent(runner, [("read_file", each) for each in arguments], "done"), "go")
    assert told(result.all_messages()) == expected


def test_media_reach_the_model_beside_the_text_and_survive_storage() -> None:
    picture, sound = Media("image/png", b"\x89PNG"), Media("audio/wav", b"RIFF")
    with runner_of([Step(ToolKind.READ, shown=(picture, sound))]) as runner:
        result = ran(agent(runner, [("step_read", {})], "done"), "go")
    stored = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(result.all_messages()))
    for messages in (result.all_messages(), stored):
        ((text, *files),) = told(messages)
        assert text == "step 0"
        assert [(each.media_type, each.data) for each in files if isinstance(each, BinaryContent)] == [
            ("image/png", b"\x89PNG"),
            ("audio/wav", b"RIFF"),
        ]


def test_live_output_streams_before_its_result(tmp_path: Path) -> None:
    shown = RecordingDisplay()
    seen: list[str] = []

    async def watch(runner: Runner) -> None:
        run = agent(runner, [("bash", {"command": "echo one; sleep 0.1; echo two"})], "done")
        async with run.run_stream_events("go") as events:
            async for event in events:
                if isinstance(event, LiveOutput):
                    assert (event.tool_name, event.tool_call_id) == ("bash", "c1")
                    seen.append(event.text)
                elif isinstance(event, FunctionToolResultEvent):
                    seen.append(f"result: {event.part.content}")

    with local.mm(tmp_path, permission=AllowAll(), display=LiveDisplay(shown)) as runner:
        asyncio.run(watch(runner))
    assert "".join(seen) == "one\ntwo\nresult: one\ntwo\n"
    assert len(seen) > 2
    assert [call.outcome.call_id for call in shown.finished_calls] == ["c1"]


def test_two_runs_over_one_runner_hear_only_their_own(tmp_path: Path) -> None:
    async def heard(runner: Runner, word: str) -> str:
        run = agent(runner, [("bash", {"command": f"echo {word}; sleep 0.1; echo {word}"})], "done")
        async with run.run_stream_events("go") as events:
            return "".join([event.text async for event in events if isinstance(event, LiveOutput)])

    async def both() -> tuple[str, str]:
        with local.mm(tmp_path, permission=AllowAll(), display=LiveDisplay()) as runner:
            return await asyncio.gather(heard(runner, "left"), heard(runner, "right"))

    assert tuple(asyncio.run(both())) == ("left\nleft\n", "right\nright\n")


def test_a_runs_end_leaves_the_runner_open(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    with local.mm(tmp_path, permission=AllowAll()) as runner:
        for _ in range(2):
            ran(agent(runner, [("read_file", {"path": "a.txt"})], "done"), "go")
        assert runner.execute("read_file", {"path": "a.txt"}).startswith("one\n")
