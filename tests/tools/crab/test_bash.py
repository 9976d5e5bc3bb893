"""crab `bash`, row by row of its page: through the shell, with a timeout, head and tail, and exits as results."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from mmtools import AllowAll, Remember, Runner, Toolset
from mmtools.adapters.subprocesses import Subprocesses
from mmtools.call import CommandPreview, GrantScope, Headline, Status, ToolKind
from mmtools.core.freshness import Ledger
from mmtools.errors import ArgumentsRefused, PermissionRefused, ToolFailure
from mmtools.ports.permission import Choice, Decision, PermissionRequest
from mmtools.ports.processes import DirectoryMissing
from mmtools.testing.calls import StubCall
from mmtools.testing.processes import ScriptedProcesses
from mmtools.tools.crab.bash import Bash, BashArgs
from tests.patience import TRIES_S


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Subprocesses]:
    running = Subprocesses(tmp_path, environment=dict(os.environ), grace_s=0.2)
    yield running
    running.close()


def test_the_declaration_is_that_of_the_page() -> None:
    spec = Bash(processes=ScriptedProcesses(), timeout_s=12.5).spec
    assert (spec.name, spec.kind, spec.family) == ("bash", ToolKind.EXECUTE, "command")
    schema = spec.arguments_schema
    assert (list(schema["properties"]), schema["required"]) == (["command", "timeout"], ["command"])
    assert schema["properties"]["timeout"]["maximum"] == 600
    assert "12.5 s" in spec.description


def test_a_command_runs_through_the_shell(processes: Subprocesses, tmp_path: Path) -> None:
    bash = Bash(processes=processes)
    assert bash.execute(BashArgs(command="echo {1..3} | tr ' ' +; pwd"), StubCall()) == f"1+2+3\n{tmp_path}\n"
    assert bash.execute(BashArgs(command="cat; true"), StubCall()) == "(no output)"


def test_a_non_zero_exit_is_a_result(processes: Subprocesses) -> None:
    call = StubCall()
    assert Bash(processes=processes).execute(BashArgs(command="echo no such thing >&2; exit 2"), call) == (
        "no such thing\n[exit code: exit status 2]"
    )
    assert call.reported.status is Status.FAILED


def test_long_output_keeps_head_and_tail_and_counts_what_is_gone(processes: Subprocesses) -> None:
    call = StubCall()
    text = Bash(processes=processes, max_output=1_000).execute(BashArgs(command="seq 1 100000"), call)
    elided = re.search(r"^\[… (\d+) bytes elided …\]$", text, re.MULTILINE)
    assert elided
    whole = "".join(f"{number}\n" for number in range(1, 100_001))
    head, tail = text[: elided.start()], text[elided.end() + 1 :]
    assert whole.startswith(head)
    assert whole.endswith(tail)
    assert len(whole) == len(head) + int(elided[1]) + len(tail)
    assert call.reported.truncated


def test_a_timeout_kills_and_says_how_to_get_more(processes: Subprocesses) -> None:
    begun = Path(processes.directory, "begun")
    for timeout_s in TRIES_S:
        call = StubCall()
        args = BashArgs(command="echo so far; touch begun; sleep 600")
        text = Bash(processes=processes, timeout_s=timeout_s).execute(args, call)
        if begun.exists():
            break
    assert text == (
        "so far\n[killed with all it started; send a longer timeout, up to 600; to let it go on, send it as (COMMAND) > "
        f"out.log 2>&1 & and read out.log later]\n[error: {timeout_s:g}s timeout exceeded]"
    )
    assert call.reported.status is Status.TIMED_OUT


def test_the_models_timeout_counts(processes: Subprocesses) -> None:
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


def test_a_no_runs_nothing() -> None:
    processes = ScriptedProcesses({"a": ""})
    with pytest.raises(PermissionRefused, match=r"^\[command rejected by the user\]$"):
        Bash(processes=processes).execute(BashArgs(command="a"), StubCall(allows=False))
    assert processes.commands == []


@pytest.mark.parametrize("command", ["", "a\0b", "\ud800"])
def test_what_cannot_run_is_refused_without_a_question(command: str) -> None:
    call = StubCall()
    with pytest.raises(ArgumentsRefused):
        Bash(processes=ScriptedProcesses()).execute(BashArgs(command=command), call)
    assert call.proposals == []


def test_what_cannot_be_started_is_text() -> None:
    processes = ScriptedProcesses({"a": DirectoryMissing("/repo")})
    with pytest.raises(ToolFailure, match="the working directory /repo is gone"):
        Bash(processes=processes).execute(BashArgs(command="a"), StubCall())


def test_the_headline_is_the_command() -> None:
    headline = Bash(processes=ScriptedProcesses()).headline(BashArgs(command="make\ntest"))
    assert headline == Headline(text="make\ntest")


# The gate


def test_the_ledger_learns_the_span_and_not_the_time_of_the_question() -> None:
    ticks = iter([10, 20])
    ledger = Ledger()
    tool = Bash(processes=ScriptedProcesses({"a": ""}), ledger=ledger, clock=lambda: next(ticks))
    with pytest.raises(PermissionRefused):
        tool.execute(BashArgs(command="a"), StubCall(allows=False))
    tool.execute(BashArgs(command="a"), StubCall())
    assert [(each.command, each.begun_ns, each.ended_ns) for each in ledger.writers._spans] == [("a", 10, 20)]
