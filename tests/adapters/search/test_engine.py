"""Child programs that end, hang, flood and are stopped; all of them real."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from mmtools.adapters.search.engine import Ending, EngineRun, run_engine
from mmtools.call import Cancellation
from mmtools.ports.search import Ended, EngineFailed, PlaceMissing
from tests.patience import AGES_S, PATIENCE_S, TRIES_S, when


class Program:
    """A piece of shell, or anything else, that is run, and its output."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.pieces: list[bytes] = []
        self.cancellation = Cancellation()

    def run(
        self,
        *arguments: str,
        data: bytes = b"",
        timeout_s: float = PATIENCE_S,
        take: Callable[[bytes], bool] = lambda data: True,
        environment: Mapping[str, str] | None = None,
    ) -> Ending:
        def keep(piece: bytes) -> bool:
            self.pieces.append(piece)
            return take(piece)

        run = EngineRun(
            arguments=arguments,
            directory=str(self.directory),
            input=data,
            environment=os.environ if environment is None else environment,
            deadline=time.monotonic() + timeout_s,
            cancellation=self.cancellation,
        )
        return run_engine(run, keep)

    def shell(
        self, script: str, *, timeout_s: float = PATIENCE_S, take: Callable[[bytes], bool] = lambda data: True
    ) -> Ending:
        return self.run("/bin/sh", "-c", script, timeout_s=timeout_s, take=take)

    @property
    def output(self) -> bytes:
        return b"".join(self.pieces)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path)


def test_it_tells_what_a_program_wrote_and_how_it_ended(program: Program) -> None:
    ended = program.shell("printf 'out\\0'; echo err >&2; pwd; exit 2")
    assert ended == Ending(ended=Ended.ALL, code=2, complaints=b"err\n")
    assert program.output == b"out\0" + os.fsencode(program.directory) + b"\n"
    assert program.shell("kill -9 $$") == Ending(ended=Ended.ALL, code=-9)


@pytest.mark.parametrize("size", [0, 1, 4_096, 4_097, 3_000_000])
def test_standard_input_of_any_size_is_read_or_not(program: Program, size: int) -> None:
    data = b"x" * size
    assert program.run("/bin/cat", data=data).code == 0
    assert program.output == data
    assert program.run("/bin/sh", "-c", "exit 3", data=data).code == 3


def test_the_environment_is_what_is_given(program: Program) -> None:
    program.run("/usr/bin/env", environment={"A": "1"})
    assert program.output == b"A=1\n"


def test_a_reader_that_wants_no_more_ends_it(program: Program) -> None:
    ended = program.shell("echo note >&2; yes", take=lambda piece: b"y" not in piece)
    assert ended == Ending(ended=Ended.LIMIT, complaints=b"note\n")


def test_the_deadline_ends_it_with_what_it_started(program: Program) -> None:
    for timeout_s in TRIES_S:
        program.pieces.clear()
        ended = program.shell("echo early; sleep 1000 & echo $!; exec sleep 1000", timeout_s=timeout_s)
        assert ended == Ending(ended=Ended.TIME)
        if len(program.output.split()) == 2:
            break
    early, child = program.output.split()
    assert early == b"early"
    await_gone(int(child))


def test_no_time_at_all_is_no_problem(program: Program) -> None:
    for timeout_s in (0.0, -5.0):
        assert program.shell("sleep 1000", timeout_s=timeout_s).ended is Ended.TIME


def test_more_time_is_asked_for_once(program: Program) -> None:
    asked: list[float] = []

    def ends(given_s: float) -> Ended:
        def more_time() -> float:
            asked.append(given_s)
            return time.monotonic() + given_s

        run = EngineRun(
            arguments=("/bin/sh", "-c", "sleep 0.6; echo late"),
            directory=str(program.directory),
            environment=os.environ,
            deadline=time.monotonic() + 0.1,
            cancellation=Cancellation(),
        )
        return run_engine(run, lambda data: True, more_time=more_time).ended

    assert [ends(given_s) for given_s in (PATIENCE_S, 0.1, -1.0)] == [Ended.ALL, Ended.TIME, Ended.TIME]
    assert asked == [PATIENCE_S, 0.1, -1.0]


def test_a_cancellation_from_another_thread_ends_it(program: Program) -> None:
    with when(lambda: program.output == b"early\n", program.cancellation.request):
        assert program.shell("echo early; sleep 1000", timeout_s=AGES_S).ended is Ended.CANCELLED
    assert program.output == b"early\n"
    assert program.shell("touch started").ended is Ended.CANCELLED
    assert list(program.directory.iterdir()) == []


def test_a_program_that_closes_its_output_and_stays_is_ended(program: Program) -> None:
    assert program.shell("exec sleep 1000 >&- 2>&-", timeout_s=0.5).ended is Ended.TIME


def test_a_flood_of_complaints_stops_nobody_and_is_kept_at_both_ends(program: Program) -> None:
    ended = program.shell("echo first >&2; head -c 30000000 /dev/zero >&2; echo last >&2; echo out")
    assert (ended.ended, ended.code, program.output) == (Ended.ALL, 0, b"out\n")
    assert ended.complaints.startswith(b"first\n")
    assert ended.complaints.endswith(b"\0last\n")
    assert len(ended.complaints) < 300_000


def test_what_cannot_be_started_is_a_problem(program: Program) -> None:
    with pytest.raises(EngineFailed, match="No such file"):
        program.run("/none/rg")
    with pytest.raises(EngineFailed, match=r"too long|too large"):
        program.run("/bin/true", "x" * 10_000_000)
    program.directory = program.directory / "none"
    with pytest.raises(PlaceMissing, match="No such file"):
        program.run("/bin/true")


def test_a_reader_that_fails_leaves_nothing_behind(program: Program) -> None:
    def fail(piece: bytes) -> bool:
        raise ZeroDivisionError(piece)

    with pytest.raises(ZeroDivisionError) as raised:
        program.shell("echo $$; sleep 1000", take=fail)
    await_gone(int(raised.value.args[0]))


def test_no_descriptor_is_left_open(program: Program) -> None:
    def count() -> int:
        return len(os.listdir("/dev/fd"))

    before = count()
    program.shell("echo x", take=lambda piece: False)
    program.shell("sleep 1000", timeout_s=0.05)
    program.run("/bin/cat", data=b"x" * 100_000)
    program.run("/bin/cat", data=b"x")
    with pytest.raises(EngineFailed):
        program.run("/none", data=b"x")
    assert count() == before


def test_many_run_side_by_side(tmp_path: Path) -> None:
    programs = [Program(tmp_path) for _ in range(16)]
    threads = [
        threading.Thread(target=each.run, args=(sys.executable, "-c", f"print({number} * 7)"))
        for number, each in enumerate(programs)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [each.output for each in programs] == [b"%d\n" % (number * 7) for number in range(16)]


def await_gone(pid: int) -> None:
    """Return when a process has ended; one that only waits to be reaped has."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return
        except OSError:
            return
        time.sleep(0.01)
    raise AssertionError(f"{pid} lives on")
