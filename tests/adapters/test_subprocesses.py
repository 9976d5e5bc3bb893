"""Commands by a real bash: what the laws of `Processes` leave to this adapter."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

import mmtools
from mmtools.adapters.process.tables import ProcTable
from mmtools.adapters.subprocesses import Subprocesses
from mmtools.call import Cancellation
from mmtools.ports.processes import (
    CommandTooLong,
    DirectoryMissing,
    End,
    ProcessesClosed,
    ProcessProblem,
    ShellMissing,
    VariableTooLong,
)
from mmtools.testing.conformance import processes as conformance
from mmtools.testing.conformance.process_runs import Run
from tests.patience import AGES_S, PATIENCE_S, TRIES_S, soon, when

pytestmark = pytest.mark.slow

ROOT = Path(mmtools.__file__).parents[1]

GRACE_S = 0.5


def port_at(directory: Path, *, grace_s: float = GRACE_S) -> Subprocesses:
    return Subprocesses(directory, environment=dict(os.environ), grace_s=grace_s)


@pytest.fixture
def port(tmp_path: Path) -> Iterator[Subprocesses]:
    with port_at(tmp_path) as port:
        yield port


def lives(pid: int) -> bool:
    """Whether a process runs; one that only waits to be reaped does not."""
    process = ProcTable().find(pid)
    return process is not None and process.running


def pids_in(*files: Path) -> list[int]:
    """The pids that a command wrote down, as soon as they are there."""
    soon(lambda: all(file.exists() and file.read_text().endswith("\n") for file in files))
    return [int(file.read_text()) for file in files]


def cancelled_with_pid(port: Subprocesses, command: str, file: Path) -> tuple[Run, int]:
    """Run a command until it has written a pid into `file`, and cancel it then."""
    cancellation = Cancellation()
    pids: list[int] = []

    def cancel_when_it_runs() -> None:
        pids.extend(pids_in(file))
        cancellation.request()

    thread = threading.Thread(target=cancel_when_it_runs)
    thread.start()
    run = Run(port, command, cancellation=cancellation)
    thread.join()
    return run, pids[0]


def timed_out(port: Subprocesses, command: str, begun: Callable[[], bool]) -> Run:
    """Run a command that times out, but not before it has begun."""
    for timeout_s in TRIES_S:
        run = Run(port, command, timeout_s=timeout_s)
        if begun():
            return run
    raise AssertionError("it never had the time to begin")


def in_fresh_python(script: str, directory: Path) -> str:
    """What a script prints in a process of its own."""
    answer = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        timeout=2 * PATIENCE_S,
        check=True,
    )
    return answer.stdout.decode()


def await_program(pid: int, command: str) -> None:
    """Require that a process becomes this command; it was seen when its shell ended, perhaps before that."""
    soon(lambda: ProcTable().command(pid) == command)


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.parametrize("law", conformance.LAWS, ids=lambda law: law.__name__)
def test_subprocesses_keep_the_laws_of_their_port(law: Callable[[conformance.Make], None], tmp_path: Path) -> None:
    law(lambda: port_at(tmp_path))


BACKGROUND = [
    "sleep 600 & echo done",
    "sleep 600 >/dev/null & echo done",
    "sleep 600 >/dev/null 2>&1 & echo done",
    "setsid sleep 600 & echo done",
    "(setsid sleep 600 &) ; echo done",
    "nohup sleep 600 >/dev/null 2>&1 & disown; echo done",
    "set -m; sleep 600 & echo done",
    "env -i sleep 600 & echo done",
    "env -i setsid sleep 600 & echo done",
    "coproc sleep 600; echo done",
    "python3 -c \"import subprocess; subprocess.Popen(['sleep', '600'], start_new_session=True)\"; echo done",
]


@pytest.mark.parametrize("command", BACKGROUND)
def test_a_child_in_the_background_does_not_keep_the_call_and_dies_with_the_port(tmp_path: Path, command: str) -> None:
    with port_at(tmp_path) as port:
        run = Run(port, command)
        run.check("done\n")
        assert run.took_s < PATIENCE_S
        (survivor,) = run.exit.survivors
        await_program(survivor.pid, "sleep 600")
    assert not lives(survivor.pid)


def test_a_child_that_floods_in_the_background_does_not_keep_the_call(port: Subprocesses) -> None:
    run = Run(port, "yes >&2 & sleep 0.2; echo done", max_chars=1_000, timeout_s=PATIENCE_S)
    assert (run.exit.end, run.exit.code) == (End.EXITED, 0)
    assert len(run.text) <= 1_000
    assert [each.command for each in run.exit.survivors] == ["yes"]


def test_what_a_finished_command_started_is_not_named(port: Subprocesses) -> None:
    for command in ("sleep 0.01 & wait", "echo a | cat | cat", "echo x > >(cat)", "(exit 3) & wait", "true"):
        assert Run(port, command).exit.survivors == ()


def test_a_survivor_goes_on_writing_and_is_neither_blocked_nor_killed(port: Subprocesses, tmp_path: Path) -> None:
    write = "head -c 3000000 /dev/zero | tr '\\0' x && echo finished > done"
    run = Run(port, f"(until test -e go; do sleep 0.05; done; {write}; exec sleep 60) & echo started")
    run.check("started\n")
    (tmp_path / "go").touch()
    soon((tmp_path / "done").exists)
    assert any(lives(each.pid) for each in run.exit.survivors)


ESCAPES = {
    "plain": "bash -c '{beat}' &",
    "ignores TERM": """bash -c 'trap "" TERM; {beat}' &""",
    "left the session": "setsid bash -c '{beat}' &",
    "left the session, ignores TERM": """setsid bash -c 'trap "" TERM; {beat}' &""",
    "forked twice": "( ( bash -c '{beat}' & ) & )",
    "forked twice out of the session": "( ( setsid bash -c '{beat}' & ) & )",
    "closed its output": "setsid bash -c '{beat}' >/dev/null 2>&1 </dev/null &",
    "own group by job control": "set -m; bash -c '{beat}' &",
    "no environment": "env -i PATH=$PATH bash -c '{beat}' &",
    "no environment, left the session": "env -i PATH=$PATH setsid bash -c '{beat}' &",
    "stopped": "bash -c 'echo $$ > pid; kill -STOP $$; sleep 60' &",
    "a daemon of Python's": (
        'python3 -c "import os, time\nif os.fork(): os._exit(0)\nos.setsid()\nif os.fork(): os._exit(0)\n'
        "os.closerange(0, 256)\nopen('pid', 'w').write(f'{{os.getpid()}}\\n')\ntime.sleep(60)\" &"
    ),
}


@pytest.mark.parametrize("way", ESCAPES)
def test_no_process_of_a_stopped_command_lives_on(way: str, port: Subprocesses, tmp_path: Path) -> None:
    command = "echo start; " + ESCAPES[way].format(beat="echo $$ > pid; sleep 60; true") + "\nsleep 60"
    run, pid = cancelled_with_pid(port, command, tmp_path / "pid")
    assert (run.exit.end, run.exit.code, run.exit.survivors) == (End.CANCELLED, None, ())
    assert run.text == "start\n"
    assert not lives(pid)


@pytest.mark.parametrize(
    "command", ["sleep 600 & setsid sleep 600 & sleep 600 | cat", "bash -c 'kill -STOP $$; sleep 600' & sleep 600"]
)
def test_a_command_that_ends_on_term_does_not_wait_for_the_grace(tmp_path: Path, command: str) -> None:
    with port_at(tmp_path, grace_s=AGES_S) as port:
        run = Run(port, command, timeout_s=0.5)
        assert run.exit.end is End.TIMED_OUT
        assert run.took_s < PATIENCE_S


def test_what_a_command_says_on_term_is_kept(port: Subprocesses, tmp_path: Path) -> None:
    command = "trap 'echo cleaned up; exit 9' TERM; echo start; touch begun; sleep 600 & wait"
    run = timed_out(port, command, (tmp_path / "begun").exists)
    assert (run.exit.end, run.exit.code) == (End.TIMED_OUT, None)
    assert run.text == "start\ncleaned up\n"


def test_what_a_command_starts_on_term_is_killed_too(port: Subprocesses, tmp_path: Path) -> None:
    command = "trap 'setsid sleep 600 >/dev/null 2>&1 & echo $! > pid; exit' TERM; touch begun; sleep 600 & wait"
    timed_out(port, command, (tmp_path / "begun").exists)
    (pid,) = pids_in(tmp_path / "pid")
    assert not lives(pid)


@pytest.mark.parametrize(
    "command",
    [
        "sleep 60; touch ran",
        "sleep 60 || touch ran",
        "(sleep 60; touch ran); touch ran",
        "bash -c 'sleep 60; touch ran'; touch ran",
        "setsid --wait bash -c 'sleep 60; touch ran'; touch ran",
        "sleep 60 | cat; touch ran",
        "set -m; sleep 60; touch ran",
        "while :; do sleep 60; touch ran; done",
    ],
)
def test_a_stopped_command_does_not_go_on_with_its_next_step(port: Subprocesses, tmp_path: Path, command: str) -> None:
    for _ in range(5):
        run = Run(port, command, timeout_s=0.1)
        assert (run.exit.end, run.text) == (End.TIMED_OUT, "")
        assert not (tmp_path / "ran").exists()


def test_a_flood_does_not_delay_the_timeout(port: Subprocesses) -> None:
    run = Run(port, "yes", timeout_s=1, max_chars=30_000)
    assert run.exit.end is End.TIMED_OUT
    assert run.took_s < PATIENCE_S
    assert len(run.text) <= 30_000


def test_a_hundred_processes_are_ended(port: Subprocesses) -> None:
    bomb = "f() { (( $1 > 0 )) || exec sleep 60; f $(( $1 - 1 )) & f $(( $1 - 1 )) & wait; }; f 6"
    run = Run(port, bomb, timeout_s=1)
    assert (run.exit.end, run.exit.survivors) == (End.TIMED_OUT, ())


def test_the_hosts_other_processes_are_left_alone(port: Subprocesses) -> None:
    sleepers = [subprocess.Popen(["sleep", "60"], start_new_session=new_session) for new_session in (False, True)]
    try:
        Run(port, "sleep 60", timeout_s=0.3)
        Run(port, "sleep 60 & true")
        port.close()
        assert [each.poll() for each in sleepers] == [None, None]
    finally:
        for each in sleepers:
            each.kill()
            each.wait()


def test_a_port_leaves_the_processes_of_another_alone(port: Subprocesses, tmp_path: Path) -> None:
    (survivor,) = Run(port, "sleep 60 & true").exit.survivors
    with port_at(tmp_path) as other:
        Run(other, "sleep 60 & true")
        Run(other, "sleep 60", timeout_s=0.3)
    assert lives(survivor.pid)


FORKING_HOST = """
    import os, sys, threading, time
    from mmtools.adapters.process.tables import ProcTable
    from mmtools.adapters.subprocesses import Subprocesses
    from mmtools.testing.conformance.process_runs import Run

    port = Subprocesses(".", environment=dict(os.environ))
    children = []
    def fork_while_it_runs():
        time.sleep(0.3)
        child = os.fork()
        if child == 0:
            time.sleep(60)
            os._exit(0)
        children.append(child)
    thread = threading.Thread(target=fork_while_it_runs)
    thread.start()
    end = Run(port, "sleep 60", timeout_s=1).exit.end
    thread.join()
    print(end, os.waitpid(children[0], os.WNOHANG)[0])
    os.kill(children[0], 9)
    os.waitpid(children[0], 0)
    (survivor,) = Run(port, "sleep 60 & true").exit.survivors
    child = os.fork()
    if child == 0:
        port.close()
        sys.exit(0)
    os.waitpid(child, 0)
    print("alive" if ProcTable().find(survivor.pid).running else "dead")
