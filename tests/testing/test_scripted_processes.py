"""Commands by a script: a stand-in that keeps the laws a stand-in can keep."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mmtools.call import Cancellation
from mmtools.ports.processes import Captured, End, Exit, ProcessProblem, ShellMissing, Survivor
from mmtools.testing.conformance import processes as conformance
from mmtools.testing.conformance.process_runs import Run
from mmtools.testing.processes import Scripted, ScriptedProcesses

SEQUENCE = tuple(f"{number}\n" for number in range(1, 100_001))

#: What bash says to the commands of the laws that need no real process.
SCRIPTS: dict[str, str | Scripted | ProcessProblem] = {
    "exit 0": "",
    "exit 3": Scripted(code=3),
    "no-such-command-anywhere 2>/dev/null": Scripted(code=127),
    "echo so far; kill -9 $$": Scripted(pieces=("so far\n",), code=None, signal=9),
    "seq 100000": Scripted(pieces=SEQUENCE),
    "printf 12345": "12345",
    r"printf '\033[3'; sleep 0.1; printf '1mred\033[0m\n\033]0;t\007x\n'": Scripted(
        pieces=("\x1b[3", "1mred\x1b[0m\n\x1b]0;t\x07x\n")
    ),
    "echo hi": "hi\n",
    **{f"echo {n}; sleep 1; echo {n}": Scripted(pieces=(f"{n}\n", f"{n}\n"), takes_s=1.0) for n in range(8)},
}

LAWS = [
    conformance.tells_exit_codes_and_signals,
    conformance.keeps_both_ends_of_long_output,
    conformance.shows_output_live_without_escapes,
    conformance.refuses_after_its_end,
    conformance.runs_commands_side_by_side,
]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_scripted_processes_keep_the_laws_that_need_no_process(law: Callable[[conformance.Make], None]) -> None:
    law(lambda: ScriptedProcesses(SCRIPTS))


def test_a_cancelled_call_runs_nothing() -> None:
    processes = ScriptedProcesses({"make": "done\n"})
    cancellation = Cancellation()
    cancellation.request()
    assert Run(processes, "make", cancellation=cancellation).exit.end is End.CANCELLED
    assert processes.commands == []


def test_what_takes_longer_than_the_timeout_is_stopped_with_its_output() -> None:
    run = Run(ScriptedProcesses({"make": Scripted(pieces=("so far\n",), takes_s=60)}), "make", timeout_s=0.01)
    assert (run.exit.end, run.exit.code, run.text) == (End.TIMED_OUT, None, "so far\n")


@pytest.mark.parametrize("by", ["cancellation", "close"])
def test_what_runs_can_be_stopped_by_its_own_output(by: str) -> None:
    processes = ScriptedProcesses({"make": Scripted(pieces=("so far\n",), takes_s=60)})
    cancellation = Cancellation()
    exit_ = processes.run(
        "make",
        timeout_s=60,
        max_chars=100,
        on_output=lambda _: processes.close() if by == "close" else cancellation.request(),
        cancellation=cancellation,
    )
    assert (exit_.end, exit_.output.head) == (End.CANCELLED, "so far\n")


def test_problems_are_raised_survivors_named_and_commands_recorded() -> None:
    survivor = Survivor(7, "sleep 60")
    processes = ScriptedProcesses({"a": ShellMissing("bash"), "b": Scripted(leaves=(survivor,))}, directory="/repo")
    with pytest.raises(ShellMissing):
        Run(processes, "a")
    assert Run(processes, "b").exit.survivors == (survivor,)
    assert processes.commands == ["a", "b"]
    assert processes.directory == "/repo"


def test_a_command_without_a_script_is_a_mistake_of_the_test() -> None:
    with pytest.raises(AssertionError, match=r"no script for 'c'; there are \['a'\]"):
        Run(ScriptedProcesses({"a": ""}), "c")


class Faulty(ScriptedProcesses):
    """A port that cannot tell exit codes."""

    def run(
        self,
        command: str,
        *,
        timeout_s: float,
        max_chars: int,
        on_output: Callable[[str], None],
        cancellation: Cancellation,
    ) -> Exit:
        return Exit(end=End.EXITED, output=Captured(head=""), code=0)


def test_a_law_names_what_a_faulty_port_does() -> None:
    with pytest.raises(AssertionError, match="ended as"):
        conformance.tells_exit_codes_and_signals(lambda: Faulty(SCRIPTS))
