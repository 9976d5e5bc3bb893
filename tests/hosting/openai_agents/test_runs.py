"""Whole runs of an agent, with the SDK's own scripted model."""

from __future__ import annotations

import asyncio
import base64
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import agents
import pytest
from agents import Agent, ModelBehaviorError, RunResult
from agents.items import ToolCallOutputItem
from agents.models.openai_responses import Converter
from agents.testing import ScriptedModel, assistant_message, function_call
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from mmtools import AllowAll, Defer, LoopStopped, Permission, Runner, ToolKind, ToolSpec, local
from mmtools.call import Headline, Media, Report
from mmtools.errors import DefinitionError
from mmtools.hosting.openai_agents import function_tools, in_context
from mmtools.policies.rules import Rule, Rules
from mmtools.testing.permissions import Scripted
from mmtools.tool import Call
from tests.hypothesis_profiles import scaled
from tests.patience import PATIENCE_S

Step = tuple[str, Any]

#: The two ways in which a call reaches the runner: directly, or by the SDK's approval check.
WAYS = pytest.mark.parametrize("waiting", [None, in_context], ids=["direct", "approvals"])


def model(*responses: Sequence[Step] | Step) -> ScriptedModel:
    """Make the calls of each response, then say that it is done."""
    numbers = iter(range(1, 1000))

    def calls(response: Sequence[Step] | Step) -> list[Any]:
        steps = [response] if isinstance(response, tuple) else response
        return [function_call(name, arguments, call_id=f"c{next(numbers)}") for name, arguments in steps]

    return ScriptedModel([*map(calls, responses), [assistant_message("done")]])


async def run(runner: Runner, script: ScriptedModel, *, waiting: Any = None) -> RunResult:
    agent = Agent[Any](name="coder", model=script, tools=function_tools(runner, waiting=waiting))
    return await agents.Runner.run(agent, "go", context={}, max_turns=20)


def outputs(result: RunResult) -> list[Any]:
    return [item.output for item in result.new_items if isinstance(item, ToolCallOutputItem)]


@WAYS
def test_a_session(root: Path, waiting: Any) -> None:
    def edit(old: str) -> Step:
        return "edit_file", {"path": "a.txt", "edits": [{"old": old, "new": "2"}]}

    script = model(
        ("read_file", {"path": "a.txt"}), edit("tvo"), edit("two"), ("bash", {"command": "cat a.txt; exit 3"})
    )
    with local.mm(root, permission=AllowAll()) as runner:
        result = asyncio.run(run(runner, script, waiting=waiting))
    read, hint, edited, ran = outputs(result)
    assert "two" in read
    assert "did you mean" in hint.lower() or "two" in hint
    assert "a.txt" in edited
    assert "one\n2\n" in ran
    assert "3" in ran
    assert (root / "a.txt").read_text() == "one\n2\n"
    assert result.final_output == "done"


def test_a_refusal_is_what_the_model_reads(root: Path) -> None:
    with local.mm(root, permission=Rules([Rule.deny("bash(rm)")], inner=AllowAll())) as runner:
        direct = runner.execute("bash", {"command": "rm a.txt"})
        result = asyncio.run(run(runner, model(("bash", {"command": "rm a.txt"}), ("bash", {"command": "cat a.txt"}))))
    assert outputs(result) == [direct, "one\ntwo\n"]


@WAYS
def test_a_loop_ends_the_run(root: Path, waiting: Any) -> None:
    script = model(*[("read_file", {"path": "none.txt"})] * 9)
    with local.mm(root, permission=AllowAll()) as runner:
        with pytest.raises(ModelBehaviorError, match="turn stopped by the loop detector") as ended:
            asyncio.run(run(runner, script, waiting=waiting))
        stopped = ended.value.__cause__
    assert isinstance(stopped, LoopStopped)
    assert stopped.outcomes[0].tool == "read_file"
    assert ended.value.run_data is not None
    texts = [item.output for item in ended.value.run_data.new_items if isinstance(item, ToolCallOutputItem)]
    assert ["LOOP_DETECTED" in text for text in texts] == [False, False, True, True, True]
    assert script.remaining_steps == 4


