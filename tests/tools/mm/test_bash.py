"""mm `bash`: its contract, its translation and its words; what it does is tested on `run_command`."""

from __future__ import annotations

import json

import pytest

from mmtools.call import Headline, ToolKind
from mmtools.errors import ArgumentsRefused, ToolFailure
from mmtools.ports.processes import ProcessesClosed
from mmtools.testing.calls import StubCall
from mmtools.testing.processes import Scripted, ScriptedProcesses
from mmtools.tools.mm.bash import Bash, BashArgs


def test_the_definition_is_short() -> None:
    spec = Bash(processes=ScriptedProcesses()).spec
    assert (spec.name, spec.kind, spec.family) == ("bash", ToolKind.EXECUTE, "command")
    definition = {"name": spec.name, "description": spec.description, "input_schema": spec.arguments_schema}
    assert len(json.dumps(definition)) <= 450


@pytest.mark.parametrize(
    ("timeout_s", "seconds"), [(30, "30"), (30.0, "30"), (1.5, "1.5"), (0.25, "0.25"), (3_000_000.0, "3000000")]
)
def test_the_description_tells_the_actual_seconds(timeout_s: float, seconds: str) -> None:
    assert f"after {seconds} s" in Bash(processes=ScriptedProcesses(), timeout_s=timeout_s).spec.description


def test_the_headline_is_the_command() -> None:
    tool = Bash(processes=ScriptedProcesses())
    assert tool.headline(BashArgs(command="make\ntest")) == Headline(text="make\ntest")


def test_the_limit_is_that_of_the_host_and_a_model_cannot_get_more() -> None:
    tool = Bash(processes=ScriptedProcesses({"it": Scripted(pieces=("so far",), takes_s=60)}), timeout_s=0.25)
    assert tool.execute(BashArgs(command="it"), StubCall()) == (
        "so far\n[killed with all it started; to let it go on, send it as (COMMAND) > out.log 2>&1 & "
        "and read out.log later]\n[error: 0.25s timeout exceeded]"
    )


def test_always_covers_this_very_command_and_no_other() -> None:
    commands = ["git status", "git status && rm -rf ./d1", "git  status", " git status", "rm -rf other", "rm -rf othe"]
    call = StubCall()
    tool = Bash(processes=ScriptedProcesses(dict.fromkeys(commands, "")))
    for command in [*commands, *commands]:
        tool.execute(BashArgs(command=command), call)
    keys = [proposal.scope.key for proposal in call.proposals]
    assert keys[: len(commands)] == keys[len(commands) :]
    assert len(set(keys)) == len(commands)
    assert all(command in proposal.scope.words for command, proposal in zip(commands, call.proposals, strict=False))


def test_refusals_name_the_tool_and_the_argument_of_this_dialect() -> None:
    with pytest.raises(ArgumentsRefused, match=r"^\[bash: command is empty; send the shell command to run\]$"):
        Bash(processes=ScriptedProcesses()).execute(BashArgs(command=" "), StubCall())
    with pytest.raises(ToolFailure, match=r"^\[bash: not run: the session is closed\]$"):
        Bash(processes=ScriptedProcesses({"it": ProcessesClosed("")})).execute(BashArgs(command="it"), StubCall())
