"""A server behind pipes: what it writes arrives, how it ends is told, and nobody waits for it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mmtools.adapters.process.piped_server import BrokenStream, Message, PipedServer
from tests.adapters.lsp.workbench import lives
from tests.patience import PATIENCE_S, soon


class Lines:
    """A reader for which each line is a message, but for one that breaks it."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> Iterator[Message]:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if line == b"break":
                raise BrokenStream("it is broken")
            yield {"line": line.decode()}

    def rest(self) -> Iterator[Message]:
        if self._rest:
            yield {"line": self._rest.decode()}


@contextmanager
def started(script: str) -> Iterator[PipedServer[Lines]]:
    server = PipedServer(
        ["bash", "-c", script], directory="/", environment=dict(os.environ), reader=Lines(), name="mmtools-test"
    )
    try:
        yield server
    finally:
        server.end()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("mmtools-test")]


def heard(server: PipedServer[Lines]) -> list[str]:
    """What it says from now on."""
    lines: list[str] = []
    server.listen(lambda message: lines.append(message["line"]))
    return lines


def ending(server: PipedServer[Lines]) -> str:
    return server.ended.result(PATIENCE_S)


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("exit 3", "exit status 3"),
        ("kill -9 $$", "signal: SIGKILL"),
        ("exec >&-; sleep 600", "it has closed its output"),
        ("echo break; sleep 600", "it is broken"),
        ("setsid sleep 600 & exit 4", "exit status 4"),
        ("yes & exit 4", "exit status 4"),
    ],
)
def test_how_it_ends_is_told(script: str, told: str) -> None:
    with started(f"read; {script}") as server:
        heard(server)
        assert server.ending == ""
        server.send(b"\n")
        assert ending(server) == server.ending == told


def test_what_it_wrote_before_its_end_arrives_whole() -> None:
    with started("read; seq 5; printf last; exit 0") as server:
        lines = heard(server)
        server.send(b"\n")
        ending(server)
        assert lines == ["1", "2", "3", "4", "5", "last"]


def test_a_flood_of_errors_is_read_though_nobody_listens(tmp_path: Path) -> None:
    with started(f"seq 300000 >&2; touch {tmp_path}/done; read; echo hi") as server:
        soon((tmp_path / "done").exists)
        lines = heard(server)
        server.send(b"\n")
        soon(lambda: lines == ["hi"])
        assert ending(server) == "exit status 0"
        assert server.last_words == "300000"


@pytest.mark.parametrize(
    ("errors", "words"),
    [
        ("", ""),
        (" \\n", ""),
        ("Error: boom happened\\n    at foo.js:1\\n\\nNode.js v20.20.2", "Error: boom happened"),
        ("panic: oh no\\n\\ngoroutine 1 [running]:\\nmain.main()\\nexit status 2", "panic: oh no"),
        (
            "thread 'main' panicked at src/main.rs:1:5:\\nboo\\nnote: run",
            "thread 'main' panicked at src/main.rs:1:5: boo",
        ),
        ("0 errors so far\\nbye", "bye"),
        ("some\\nlast \\e[1mwords\\e[0m \\n\\n \\n", "last words"),
        ("x%.0s$(printf y%.0s {1..400})", "xy" + "y" * 297 + "…"),
    ],
)
def test_its_last_words_are_the_last_line_in_short(errors: str, words: str) -> None:
    with started(f'printf "{errors}" >&2') as server:
        ending(server)
        assert server.last_words == words


def test_what_a_pipe_does_not_take_goes_out_later_and_before_the_end_of_the_input() -> None:
    with started("sleep 0.1; exec cat") as server:
        lines = heard(server)
        sent = [str(number) * 10_000 for number in range(200)]
        for line in sent:
            server.send(line.encode() + b"\n")
        server.close_input()
        server.send(b"too late\n")
        assert ending(server) == "exit status 0"
        assert lines == sent


def test_what_nobody_reads_costs_nobody_anything() -> None:
    with started("exec <&-; echo closed; sleep 600") as server:
        lines = heard(server)
        soon(lambda: lines)
        for _ in range(3):
            server.send(b"x" * 1_000_000)
        assert server.ending == ""


def test_a_server_that_has_stopped_reading_is_given_up() -> None:
    with started("sleep 600") as server:
        heard(server)
        for _ in range(70):
            server.send(b"x" * (1 << 20))
        assert ending(server) == "it has stopped reading"
        server.send(b"to nobody")


def test_a_server_that_is_stopped_may_say_goodbye_within_its_grace(tmp_path: Path) -> None:
    script = "trap 'seq 100000; exit 5' TERM; sleep 600 & echo $!; echo ready; while :; do wait; done"
    with started(script) as server:
        lines = heard(server)
        soon(lambda: "ready" in lines)
        server.end(grace_s=PATIENCE_S)
        assert server.ending == "exit status 5"
        assert lines[-1] == "100000"
        assert not lives(int(lines[0]))


def test_a_server_that_does_not_heed_is_killed() -> None:
    with started("trap '' TERM; echo ready; while :; do sleep 600; done") as server:
        lines = heard(server)
        soon(lambda: lines)
        server.end(grace_s=0.1)
        assert server.ending == "signal: SIGKILL"


def test_a_server_may_be_ended_before_anybody_listens_and_in_its_own_thread() -> None:
    with started("sleep 600"):
        pass
    with started("echo hi; sleep 600") as server:
        server.listen(lambda _: server.end())
        assert ending(server) == "signal: SIGKILL"


@pytest.mark.parametrize("command", [["/no/such/program"], ["a\0b"]])
def test_a_start_that_fails_leaves_nothing(command: list[str]) -> None:
    before = os.listdir("/proc/self/fd")
    with pytest.raises((OSError, ValueError)):
        PipedServer(command, directory="/", environment={}, reader=Lines(), name="mmtools-test")
    assert os.listdir("/proc/self/fd") == before