"""


def test_a_fork_of_the_host_is_neither_killed_nor_does_it_kill(tmp_path: Path) -> None:
    assert in_fresh_python(FORKING_HOST, tmp_path) == "timed_out 0\nalive\n"


FORGETFUL_HOST = """
    import os
    from mmtools.adapters.subprocesses import Subprocesses
    from mmtools.testing.conformance.process_runs import Run

    port = Subprocesses(".", environment=dict(os.environ))
    for exit in Run(port, "sleep 60 & true").exit, Run(port, "setsid sleep 60 >/dev/null 2>&1 &").exit:
        print(exit.survivors[0].pid)
"""


def test_survivors_of_a_host_that_forgets_to_close_die_with_it(tmp_path: Path) -> None:
    pids = [int(line) for line in in_fresh_python(FORGETFUL_HOST, tmp_path).split()]
    assert len(pids) == 2
    assert not any(map(lives, pids))


def test_survivors_of_a_forgotten_port_die_with_it(tmp_path: Path) -> None:
    port = port_at(tmp_path)
    (survivor,) = Run(port, "sleep 60 & true").exit.survivors
    assert lives(survivor.pid)
    del port
    gc.collect()
    assert not lives(survivor.pid)


NESTED_HOST = """
    import os
    from mmtools.adapters.subprocesses import Subprocesses
    from mmtools.testing.conformance.process_runs import Run

    port = Subprocesses(".", environment=dict(os.environ))
    Run(port, "setsid bash -c 'echo $$ > pid; sleep 60; true' >/dev/null 2>&1 & sleep 60", timeout_s=60)
