"""Whatever changes files, the language servers are told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from mmtools.adapters.notifying import NotifyingFiles, NotifyingProcesses
from mmtools.call import Cancellation
from mmtools.ports.files import Changed
from mmtools.ports.processes import ProcessProblem
from mmtools.testing.conformance.files import check_files
from mmtools.testing.files import MemoryFiles
from mmtools.testing.language_servers import MemoryLanguageServers
from mmtools.testing.processes import ScriptedProcesses

pytestmark = pytest.mark.slow


def servers() -> MemoryLanguageServers:
    return MemoryLanguageServers([], read=lambda place: None)


@contextmanager
def fresh() -> Iterator[NotifyingFiles]:
    yield NotifyingFiles(MemoryFiles(), servers())


def test_they_are_files_like_those_they_stand_before() -> None:
    check_files(fresh)


def test_what_was_replaced_is_noted_and_what_was_refused_is_not() -> None:
    memory, told = MemoryFiles({"a.txt": b"one"}), servers()
    files = NotifyingFiles(memory, told)
    before = files.snapshot(files.locate("a.txt"))
    files.replace(before, b"two")
    assert told.noted == [("/repo/a.txt",)]
    with pytest.raises(Changed):
        files.replace(before, b"three")
    assert len(told.noted) == 1


def test_after_a_command_anything_may_have_changed() -> None:
    told = servers()
    processes = NotifyingProcesses(ScriptedProcesses({"make": "done", "lost": ProcessProblem("no")}), told)

    def run(command: str) -> str:
        exit_ = processes.run(
            command, timeout_s=1, max_chars=100, on_output=lambda _: None, cancellation=Cancellation()
        )
        return exit_.output.head

    assert run("make") == "done"
    with pytest.raises(ProcessProblem):
        run("lost")
    assert told.noted == [None, None]
    assert processes.directory == "/scripted"
    processes.close()
