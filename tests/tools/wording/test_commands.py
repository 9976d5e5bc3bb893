"""What is said of a command: the end is the last line, and each line says what to do next."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.call import CommandPreview, GrantScope, Status
from mmtools.errors import ArgumentsRefused, Cancelled
from mmtools.ports.processes import Survivor
from mmtools.testing.calls import StubCall
from mmtools.testing.processes import Scripted, ScriptedProcesses
from mmtools.tools.wording.commands import Running, proposal, refuse_unrunnable, seconds

SCOPE = GrantScope("some", "something")


def running(script: Scripted, *, timeout_s: float = 30.0, max_output: int = 30_000, longer: str = "") -> Running:
    processes = ScriptedProcesses({"it": script})
    return Running(processes=processes, timeout_s=timeout_s, max_output=max_output, longer=longer)


@given(st.lists(st.text("ab\n", max_size=200), max_size=9), st.integers(1, 300), st.integers(0, 255))
def test_the_end_is_the_last_line_whatever_was_printed(pieces: list[str], max_output: int, code: int) -> None:
    call = StubCall()
    text = running(Scripted(pieces=tuple(pieces), code=code), max_output=max_output).run("it", call)
    whole = "".join(pieces)
    assert text
    assert call.reported.truncated == ("bytes elided" in text)
    assert "".join(call.emitted) == whole
    if code:
        assert text.rpartition("\n")[2] == f"[exit code: exit status {code}]"
        assert call.reported.status is Status.FAILED
    elif not call.reported.truncated:
        assert text == (whole or "(no output)")


@pytest.mark.parametrize(("longer", "more"), [("", ""), ("send more", "send more; ")])
def test_a_timeout_says_how_to_go_on(longer: str, more: str) -> None:
    text = running(Scripted(takes_s=60), timeout_s=0.05, longer=longer).run("it", StubCall())
    assert text == (
        f"[killed with all it started; {more}to let it go on, send it as (COMMAND) > out.log 2>&1 & "
        "and read out.log later]\n[error: 0.05s timeout exceeded]"
    )


def test_a_cancelled_command_keeps_its_output() -> None:
    call = StubCall()
    call.cancellation.request()
    with pytest.raises(Cancelled, match=r"^\[error: the command was cancelled\]$"):
        running(Scripted(pieces=("x",))).run("it", call)
    assert call.reported.status is Status.CANCELLED


def test_survivors_are_named_briefly() -> None:
    left = tuple(Survivor(number, f"sleep\t{number}  " + "x" * 100) for number in range(1, 11))
    text = running(Scripted(leaves=left)).run("it", StubCall())
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
    if command.strip() and "\0" not in command:
        refuse_unrunnable(command)
        return
    with pytest.raises(ArgumentsRefused, match=r"^\[bash: "):
        refuse_unrunnable(command)


@pytest.mark.parametrize(("number", "shown"), [(30, "30"), (30.0, "30"), (0.25, "0.25"), (3_000_000.0, "3000000")])
def test_seconds_have_no_needless_fraction(number: float, shown: str) -> None:
    assert seconds(number) == shown