"""


def test_what_a_command_runs_by_this_library_is_killed_with_it(port: Subprocesses, tmp_path: Path) -> None:
    (tmp_path / "host.py").write_text(textwrap.dedent(NESTED_HOST))
    run, pid = cancelled_with_pid(port, f"PYTHONPATH={ROOT} {sys.executable} host.py", tmp_path / "pid")
    assert run.exit.end is End.CANCELLED
    assert not lives(pid)


FLOODED_HOST = """
    import os, resource
    from mmtools.adapters.subprocesses import Subprocesses
    from mmtools.call import Cancellation

    port = Subprocesses(".", environment=dict(os.environ))
    def run(command):
        return port.run(command, timeout_s=60, max_chars=30_000, on_output=len, cancellation=Cancellation())
    run("head -c 3000000 /dev/zero | tr '\\\\0' x")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    exit = run("head -c 200000000 /dev/zero | tr '\\\\0' x; echo; echo LAST; exit 3")
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    output = exit.output
    print(exit.code, output.head == "x" * 15_000, output.tail.endswith("x\\nLAST\\n"))
    print(output.elided_bytes + len(output.head) + len(output.tail), grown < 16 * 1024)
"""


def test_a_flood_is_read_to_its_end_in_little_memory(tmp_path: Path) -> None:
    assert in_fresh_python(FLOODED_HOST, tmp_path) == "3 True True\n200000006 True\n"


ON_A_TERMINAL = """
    import json, os, pty, sys
    from mmtools.adapters.subprocesses import Subprocesses
    from mmtools.testing.conformance.process_runs import Run

    commands, stdin = json.loads(COMMANDS), STDIN
    pid, terminal = pty.fork()
    if pid:
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    if stdin == "silent pipe":
        os.dup2(os.pipe()[0], 0)
    os.close(os.open("/dev/tty", os.O_RDWR))
    port = Subprocesses(".", environment=dict(os.environ))
    with open("answers", "w") as file:
        for command in commands:
            run = Run(port, command, timeout_s=60)
            print(json.dumps([run.exit.end, run.exit.code, run.text]), file=file)