@WAYS
def test_calls_of_one_response_keep_their_order(root: Path, waiting: Any) -> None:
    steps = [("bash", {"command": f"sleep {0.06 * i}; echo {i} >> log.txt"}) for i in (4, 3, 2, 1)]
    script = model([*steps, ("read_file", {"path": "log.txt"}), ("bash", {"command": "rm log.txt"})])
    with local.mm(root, permission=AllowAll()) as runner:
        result = asyncio.run(run(runner, script, waiting=waiting))
    read = outputs(result)[4]
    assert [line[-1] for line in read.splitlines()[-4:]] == ["4", "3", "2", "1"]
    assert not (root / "log.txt").exists()


@pytest.mark.parametrize("streamed", [False, True], ids=["run", "streamed"])
@WAYS
def test_cancelling_a_run_kills_what_it_runs(root: Path, waiting: Any, streamed: bool) -> None:
    command = "sleep 600 & echo $! > child; setsid sleep 600 & echo $! > away; wait"

    async def cancelled(runner: Runner) -> float:
        tools = function_tools(runner, waiting=waiting)
        agent = Agent[Any](name="coder", model=model(("bash", {"command": command})), tools=tools)
        if streamed:
            result = agents.Runner.run_streamed(agent, "go", context={})
            task: asyncio.Future[Any] = asyncio.ensure_future(_drain(result))
        else:
            task = asyncio.ensure_future(agents.Runner.run(agent, "go", context={}))
        while not all((root / name).exists() and (root / name).read_text() for name in ("child", "away")):
            await asyncio.sleep(0.02)
        begun = time.monotonic()
        if streamed:
            result.cancel()
        else:
            task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        while any(_alive(int((root / name).read_text())) for name in ("child", "away")):
            assert time.monotonic() - begun < PATIENCE_S
            await asyncio.sleep(0.01)
        return time.monotonic() - begun

    with local.mm(root, permission=AllowAll(), bash_timeout_s=300) as runner:
        print(f"dead after {asyncio.run(cancelled(runner)):.3f} s")


async def _drain(result: Any) -> None:
    async for _ in result.stream_events():
        pass


def _alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@frozen(kw_only=True)
class NoArgs:
    pass


@frozen(kw_only=True)
class Picture:
    """A tool that shows what a test asks for."""

    media: tuple[Media, ...]
    spec: ClassVar = ToolSpec(name="look", description="Look.", kind=ToolKind.READ, family="look", arguments=NoArgs)

    def headline(self, arguments: NoArgs) -> Headline:
        return Headline(text="")

    def execute(self, arguments: NoArgs, call: Call) -> str:
        call.report(Report(media=self.media))
        return "here\n"


@WAYS
def test_pictures_reach_the_model_and_other_media_are_named(waiting: Any) -> None:
    media = (Media("image/png", b"\x89PNG"), Media("audio/wav", b"RIFF"), Media("image/gif", b"GIF89a"))
    script = model(("look", {}))
    asyncio.run(run(Runner([Picture(media=media)], permission=AllowAll()), script, waiting=waiting))
    assert script.last_call is not None
    sent = script.last_call.input[-1]
    assert isinstance(sent, dict)
    text, png, gif = sent["output"]
    assert text == {"type": "input_text", "text": "here\n[audio/wav, 4 bytes: cannot be shown here]"}
    urls = [png["image_url"], gif["image_url"]]
    assert urls == [
        f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
        for kind, data in (("png", b"\x89PNG"), ("gif", b"GIF89a"))
    ]


@pytest.mark.filterwarnings("ignore:.*left out:UserWarning")
@pytest.mark.parametrize("dialect", [local.mm, local.crab])
def test_what_the_model_is_told_of_a_tool_is_its_declaration(root: Path, dialect: Any) -> None:
    with dialect(root, permission=AllowAll()) as runner:
        tools = function_tools(runner)
        sent = Converter.convert_tools(tools, handoffs=[]).tools
        for spec, each in zip(runner.specs, sent, strict=True):
            declared = json.loads(json.dumps(each))
            assert declared["name"] == spec.name
            assert declared["description"] == spec.description
            assert declared["parameters"] == spec.arguments_schema
            assert declared["strict"] is False


#: What a model may send instead of the arguments that it should.
SENT = st.one_of(
    st.text(max_size=20),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["path", "start", "x"]), inner),
        max_leaves=5,
    ).map(json.dumps),
)


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    root = tmp_path_factory.mktemp("read")
    (root / "a.txt").write_text("one\n")
    with local.mm(root, permission=AllowAll()) as runner:
        yield runner


