"""The child process of a server, and all that it starts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mmtools.adapters.process.server_process import ServerProcess
from tests.adapters.lsp.workbench import lives
from tests.patience import at_once, soon


def started(folder: Path, script: str) -> ServerProcess:
    return ServerProcess(["bash", "-c", script], directory=str(folder), environment=dict(os.environ))


def close(process: ServerProcess) -> None:
    process.stdin.close()
    process.close()


@pytest.mark.parametrize(
    ("script", "ending"),
    [
        ("exit 0", "exit status 0"),
        ("exit 3", "exit status 3"),
        ("kill -9 $$", "signal: SIGKILL"),
        ("kill -40 $$", "signal: 40"),
    ],
)
def test_how_it_ended_is_told(tmp_path: Path, script: str, ending: str) -> None:
    process = started(tmp_path, script)
    soon(process.has_ended)
    assert ending in process.end()
    assert process.end() == process.end()
    close(process)


def test_it_is_not_reaped_before_its_end_is_asked_for(tmp_path: Path) -> None:
    process = started(tmp_path, "exit 0")
    soon(process.has_ended)
    assert Path(f"/proc/{process.pid}").exists()
    process.end()
    assert not Path(f"/proc/{process.pid}").exists()
    close(process)


@pytest.mark.parametrize("how", ["sleep 300 & echo $! > pid; exit 0", "setsid sleep 300 & echo $! > pid; sleep 300"])
def test_its_children_end_with_it_wherever_they_went(tmp_path: Path, how: str) -> None:
    process = started(tmp_path, how)
    soon(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
    child = int((tmp_path / "pid").read_text())
    process.end()
    assert not lives(child)
    assert not lives(process.pid)
    close(process)


def test_a_grace_lets_it_end_by_itself(tmp_path: Path) -> None:
    process = started(tmp_path, "trap 'echo bye > word; exit 5' TERM; echo > ready; while :; do sleep 0.05; done")
    soon((tmp_path / "ready").exists)
    assert process.end(grace_s=10.0) == "exit status 5"
    assert (tmp_path / "word").read_text() == "bye\n"
    close(process)


def test_without_a_grace_it_ends_at_once(tmp_path: Path) -> None:
    process = started(tmp_path, "trap '' TERM; echo > ready; while :; do sleep 0.05; done")
    soon((tmp_path / "ready").exists)
    with at_once():
        assert process.end() == "signal: SIGKILL"
    close(process)


@pytest.mark.parametrize("command", [["/no/such/program"], [""], ["a\0b"]])
def test_what_cannot_be_started_is_the_systems_error(tmp_path: Path, command: list[str]) -> None:
    with pytest.raises((OSError, ValueError)):
        ServerProcess(command, directory=str(tmp_path), environment={})


def test_the_programs_own_environment_is_the_one_given(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "ONLY": "this"}
    process = ServerProcess(["env"], directory=str(tmp_path), environment=environment)
    lines = process.stdout.read().decode().splitlines()
    names = {line.partition("=")[0] for line in lines}
    assert names == {"PATH", "ONLY", "MMTOOLS_CALL"}
    process.end()
    close(process)
