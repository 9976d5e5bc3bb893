"""
What every `Processes` must hold, checked against one that you bring, with bash commands.

    @pytest.mark.parametrize("law", processes.LAWS, ids=lambda law: law.__name__)
    def test_my_processes_keep_the_laws(law, tmp_path):
        law(lambda: MyProcesses(tmp_path))

Each law takes a function that makes a new port on always the same directory, empty and writable at first, and
raises `AssertionError` with the counterexample. Whether a process still lives is told by what it writes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from secrets import token_hex
from typing import TypeAlias

from mmtools.call import Cancellation
from mmtools.ports.processes import End, Processes, ProcessProblem
from mmtools.testing.conformance.process_runs import PATIENCE_S, Beats, Run

__all__ = [
    "LAWS",
    "Make",
    "decodes_characters_split_by_time",
    "does_not_start_what_is_cancelled_before",
    "gives_no_input",
    "keeps_both_ends_of_long_output",
    "kills_everything_at_a_timeout",
    "kills_everything_when_cancelled",
    "kills_what_goes_on_when_closed",
    "merges_output_in_order",
    "refuses_after_its_end",
    "returns_when_the_shell_has_exited",
    "runs_commands_side_by_side",
    "runs_each_command_verbatim_in_a_new_shell",
    "shows_output_live_without_escapes",
    "tells_exit_codes_and_signals",
]

#: Makes the port under test.
Make: TypeAlias = Callable[[], Processes]

#: Timeouts to try one after the other, until one was enough for a command to begin: a machine under load takes seconds.
_TRIES_S = (1.0, 4.0, 16.0)

_SIDE_BY_SIDE = 8


def tells_exit_codes_and_signals(make: Make) -> None:
    """Require the shell's own code, or the signal that ended the shell."""
    with _port(make) as port:
        Run(port, "exit 0").check("")
        Run(port, "exit 3").check("", code=3)
        Run(port, "no-such-command-anywhere 2>/dev/null").check("", code=127)
        killed = Run(port, "echo so far; kill -9 $$")
        killed.check("so far\n", code=None)
        assert killed.exit.signal == 9, f"signal 9 was told as {killed.exit.signal}"


def merges_output_in_order(make: Make) -> None:
    """Require stdout and stderr in one stream, in the order of writing."""
    with _port(make) as port:
        command = "for i in 1 2 3; do echo out $i; echo err $i >&2; done"
        Run(port, command).check("".join(f"out {i}\nerr {i}\n" for i in (1, 2, 3)))


def gives_no_input(make: Make) -> None:
    """Require end of file for whoever reads, also behind a heredoc."""
    with _port(make) as port:
        Run(port, "cat").check("")
        Run(port, 'read x; echo "[$x]"').check("[]\n")
        Run(port, 'cat <<E\nhi\nE\nread y; echo "<$y>"').check("hi\n<>\n")


def runs_each_command_verbatim_in_a_new_shell(make: Make) -> None:
    """Require that nothing is added to a command or left from one, and that it runs in the directory."""
    with _port(make) as port:
        Run(port, "x=1; cd /").check("")
        Run(port, 'echo "[$x]"; pwd').check(f"[]\n{port.directory}\n")
        Run(port, "printf '%s|' \"a  b\" '$x' \\\\ \"é日😀\" # said 'so\n").check("a  b|$x|\\|é日😀|")


def keeps_both_ends_of_long_output(make: Make) -> None:
    """Require head and tail within the budget, and the right size of what is elided."""
    with _port(make) as port:
        run = Run(port, "seq 100000", max_chars=1_000)
        assert len(run.text) <= 1_000, f"kept {len(run.text)} of 1000 characters"
        assert run.text.startswith("1\n2\n"), f"the head is {run.exit.output.head[:20]!r}"
        assert run.text.endswith("\n100000\n"), f"the tail is {run.exit.output.tail[-20:]!r}"
        whole = sum(len(str(number)) + 1 for number in range(1, 100_001))
        elided, kept = run.exit.output.elided_bytes, len(run.text)
        assert elided + kept == whole, f"elided {elided} + kept {kept} bytes are not {whole}"
        Run(port, "printf 12345", max_chars=5).check("12345")


def shows_output_live_without_escapes(make: Make) -> None:
    """Require the same text live and at the end, without escape sequences, however they are cut."""
    with _port(make) as port:
        run = Run(port, r"printf '\033[3'; sleep 0.1; printf '1mred\033[0m\n\033]0;t\007x\n'")
        run.check("red\nx\n")
        assert "".join(run.pieces) == run.text, f"showed {run.pieces!r}"


def decodes_characters_split_by_time(make: Make) -> None:
    """Require UTF-8 across writes, and U+FFFD for what is none."""
    with _port(make) as port:
        Run(port, r"printf '\303'; sleep 0.1; printf '\251'; printf '\377'; printf '\360\237'").check("é\ufffd\ufffd")