@scaled(30)
@given(sent=SENT)
def test_arguments_are_judged_by_the_runner_alone(reader: Runner, sent: str) -> None:
    """Whatever is sent, the model reads what the runner says to it."""
    reader.reset()
    expected = reader.execute("read_file", sent)
    reader.reset()
    assert outputs(asyncio.run(run(reader, model(("read_file", sent))))) == [expected]


@scaled(30)
@given(sent=SENT)
def test_with_approvals_an_object_is_judged_by_the_runner_too(reader: Runner, sent: str) -> None:
    """The SDK has a person approve whatever is no JSON object, with every policy."""
    reader.reset()
    expected = reader.execute("read_file", sent)
    reader.reset()
    result = asyncio.run(run(reader, model(("read_file", sent)), waiting=in_context))
    try:
        objects = isinstance(json.loads(sent, parse_constant=lambda word: 1 / 0), dict)
    except (ValueError, ZeroDivisionError):
        objects = False
    assert outputs(result) == ([expected] if objects else [])
    assert len(result.interruptions) == (0 if objects else 1)


def test_a_name_that_openai_does_not_take_is_the_hosts_bug() -> None:
    class Named(Picture):
        spec: ClassVar = ToolSpec(name="a.b", description=".", kind=ToolKind.READ, family="x", arguments=NoArgs)

    with pytest.raises(DefinitionError, match="OpenAI does not take"):
        function_tools(Runner([Named(media=())], permission=AllowAll()))


def test_a_permission_that_defers_without_a_place_for_it_is_the_hosts_bug(root: Path) -> None:
    with local.mm(root, permission=Defer()) as runner, pytest.raises(agents.UserError, match="waiting=in_context"):
        asyncio.run(run(runner, model(("bash", {"command": "touch made"}))))
    assert not (root / "made").exists()


def test_a_question_is_answered_by_the_runners_own_permission(root: Path) -> None:
    """Without deferral, the SDK's approvals stay out of it."""
    permission: Permission = Scripted(["allow_once", "reject_once"])  # type: ignore[list-item]
    with local.mm(root, permission=permission) as runner:
        steps = [("bash", {"command": "echo yes"}), ("bash", {"command": "echo no"})]
        yes, no = outputs(asyncio.run(run(runner, model(steps), waiting=in_context)))
    assert yes == "yes\n"
    assert "rejected" in no


@WAYS
def test_a_guardrail_of_the_sdk_stands_before_a_call(root: Path, waiting: Any) -> None:
    def stop(_: Any) -> agents.ToolGuardrailFunctionOutput:
        return agents.ToolGuardrailFunctionOutput.reject_content("no")

    with local.mm(root, permission=AllowAll()) as runner:
        tools = function_tools(runner, waiting=waiting)
        for tool in tools:
            assert isinstance(tool, agents.FunctionTool)
            tool.tool_input_guardrails = [agents.ToolInputGuardrail(stop)]
        agent = Agent[Any](name="coder", model=model(("bash", {"command": "touch made"})), tools=tools)
        assert outputs(asyncio.run(agents.Runner.run(agent, "go", context={}))) == ["no"]
    assert not (root / "made").exists()


@WAYS
def test_the_sdks_own_timeout_kills_what_runs(root: Path, waiting: Any) -> None:
    with local.mm(root, permission=AllowAll(), bash_timeout_s=90) as runner:
        tools = function_tools(runner, waiting=waiting)
        for tool in tools:
            assert isinstance(tool, agents.FunctionTool)
            tool.timeout_seconds = 0.5
        command = "echo $$ > child; exec sleep 60"
        agent = Agent[Any](name="coder", model=model(("bash", {"command": command})), tools=tools)
        (text,) = outputs(asyncio.run(agents.Runner.run(agent, "go", context={})))
    assert "timed out" in text
    assert not _alive(int((root / "child").read_text()))


def test_a_missing_sdk_is_named_with_what_installs_it() -> None:
    code = "import sys\nsys.modules['agents'] = None\nimport mmtools.hosting.openai_agents"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.stderr.strip().splitlines()[-1].endswith("pip install openai-agents")