"""


@pytest.mark.parametrize("stdin", ["terminal", "silent pipe"])
def test_a_command_has_neither_the_hosts_stdin_nor_its_terminal(tmp_path: Path, stdin: str) -> None:
    answers = {
        "cat": ["exited", 0, ""],
        'read x; echo "[$x]"': ["exited", 0, "[]\n"],
        'cat <<E\nhi\nE\nread y; echo "<$y>"': ["exited", 0, "hi\n<>\n"],
        "python3 -c \"open('/dev/tty')\" 2>/dev/null": ["exited", 1, ""],
        "python3 -c \"import os; os.open('/dev/tty', os.O_RDWR | os.O_NOCTTY)\" 2>/dev/null": ["exited", 1, ""],
        "test -t 0 || test -t 1 || test -t 2": ["exited", 1, ""],
    }
    script = ON_A_TERMINAL.replace("COMMANDS", repr(json.dumps(list(answers)))).replace("STDIN", repr(stdin))
    in_fresh_python(script, tmp_path)
    written = (tmp_path / "answers").read_text().splitlines()
    assert [json.loads(line) for line in written] == list(answers.values())


def test_a_directory_that_is_gone_is_a_problem_until_it_is_back(tmp_path: Path) -> None:
    directory = tmp_path / "work"
    with port_at(directory) as port:
        with pytest.raises(DirectoryMissing) as caught:
            Run(port, "true")
        assert caught.value.reason == str(directory)
        directory.touch()
        with pytest.raises(DirectoryMissing):
            Run(port, "true")
        directory.unlink()
        directory.mkdir()
        Run(port, "pwd").check(f"{directory}\n")


def test_a_directory_removed_by_a_command_is_a_problem_of_the_next(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    with port_at(tmp_path / "work") as port:
        Run(port, "rmdir $PWD").check("")
        with pytest.raises(DirectoryMissing):
            Run(port, "true")


@pytest.mark.parametrize("shell", ["no-such-shell", "/no/such/bash"])
def test_a_missing_shell_is_a_problem(tmp_path: Path, shell: str) -> None:
    with Subprocesses(tmp_path, environment={}, shell=shell) as port, pytest.raises(ShellMissing) as caught:
        Run(port, "true")
    assert caught.value.reason == shell


def test_a_shell_that_cannot_be_run_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "shell").write_bytes(b"\x7fELF no")
    (tmp_path / "shell").chmod(0o755)
    with Subprocesses(tmp_path, environment={}, shell=str(tmp_path / "shell")) as port, pytest.raises(ProcessProblem):
        Run(port, "true")


def test_a_command_that_the_system_does_not_take_is_a_problem(port: Subprocesses) -> None:
    Run(port, "echo hi # " + "x" * 100_000).check("hi\n")
    with pytest.raises(CommandTooLong):
        Run(port, "echo hi # " + "x" * 200_000)


def test_a_variable_that_the_system_does_not_take_is_named(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "HUGE": "v" * 140_000}
    with Subprocesses(tmp_path, environment=environment) as port, pytest.raises(VariableTooLong) as caught:
        Run(port, "echo hi")
    assert caught.value.reason == "HUGE"
    with Subprocesses(tmp_path, environment={**environment, "HUGE": "v" * 131_000}) as port:
        Run(port, "echo hi").check("hi\n")


def test_a_problem_leaves_no_descriptor_open(port: Subprocesses, tmp_path: Path) -> None:
    Run(port, "true")
    before = open_descriptors()
    for command in ("x" * 200_000, "nul\0"):
        with pytest.raises((ProcessProblem, ValueError)):
            Run(port, command)
    assert open_descriptors() == before


def test_the_environment_is_the_given_one_and_may_change_between_commands(tmp_path: Path) -> None:
    variables = {"PATH": os.environ["PATH"], "ONE": "1"}
    with Subprocesses(tmp_path, environment=lambda: variables) as port:
        names = {line.partition("=")[0] for line in Run(port, "env").text.splitlines()}
        assert names - {"PATH", "ONE", "PWD", "SHLVL", "_"} == {"MMTOOLS_CALL"}
        variables["TWO"] = "é"
        Run(port, "echo $ONE$TWO").check("1é\n")


def test_the_environment_is_in_no_argument_list(tmp_path: Path) -> None:
    with Subprocesses(tmp_path, environment={"PATH": os.environ["PATH"], "MINE": "sesame-42"}) as port:
        run = Run(port, "echo ${#MINE}; cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '")
        assert run.text.startswith("9\n")
        assert "sesame-42" not in run.text


def test_closing_ends_the_commands_of_other_threads_as_cancelled(tmp_path: Path) -> None:
    port = port_at(tmp_path)
    files = [tmp_path / str(number) for number in range(4)]
    ends: list[End] = []

    def run(file: Path) -> None:
        ends.append(Run(port, f"echo $$ > {file}; sleep 60").exit.end)

    threads = [threading.Thread(target=run, args=(file,)) for file in files]
    for thread in threads:
        thread.start()
    pids = pids_in(*files)
    port.close()
    assert not any(map(lives, pids)), "close returns when they are gone"
    for thread in threads:
        thread.join(PATIENCE_S)
    assert ends == [End.CANCELLED] * 4


def test_a_command_may_close_its_own_port(tmp_path: Path) -> None:
    port = port_at(tmp_path)
    exit_ = port.run(
        "echo hi; sleep 60",
        timeout_s=PATIENCE_S,
        max_chars=100,
        on_output=lambda _: port.close(),
        cancellation=Cancellation(),
    )
    assert (exit_.end, exit_.output.head) == (End.CANCELLED, "hi\n")
    with pytest.raises(ProcessesClosed):
        Run(port, "true")


def test_nothing_survives_a_command_that_closes_its_port_at_its_end(tmp_path: Path) -> None:
    port = port_at(tmp_path)

    def close_after_the_exit(_: str) -> None:
        if not lives(*pids_in(tmp_path / "shell")):
            port.close()

    exit_ = port.run(
        "echo $$ > shell; (echo $BASHPID > pid; while sleep 0.03; do echo again; touch begun; done) & "
        "until [ -e begun ]; do sleep 0.03; done",
        timeout_s=PATIENCE_S,
        max_chars=100,
        on_output=close_after_the_exit,
        cancellation=Cancellation(),
    )
    assert exit_.output.head.startswith("again\n")
    with pytest.raises(ProcessesClosed):
        Run(port, "true")
    assert not lives(*pids_in(tmp_path / "pid"))


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_exception_from_the_display_ends_the_command_and_goes_on(
    port: Subprocesses, tmp_path: Path, error: type[BaseException]
) -> None:
    def show(text: str) -> None:
        raise error(text)

    Run(port, "true")
    before = open_descriptors()
    with pytest.raises(error, match="hi"):
        port.run(
            "echo $$ > pid; setsid sleep 60 & echo hi; sleep 60",
            timeout_s=PATIENCE_S,
            max_chars=100,
            on_output=show,
            cancellation=Cancellation(),
        )
    assert not lives(*pids_in(tmp_path / "pid"))
    assert open_descriptors() == before


def test_nothing_is_left_of_many_commands(tmp_path: Path) -> None:
    before = open_descriptors(), threading.active_count()
    with port_at(tmp_path) as port:
        threads = [threading.Thread(target=Run, args=(port, "sleep 0.2; echo hi | cat")) for _ in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        # One descriptor more as long as the port is open: by it the guarding process is told.
        assert (open_descriptors() - 1, threading.active_count()) == before
        survivors = [each for _ in range(3) for each in Run(port, "sleep 60 & true").exit.survivors]
        assert threading.active_count() == before[1] + 1
    assert (open_descriptors(), threading.active_count()) == before
    assert not any(lives(each.pid) for each in survivors)


def test_survivors_that_end_take_the_reading_thread_with_them(port: Subprocesses) -> None:
    Run(port, "true")
    before = open_descriptors(), threading.active_count()
    for _ in range(2):
        assert Run(port, "sleep 0.4 & true").exit.survivors
        soon(lambda: (open_descriptors(), threading.active_count()) == before)


def test_a_cancellation_by_a_signal_handler_ends_the_command(port: Subprocesses, tmp_path: Path) -> None:
    cancellation = Cancellation()
    old = signal.signal(signal.SIGUSR1, lambda *_: cancellation.request())
    interrupt = partial(signal.pthread_kill, threading.main_thread().ident or 0, signal.SIGUSR1)
    try:
        with when((tmp_path / "begun").exists, interrupt):
            run = Run(port, "touch begun; sleep 600", timeout_s=AGES_S, cancellation=cancellation)
        assert run.exit.end is End.CANCELLED
    finally:
        signal.signal(signal.SIGUSR1, old)


@pytest.mark.parametrize(
    "law",
    [
        conformance.tells_exit_codes_and_signals,
        conformance.returns_when_the_shell_has_exited,
        conformance.kills_everything_when_cancelled,
        conformance.runs_commands_side_by_side,
    ],
    ids=lambda law: law.__name__,
)
def test_the_laws_hold_where_the_system_has_neither_pidfds_nor_eventfds(
    law: Callable[[conformance.Make], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "pidfd_open")
    monkeypatch.delattr(os, "eventfd")
    law(lambda: port_at(tmp_path))