def returns_when_the_shell_has_exited(make: Make) -> None:
    """Require that children in the background do not keep the call, and are named."""
    with _port(make) as port:
        sleep = "sleep 600"
        for command in (f"{sleep} & echo done", f"setsid {sleep} & echo done", f"{sleep} >/dev/null 2>&1 & echo done"):
            run = Run(port, command)
            run.check("done\n")
            assert run.took_s < PATIENCE_S, f"{command!r} took {run.took_s:.1f} s"
            assert run.exit.survivors, f"{command!r} left nobody, it seems"


def kills_everything_at_a_timeout(make: Make) -> None:
    """Require the output so far, and that nothing lives on that the command started."""
    with _port(make) as port:
        for timeout_s in _TRIES_S:
            beats = Beats(port)
            run = Run(port, f"echo start; {beats.everywhere}; wait; sleep 60; echo never", timeout_s=timeout_s)
            assert run.exit.end is End.TIMED_OUT, f"ended as {run.exit.end}"
            if beats.have_begun(port):
                break
        assert run.text == "start\n", f"kept {run.text!r}"
        beats.check_stopped(port)


def kills_everything_when_cancelled(make: Make) -> None:
    """Require the same of a cancellation from another thread."""
    with _port(make) as port:
        beats = Beats(port)
        cancellation, started = Cancellation(), threading.Event()
        failures: list[AssertionError] = []

        def cancel() -> None:
            started.wait(PATIENCE_S)
            try:
                beats.check_going_on(port)
            except AssertionError as failure:
                failures.append(failure)
            cancellation.request()

        thread = threading.Thread(target=cancel)
        thread.start()
        run = Run(
            port,
            f"echo start; {beats.everywhere}; wait; sleep 600; echo never",
            timeout_s=10 * PATIENCE_S,
            cancellation=cancellation,
            told=lambda _: started.set(),
        )
        thread.join()
        assert not failures, str(failures[0])
        assert run.exit.end is End.CANCELLED, f"ended as {run.exit.end}"
        assert run.text == "start\n", f"kept {run.text!r}"
        beats.check_stopped(port)


def kills_what_goes_on_when_closed(make: Make) -> None:
    """Require that survivors live as long as their port, and no longer."""
    with _port(make) as port:
        beats = Beats(port)
        Run(port, beats.everywhere)
        beats.check_going_on(port)
    with _port(make) as another:
        beats.check_stopped(another)


def does_not_start_what_is_cancelled_before(make: Make) -> None:
    """Require that a cancelled call runs nothing."""
    with _port(make) as port:
        cancellation = Cancellation()
        cancellation.request()
        name = f"ran-{token_hex(4)}"
        end = Run(port, f"echo > {name}", cancellation=cancellation).exit.end
        assert end is End.CANCELLED, f"ended as {end}"
        Run(port, f"ls {name} 2>/dev/null").check("", code=2)


def refuses_after_its_end(make: Make) -> None:
    """Require a problem, not a command, after `close`; closing twice does nothing."""
    with _port(make) as port:
        port.close()
        try:
            Run(port, "echo hi")
        except ProcessProblem:
            return
        raise AssertionError("a closed port ran a command")


def runs_commands_side_by_side(make: Make) -> None:
    """Require that commands of several threads neither wait for one another nor mix their output."""
    with _port(make) as port:
        runs: dict[int, Run] = {}
        all_begun = threading.Barrier(_SIDE_BY_SIDE)

        def run(number: int) -> None:
            waits = [all_begun.wait]

            def meet(_: str) -> None:
                if waits:
                    with suppress(threading.BrokenBarrierError):
                        waits.pop()(PATIENCE_S)

            runs[number] = Run(port, f"echo {number}; sleep 1; echo {number}", timeout_s=3 * PATIENCE_S, told=meet)

        threads = [threading.Thread(target=run, args=(number,)) for number in range(_SIDE_BY_SIDE)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not all_begun.broken, f"of {_SIDE_BY_SIDE} commands one did not begin before another had ended"
        for number in range(_SIDE_BY_SIDE):
            runs[number].check(f"{number}\n{number}\n")


LAWS: tuple[Callable[[Make], None], ...] = (
    tells_exit_codes_and_signals,
    merges_output_in_order,
    gives_no_input,
    runs_each_command_verbatim_in_a_new_shell,
    keeps_both_ends_of_long_output,
    shows_output_live_without_escapes,
    decodes_characters_split_by_time,
    returns_when_the_shell_has_exited,
    kills_everything_at_a_timeout,
    kills_everything_when_cancelled,
    kills_what_goes_on_when_closed,
    does_not_start_what_is_cancelled_before,
    refuses_after_its_end,
    runs_commands_side_by_side,
)


@contextmanager
def _port(make: Make) -> Iterator[Processes]:
    port = make()
    try:
        yield port
    finally:
        port.close()
