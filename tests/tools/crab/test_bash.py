"""crab `bash`: its contract, its translation and its words; what it does is tested on `run_command`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mmtools import AllowAll, Remember, Runner, Toolset
from mmtools.adapters.subprocesses import Subprocesses
from mmtools.call import CommandPreview, GrantScope, Headline, Status, ToolKind
from mmtools.errors import ArgumentsRefused, ToolFailure
from mmtools.ports.permission import Choice, Decision, PermissionRequest
from mmtools.ports.processes import DirectoryMissing
from mmtools.testing.calls import StubCall
from mmtools.testing.processes import Scripted, ScriptedProcesses
from mmtools.tools.crab.bash import Bash, BashArgs


def test_the_declaration_is_that_of_the_page() -> None:
    spec = Bash(processes=ScriptedProcesses(), timeout_s=12.5).spec
    assert (spec.name, spec.kind, spec.family) == ("bash", ToolKind.EXECUTE, "command")
    schema = spec.arguments_schema
    assert (list(schema["properties"]), schema["required"]) == (["command", "timeout"], ["command"])
    assert schema["properties"]["timeout"]["maximum"] == 600
    assert "12.5 s" in spec.description


SLOW = Scripted(pieces=("so far",), takes_s=60)


def test_a_timeout_kills_and_says_how_to_get_more() -> None:
    tool = Bash(processes=ScriptedProcesses({"it": SLOW}), timeout_s=0.25)
    assert tool.execute(BashArgs(command="it"), StubCall()) == (
        "so far\n[killed with all it started; send a longer timeout, up to 600; to let it go on, send it as (COMMAND) > "
        "out.log 2>&1 & and read out.log later]\n[error: 0.25s timeout exceeded]"
    )


def test_the_models_timeout_counts(tmp_path: Path) -> None:
    with Subprocesses(tmp_path, environment=dict(os.environ), grace_s=0.2) as processes:
        text = Bash(processes=processes, timeout_s=60).execute(BashArgs(command="sleep 60", timeout=1), StubCall())
        assert text.endswith("[error: 1s timeout exceeded]")
        text = Bash(processes=processes, timeout_s=0.2).execute(
            BashArgs(command="sleep 0.4; echo in time", timeout=60), StubCall()
        )
        assert text == "in time\n"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"command": "true"}, Status.OK),
        ({"cmd": "true", "timeout": 600}, Status.OK),
        ({"script": "true", "timeout": "30"}, Status.OK),
        ({"command": "true", "timeout": None}, Status.OK),
        ({"command": "true", "timeout": 601}, Status.FAILED),
        ({"command": "true", "timeout": 30_000}, Status.FAILED),
        ({"command": "true", "timeout": -1}, Status.FAILED),
        ({"command": "true", "timeout": 0.5}, Status.FAILED),
        ({"command": "true", "timeout": True}, Status.FAILED),
        ({}, Status.FAILED),
        ({"command": " "}, Status.FAILED),
        ({"command": "a\0b"}, Status.FAILED),
    ],
)
def test_arguments_are_understood_or_refused(sent: object, status: Status) -> None:
    runner = Runner(Toolset([Bash(processes=ScriptedProcesses({"true": ""}))]), permission=AllowAll())
    assert runner.call("bash", sent).status is status


def test_too_long_a_timeout_is_refused_with_the_limit() -> None:
    runner = Runner(Toolset([Bash(processes=ScriptedProcesses())]), permission=AllowAll())
    text = runner.execute("bash", {"command": "true", "timeout": 30_000})
    assert "timeout" in text
    assert "600" in text


# Permission


def test_the_question_shows_the_command_and_an_all_covers_every_command() -> None:
    call = StubCall()
    Bash(processes=ScriptedProcesses({"rm -rf build": ""}, directory="/repo")).execute(
        BashArgs(command="rm -rf build"), call
    )
    (proposal,) = call.proposals
    assert (proposal.title, proposal.preview) == ("run: rm -rf build", CommandPreview("rm -rf build", "/repo"))
    assert proposal.scope == GrantScope("class:execute", "every command of this session")


class Answers:
    """A policy that gives the answers in order, and keeps the requests."""

    def __init__(self, *choices: Choice) -> None:
        self.choices = list(choices)
        self.asked: list[str] = []

    def decide(self, request: PermissionRequest) -> Decision:
        self.asked.append(request.title)
        return Decision(self.choices.pop(0))


def test_yes_covers_one_call_and_all_the_session() -> None:
    processes = ScriptedProcesses(dict.fromkeys(["a", "b", "c"], ""))
    answers = Answers(Choice.ALLOW_ONCE, Choice.ALLOW_ALWAYS, Choice.REJECT_ONCE)
    remember = Remember(answers)
    runner = Runner(Toolset([Bash(processes=processes)]), permission=remember)
    for command in ("a", "b", "c"):
        runner.execute("bash", {"command": command})
    assert answers.asked == ["run: a", "run: b"]
    remember.reset()
    assert runner.call("bash", {"command": "c"}).status is Status.REJECTED
    assert processes.commands == ["a", "b", "c"]


# The words of this dialect


def test_refusals_name_the_tool_and_the_argument_of_this_dialect() -> None:
    with pytest.raises(ArgumentsRefused, match=r"^\[bash: command is empty; send the shell command to run\]$"):
        Bash(processes=ScriptedProcesses()).execute(BashArgs(command=""), StubCall())
    processes = ScriptedProcesses({"a": DirectoryMissing("/repo")})
    with pytest.raises(ToolFailure, match=r"^\[bash: not run: the working directory /repo is gone"):
        Bash(processes=processes).execute(BashArgs(command="a"), StubCall())


def test_the_headline_is_the_command() -> None:
    headline = Bash(processes=ScriptedProcesses()).headline(BashArgs(command="make\ntest"))
    assert headline == Headline(text="make\ntest")
