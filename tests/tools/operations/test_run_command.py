"""One shell command: its texts over scripted commands, and its behaviour over a real shell."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.subprocesses import Subprocesses
from mmtools.call import CommandPreview, GrantScope, Status
from mmtools.core.environment import EnvironmentPolicy
from mmtools.core.freshness import ChangedSince, Ledger, fingerprint
from mmtools.core.stamps import Stamp
from mmtools.core.writers import ByCommand
from mmtools.errors import ArgumentsRefused, Cancelled, PermissionRefused, ToolFailure
from mmtools.ports.processes import (
    CommandTooLong,
    DirectoryMissing,
    Processes,
    ProcessesClosed,
    ProcessProblem,
    ShellMissing,
    Survivor,
    VariableTooLong,
)
from mmtools.testing.calls import StubCall
from mmtools.testing.processes import Scripted, ScriptedProcesses
from mmtools.tools.operations.run_command import (
    Command,
    CommandTerms,
    SessionProcesses,
    run_command,
    session_processes,
)
from tests.patience import AGES_S, PATIENCE_S, TRIES_S, when

#: What a timeout says above its marker.
ADVICE = "[killed with all it started; to let it go on, send it as (COMMAND) > out.log 2>&1 & and read out.log later]"


TERMS = CommandTerms(tool="bash", command="command")
SCOPE = GrantScope("some", "something")


def run(
    processes: Processes | SessionProcesses,
    command: str,
    call: StubCall | None = None,
    *,
    timeout_s: float = 30.0,
    longer: str = "",
) -> str:
    wanted = Command(text=command, timeout_s=timeout_s, longer=longer, scope=SCOPE)
    return run_command(session_processes(processes), wanted, call or StubCall(), TERMS)


def played(
    script: str | Scripted | ProcessProblem,
    call: StubCall | None = None,
    *,
    max_output: int = 30_000,
    timeout_s: float = 30.0,
    longer: str = "",
) -> str:
    """The answer to a command that does what `script` says."""
    session = SessionProcesses(processes=ScriptedProcesses({"it": script}), max_output=max_output)
    return run(session, "it", call, timeout_s=timeout_s, longer=longer)


class Shell:
    """The operation over a real bash."""

    def __init__(self, root: Path) -> None:
        self.processes = Subprocesses(root, environment=EnvironmentPolicy().child(os.environ), grace_s=0.5)
        self.call = StubCall()
        self.took_s = 0.0

    def __call__(self, command: str, *, timeout_s: float = PATIENCE_S, max_output: int = 30_000) -> str:
        self.call = StubCall()
        began = time.monotonic()
        session = SessionProcesses(processes=self.processes, max_output=max_output)
        text = run(session, command, self.call, timeout_s=timeout_s)
        self.took_s = time.monotonic() - began
        return text

    def timed_out(self, command: str, begun: Path) -> tuple[str, str]:
        """
        Run a command that makes a file when it has begun, until it times out after that.

        Returns:
            The text, and the timeout as texts tell it.
        """
        for timeout_s in TRIES_S:
            text = self(command, timeout_s=timeout_s)
            if begun.exists():
                return text, f"{timeout_s:g}s"
        raise AssertionError("it never had the time to begin")

    @property
    def status(self) -> Status:
        return self.call.reported.status


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    shell = Shell(tmp_path)
    yield shell
    shell.processes.close()


def test_shell_is_bash_with_the_command_verbatim_a_new_one_per_call(shell: Shell) -> None:
    assert shell("x=1; cd /; echo ${BASH_VERSION:+bash} $0") == "bash bash\n"
    assert shell('echo "[$x]"; [[ a == a ]] && echo {1..3}') == "[]\n1 2 3\n"
    assert shell("cat <<'E'\n$x \\ \"q\"  é日😀\nE") == '$x \\ "q"  é日😀\n'
    assert shell("printf 'a\r\n'") == "a\r\n"


def test_there_is_no_stdin(shell: Shell) -> None:
    assert shell("cat") == "(no output)"
    assert shell('read x; echo "[$x]"') == "[]\n"
    assert shell('cat <<E\nhi\nE\nread y; echo "<$y>"') == "hi\n<>\n"


def test_the_working_directory_is_that_of_the_processes(shell: Shell, tmp_path: Path) -> None:
    assert shell("pwd") == f"{tmp_path}\n"


def test_a_timeout_ends_the_output_with_its_marker(shell: Shell, tmp_path: Path) -> None:
    text, told = shell.timed_out("echo start; touch begun; sleep 600; echo never", tmp_path / "begun")
    assert text == f"start\n{ADVICE}\n[error: {told} timeout exceeded]"
    assert shell.status is Status.TIMED_OUT


@pytest.mark.parametrize(("timeout_s", "marker"), [(1.5, "1.5s"), (0.25, "0.25s")])
def test_the_timeout_marker_tells_the_actual_seconds(timeout_s: float, marker: str) -> None:
    script = Scripted(pieces=("so far",), takes_s=60)
    assert played(script, timeout_s=timeout_s) == f"so far\n{ADVICE}\n[error: {marker} timeout exceeded]"


@pytest.mark.parametrize(("longer", "more"), [("", ""), ("send more", "send more; ")])
def test_a_timeout_says_how_to_go_on(longer: str, more: str) -> None:
    call = StubCall()
    assert played(Scripted(takes_s=60), call, timeout_s=0.05, longer=longer) == (
        f"[killed with all it started; {more}to let it go on, send it as (COMMAND) > out.log 2>&1 & "
        "and read out.log later]\n[error: 0.05s timeout exceeded]"
    )
    assert call.reported.status is Status.TIMED_OUT


def test_stdout_and_stderr_are_merged_in_order(shell: Shell) -> None:
    assert shell("for i in 1 2; do echo out $i; echo err $i >&2; done") == "out 1\nerr 1\nout 2\nerr 2\n"


@pytest.mark.parametrize("code", [1, 3, 127, 255])
def test_a_non_zero_exit_ends_the_output_with_its_status(shell: Shell, code: int) -> None:
    assert shell(f"echo oh; exit {code}") == f"oh\n[exit code: exit status {code}]"
    assert shell(f"printf oh; exit {code}") == f"oh\n[exit code: exit status {code}]"
    assert shell(f"exit {code}") == f"[exit code: exit status {code}]"
    assert shell.status is Status.FAILED


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (1, "hangup"),
        (2, "interrupt"),
        (3, "quit"),
        (6, "aborted"),
        (9, "killed"),
        (11, "segmentation fault"),
        (13, "broken pipe"),
        (15, "terminated"),
        (10, "10"),
        (64, "64"),
    ],
)
def test_a_signal_is_told_by_its_name_or_number(number: int, name: str) -> None:
    script = Scripted(pieces=("so far",), code=None, signal=number)
    assert played(script) == f"so far\n[exit code: signal: {name}]"


@pytest.mark.parametrize(("signal", "name"), [("KILL", "killed"), ("TERM", "terminated"), ("USR1", "10")])
def test_a_shell_that_a_signal_ended_is_a_failure(shell: Shell, signal: str, name: str) -> None:
    assert shell(f"echo so far; kill -{signal} $$; sleep 5") == f"so far\n[exit code: signal: {name}]"
    assert shell.status is Status.FAILED
    assert shell(f"(kill -{signal} $BASHPID); echo after").endswith("after\n")


def test_a_refusal_runs_nothing_and_has_the_text_of_the_reference(tmp_path: Path) -> None:
    processes = ScriptedProcesses({"rm -rf d": ""}, directory="/repo")
    call = StubCall(allows=False)
    with pytest.raises(PermissionRefused) as caught:
        run(processes, "rm -rf d", call)
    assert caught.value.text == "[command rejected by the user]"
    assert processes.commands == []


def test_the_question_shows_the_whole_command_and_its_directory() -> None:
    command = "first line\nrm -rf d && " + "x" * 10_000
    call = StubCall()
    run(ScriptedProcesses({command: ""}, directory="/repo"), command, call)
    (proposal,) = call.proposals
    assert proposal.preview == CommandPreview(command, "/repo")
    assert proposal.title == "run: first line …"
    assert proposal.scope == SCOPE


@pytest.mark.parametrize("command", ["", " ", "\n\t \r\n"])
def test_an_empty_command_is_refused_without_a_question(command: str) -> None:
    check_refused(command, "[bash: command is empty; send the shell command to run]")


def test_a_nul_is_refused_without_a_question() -> None:
    check_refused(
        "echo a\0b", "[bash: character 7 of command is a NUL, which no command can hold; let printf '\\0' make it]"
    )


def test_half_a_character_is_refused_without_a_question() -> None:
    check_refused("echo \ud800", "[bash: character 6 of command is half of a surrogate pair; send the whole character]")


def check_refused(command: str, text: str) -> None:
    call = StubCall()
    with pytest.raises(ArgumentsRefused) as caught:
        run(ScriptedProcesses(), command, call)
    assert caught.value.text == text
    assert call.proposals == []


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        (DirectoryMissing("/repo"), "the working directory /repo is gone; only the host can open another"),
        (ShellMissing("bash"), "there is no bash here; use other tools"),
        (
            VariableTooLong("HUGE"),
            "the environment variable HUGE is too long for any program; only the host can shorten it or leave it out",
        ),
        (CommandTooLong("too long"), "2 bytes are too long for one command; write a script file, then run that file"),
        (ProcessesClosed("closed"), "the session is closed"),
        (ProcessProblem("Cannot allocate memory"), "Cannot allocate memory; try again"),
    ],
)
def test_what_cannot_be_started_is_text_with_the_next_action(problem: ProcessProblem, text: str) -> None:
    with pytest.raises(ToolFailure) as caught:
        played(problem)
    assert caught.value.text == f"[bash: not run: {text}]"


def test_a_vanished_directory_and_an_oversized_command_are_text(shell: Shell, tmp_path: Path) -> None:
    with pytest.raises(ToolFailure, match="200005 bytes are too long"):
        shell("true " + "x" * 200_000)
    tmp_path.rmdir()
    with pytest.raises(ToolFailure, match="is gone"):
        shell("true")
    tmp_path.mkdir()


def test_nothing_printed_is_said() -> None:
    assert played("") == "(no output)"
    assert played(Scripted(code=2)) == "[exit code: exit status 2]"


@pytest.mark.parametrize("command", ["# only a comment", "true", "printf ''", ":"])
def test_a_command_that_prints_nothing_is_fine(shell: Shell, command: str) -> None:
    assert shell(command) == "(no output)"
    assert shell.status is Status.OK


@given(st.lists(st.text("ab\n", max_size=200), max_size=9), st.integers(1, 300), st.integers(0, 255))
def test_the_end_is_the_last_line_whatever_was_printed(pieces: list[str], max_output: int, code: int) -> None:
    call = StubCall()
    text = played(Scripted(pieces=tuple(pieces), code=code), call, max_output=max_output)
    whole = "".join(pieces)
    assert text
    assert call.reported.truncated == ("bytes elided" in text)
    assert "".join(call.emitted) == whole
    if code:
        assert text.rpartition("\n")[2] == f"[exit code: exit status {code}]"
        assert call.reported.status is Status.FAILED
    elif not call.reported.truncated:
        assert text == (whole or "(no output)")


@given(st.text(st.sampled_from("ab é日😀\n"), max_size=200), st.integers(0, 60), st.sampled_from([0, 3]))
def test_output_is_whole_or_says_what_is_missing_and_markers_are_never_cut(text: str, limit: int, code: int) -> None:
    answer = played(Scripted(pieces=(text,), code=code), max_output=limit)
    marker = "[exit code: exit status 3]"
    if code:
        *_, last = answer.split("\n")
        assert last == marker
        answer = answer.removesuffix(marker)
    if len(text) <= limit:
        assert answer in (text, text + "\n", "(no output)")
        return
    lines = answer.split("\n")
    elided = [line for line in lines if line.startswith("[… ") and line.endswith(" bytes elided …]")]
    assert len(elided) == 1
    at = answer.index(elided[0])
    head, tail = answer[:at], answer[at + len(elided[0]) :]
    kept_head = head if text.startswith(head) else head.removesuffix("\n")
    tail = tail.removeprefix("\n")
    kept_tail = tail if text.endswith(tail) else tail.removesuffix("\n")
    assert text.startswith(kept_head)
    assert text.endswith(kept_tail)
    # Where the text has a line end anyway, the one that the marker's own line needs cannot be told from it.
    assert len(kept_head) + len(kept_tail) <= limit + 2
    missing = len(text[len(kept_head) : len(text) - len(kept_tail)].encode())
    assert int(elided[0].split()[1]) in range(missing, missing + 3)


def test_long_output_keeps_head_and_tail_and_counts_what_is_gone(shell: Shell) -> None:
    text = shell("seq 1 100000", max_output=1_000)
    elided = re.search(r"^\[… (\d+) bytes elided …\]$", text, re.MULTILINE)
    assert elided
    whole = "".join(f"{number}\n" for number in range(1, 100_001))
    head, tail = text[: elided.start()], text[elided.end() + 1 :]
    assert whole.startswith(head)
    assert whole.endswith(tail)
    assert len(whole) == len(head) + int(elided[1]) + len(tail)
    assert shell.call.reported.truncated


def test_long_output_keeps_head_and_tail_in_whole_lines(shell: Shell) -> None:
    text = shell("seq 100000; exit 3")
    head, _, tail = text.partition("\n[… ")
    assert head.split("\n") == [str(number) for number in range(1, head.count("\n") + 2)]
    elided, _, tail = tail.partition(" bytes elided …]\n")
    assert tail.endswith("\n99999\n100000\n[exit code: exit status 3]")
    kept = tail.removesuffix("[exit code: exit status 3]")
    assert tail[0].isdigit()
    assert int(elided) + len(head) + 1 + len(kept) == 588_895
    assert 29_500 < len(head) + len(kept) <= 30_000
    assert shell.call.reported.truncated


def test_short_output_is_not_marked_as_truncated(shell: Shell) -> None:
    shell("head -c 30000 /dev/zero | tr '\\0' x")
    assert not shell.call.reported.truncated


def test_a_flood_ends_with_its_last_line_and_status(shell: Shell) -> None:
    text = shell("head -c 300000000 /dev/zero | tr '\\0' x; echo; echo LAST; exit 3", timeout_s=120)
    assert text.endswith("x\nLAST\n[exit code: exit status 3]")
    assert "\n[… 299970006 bytes elided …]\n" in text


def test_an_endless_flood_is_stopped_in_time(shell: Shell) -> None:
    text = shell("yes", timeout_s=1, max_output=1_000)
    assert text.endswith(f"y\n{ADVICE}\n[error: 1s timeout exceeded]")
    assert len(text) < 1_100 + len(ADVICE)
    assert shell.took_s < PATIENCE_S


def test_escapes_reach_neither_the_model_nor_the_display(shell: Shell) -> None:
    assert shell(r"printf '\033[31mred\033[0m\n\033]0;t\007x\n\0'") == "red\nx\n"
    assert "".join(shell.call.emitted) == "red\nx\n"
    assert shell(r"printf '10%%\r50%%\r100%%\n'") == "10%\r50%\r100%\n"


def test_what_is_no_utf8_is_replaced(shell: Shell) -> None:
    assert shell(r"printf 'a\377b\303\251\n'") == "a\ufffdbé\n"


@pytest.mark.parametrize(
    "command", ["sleep 600 & echo done", "sleep 600 >/dev/null & echo done", "setsid sleep 600 & echo done"]
)
def test_a_child_in_the_background_is_named_and_not_waited_for(shell: Shell, command: str) -> None:
    text = shell(command)
    assert shell.took_s < PATIENCE_S
    assert shell.status is Status.OK
    first, second = text.split("\n")
    assert first == "done"
    assert second.startswith("[still running: ")
    pid = second.removeprefix("[still running: ").partition(" ")[0]
    assert f"{pid} (sleep 600)" in second
    assert shell(f"kill {pid}") == "(no output)"


def test_a_flood_from_the_background_stays_within_the_limit(shell: Shell) -> None:
    text = shell("yes >&2 & sleep 0.2; echo done", max_output=1_000)
    assert "bytes elided" in text
    assert "(yes)" in text
    assert len(text) < 1_500


def test_survivors_are_named_on_one_line_before_the_status() -> None:
    survivors = tuple(Survivor(pid, f"sh -c \x1b[1m\nline {pid} " + "x" * 100) for pid in range(1, 12))
    text = played(Scripted(pieces=("a",), code=3, leaves=survivors))
    first, line, last = text.split("\n")
    assert (first, last) == ("a", "[exit code: exit status 3]")
    assert line.startswith("[still running: 1 (sh -c [1m line 1 xxx")
    assert "8 (" in line
    assert "9 (" not in line
    assert " and 3 more; " in line
    assert line.isprintable()


def test_a_timeout_kills_what_ignores_it(shell: Shell, tmp_path: Path) -> None:
    command = "echo start; (trap '' TERM; exec sleep 600) & echo $! > part; mv part pid; wait"
    text, told = shell.timed_out(command, tmp_path / "pid")
    assert text == f"start\n{ADVICE}\n[error: {told} timeout exceeded]"
    assert shell.took_s < 2 * PATIENCE_S
    state = shell(f"cut -d' ' -f3 /proc/{(tmp_path / 'pid').read_text().strip()}/stat 2>/dev/null || echo gone")
    assert state.split()[0] in ("gone", "Z")


def test_a_cancelled_command_keeps_the_text_so_far(shell: Shell, tmp_path: Path) -> None:
    call = StubCall()
    with when((tmp_path / "begun").exists, call.cancellation.request), pytest.raises(Cancelled) as caught:
        run(shell.processes, "echo start; touch begun; sleep 600", call, timeout_s=AGES_S)
    assert caught.value.text == "start\n[error: the command was cancelled]"
    assert call.reported.status is Status.CANCELLED


def test_a_command_cancelled_before_its_start_is_not_run() -> None:
    processes = ScriptedProcesses({"it": ""})
    call = StubCall()
    call.cancellation.request()
    with pytest.raises(Cancelled, match=r"^\[error: the command was cancelled\]$"):
        run(processes, "it", call)
    assert processes.commands == []
    assert call.reported.status is Status.CANCELLED


def test_secrets_of_the_host_are_not_seen(tmp_path: Path) -> None:
    host = {"OPENAI_API_KEY": "sk-AAA", "MMTOOLS_API_KEY": "mm-BBB", "PATH": os.environ["PATH"], "HOME": "/home/me"}
    command = "env; tr '\\0' ' ' < /proc/$$/cmdline"
    with Subprocesses(tmp_path, environment=EnvironmentPolicy().child(host)) as processes:
        text = run(processes, command)
    assert "sk-AAA" not in text
    assert "mm-BBB" not in text
    assert f"PATH={host['PATH']}\n" in text
    assert "HOME=/home/me\n" in text
    passing = EnvironmentPolicy(pass_through=("OPENAI_API_KEY",)).child(host)
    with Subprocesses(tmp_path, environment=passing) as processes:
        text = run(processes, command)
    assert "OPENAI_API_KEY=sk-AAA\n" in text
    assert "mm-BBB" not in text


@pytest.mark.parametrize(
    "command",
    [
        "git init -q . && git commit --allow-empty",
        "git -c init.defaultBranch=m init -q . && git log",
        "${EDITOR:?} file",
        "${PAGER:?} /dev/null",
    ],
)
def test_programs_do_not_wait_for_a_person(shell: Shell, command: str) -> None:
    shell(command)
    assert shell.status in (Status.OK, Status.FAILED)


# The gate


def test_a_ledger_learns_when_the_command_ran() -> None:
    ticks, ledger = iter([10, 20]), Ledger()
    session = SessionProcesses(processes=ScriptedProcesses({"it": ""}), ledger=ledger, clock=lambda: next(ticks))
    ledger.saw("/f", fingerprint(b"one"))
    run(session, "it")
    now = Stamp(device=1, inode=1, size=3, mtime_ns=15, ctime_ns=15, taken_ns=30)
    assert ledger.verdict("/f", b"two", now) == ChangedSince(ByCommand("it"))


def test_it_learns_the_span_and_not_the_time_of_the_question() -> None:
    ticks, ledger = iter([10, 20]), Ledger()
    session = SessionProcesses(processes=ScriptedProcesses({"a": ""}), ledger=ledger, clock=lambda: next(ticks))
    with pytest.raises(PermissionRefused, match=r"^\[command rejected by the user\]$"):
        run(session, "a", StubCall(allows=False))
    run(session, "a")
    assert [(each.command, each.begun_ns, each.ended_ns) for each in ledger.writers._spans] == [("a", 10, 20)]


def test_it_learns_the_span_of_a_command_that_fails_too() -> None:
    ticks, ledger = iter([5, 7]), Ledger()
    processes = ScriptedProcesses({"it": ProcessProblem("no memory")})
    with pytest.raises(ToolFailure):
        run(SessionProcesses(processes=processes, ledger=ledger, clock=lambda: next(ticks)), "it")
    assert [(each.begun_ns, each.ended_ns) for each in ledger.writers._spans] == [(5, 7)]


# The words of a dialect


def test_the_words_are_the_terms() -> None:
    terms = CommandTerms(tool="<tool>", command="<command>")
    for text in ("", "a\0", "\ud800", "it"):
        session = SessionProcesses(processes=ScriptedProcesses({"it": ProcessesClosed("closed")}))
        wanted = Command(text=text, timeout_s=1.0, scope=SCOPE)
        with pytest.raises(ToolFailure, match=r"^\[<tool>: (.* <command> is |<command> is empty|not run: the session)"):
            run_command(session, wanted, StubCall(), terms)
