"""What is said of a command: the end is the last line, and each line says what to do next."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.call import CommandPreview, GrantScope
from mmtools.ports.processes import Captured, End, Exit, ProcessesClosed, Survivor
from mmtools.tools.wording.commands import CommandTerms, ended, not_started, proposal, unrunnable

SCOPE = GrantScope("some", "something")
TERMS = CommandTerms(tool="shell", command="line")


@pytest.mark.parametrize(
    ("exit_", "told"),
    [
        (Exit(end=End.EXITED, output=Captured(head=""), code=0), "(no output)"),
        (Exit(end=End.EXITED, output=Captured(head="a\n"), code=0), "a\n"),
        (Exit(end=End.EXITED, output=Captured(head="a"), code=3), "a\n[exit code: exit status 3]"),
        (Exit(end=End.EXITED, output=Captured(head="a"), signal=9), "a\n[exit code: signal: killed]"),
        (
            Exit(end=End.EXITED, output=Captured(head="a", tail="z\n", elided_bytes=7), code=0),
            "a\n[… 7 bytes elided …]\nz\n",
        ),
        (Exit(end=End.CANCELLED, output=Captured(head="")), "[error: the command was cancelled]"),
        (
            Exit(end=End.CANCELLED, output=Captured(head=""), survivors=(Survivor(7, "x"),)),
            "[could not be killed: 7 (x)]\n[error: the command was cancelled]",
        ),
        (
            Exit(end=End.TIMED_OUT, output=Captured(head="")),
            "[killed with all it started; send more; to let it go on, send it as (COMMAND) > out.log 2>&1 & "
            "and read out.log later]\n[error: 0.5s timeout exceeded]",
        ),
    ],
)
def test_the_end_is_the_last_line(exit_: Exit, told: str) -> None:
    assert ended(exit_, timeout_s=0.5, longer="send more") == told


def test_survivors_are_named_briefly() -> None:
    left = tuple(Survivor(number, f"sleep\t{number}  " + "x" * 100) for number in range(1, 11))
    text = ended(Exit(end=End.EXITED, output=Captured(head=""), code=0, survivors=left), timeout_s=1.0, longer="")
    assert text.startswith("[still running: 1 (sleep 1 xxx")
    assert " and 2 more; runs on until the session ends or you kill it; " in text


@pytest.mark.parametrize(
    ("command", "title"),
    [("make", "run: make"), ("  make\n", "run: make"), ("a\nb", "run: a …")],
)
def test_the_title_is_one_line_and_the_preview_is_whole(command: str, title: str) -> None:
    asked = proposal(command, "/repo", SCOPE)
    assert (asked.title, asked.preview, asked.scope) == (title, CommandPreview(command, "/repo"), SCOPE)
    assert asked.refusal == "[command rejected by the user]"


@given(st.text())
def test_only_what_a_shell_can_take_passes(command: str) -> None:
    told = unrunnable(command, TERMS)
    if command.strip() and "\0" not in command:
        assert told is None
    else:
        assert told
        assert told.startswith("[shell: ")
        assert " line is " in told


def test_a_command_that_did_not_run_is_told_by_the_tool() -> None:
    assert not_started(ProcessesClosed(""), "x", TERMS) == "[shell: not run: the session is closed]"
