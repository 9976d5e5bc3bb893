"""The laws of `Files` for long courses, many threads, and a kill. Needs hypothesis."""

from __future__ import annotations

import os
import signal
import time
from functools import partial

from mmtools.ports.files import Changed, Files, Missing, Place, Replaced, Snapshot
from mmtools.testing.conformance.acts import fails, side_by_side
from mmtools.testing.conformance.files_steps import Make, read, write
from mmtools.testing.hypothesis_needed import HealthCheck, Phase, settings, stateful
from mmtools.testing.hypothesis_needed import strategies as st

__all__ = ["agrees_with_a_dictionary", "loses_no_update_between_threads", "survives_kills"]

_THREADS = 8
_UPDATES = 5
#: 60 s: only a lock that is never given back meets it.
_PATIENCE_S = 60.0


def agrees_with_a_dictionary(make: Make) -> None:
    """Require that any course of reads and replacements, also with stale snapshots, does what a dict would."""

    class Course(stateful.RuleBasedStateMachine):
        snapshots = stateful.Bundle("snapshots")
        paths = st.sampled_from(("a", "d/../a", "d/e/f"))
        contents = st.sampled_from((b"", b"1", b"2", b"\r\n"))

        def __init__(self) -> None:
            super().__init__()
            self.opened = make()
            self.files = self.opened.__enter__()
            self.model: dict[str, bytes] = {}

        @stateful.rule(target=snapshots, path=paths)
        def look(self, path: str) -> Snapshot:
            snapshot = self.files.snapshot(self.files.locate(path))
            assert snapshot.data == self.model.get(snapshot.place.path), f"{path} holds {snapshot.data!r}"
            assert snapshot.links == 1, f"{path} has {snapshot.links} names"
            return snapshot

        @stateful.rule(target=snapshots, before=snapshots, data=contents)
        def replace(self, before: Snapshot, data: bytes) -> Snapshot:
            path = before.place.path
            if self.model.get(path) == before.data:
                replaced = self.files.replace(before, data)
                assert replaced == Replaced(), f"a plain replacement ended as {replaced}"
                self.model[path] = data
            else:
                fails(Changed, self.files.replace, before, data)
            after = self.files.snapshot(before.place)
            assert after.data == self.model.get(path), f"after a replacement by {data!r} there is {after.data!r}"
            return after

        @stateful.rule(path=paths, size=st.integers(1, 9))
        def read(self, path: str, size: int) -> None:
            place = self.files.locate(path)
            if place.path in self.model:
                with self.files.open(place) as reader:
                    content = b"".join(iter(lambda: reader.read(size), b""))
                    assert content == self.model[place.path], f"the pieces of {path} are {content!r}"
            else:
                fails(Missing, self.files.open(place).__enter__)

        def teardown(self) -> None:
            self.opened.__exit__(None, None, None)

    short = settings(
        max_examples=60,
        stateful_step_count=25,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    stateful.run_state_machine_as_test(Course, settings=short)


def loses_no_update_between_threads(make: Make) -> None:
    """Require that of many who add a line to one file, each reading it first, none undoes what another did."""
    with make() as files:

        def add_lines(thread: int) -> None:
            for number in range(_UPDATES):
                _append(files, "log", b"%d.%d\n" % (thread, number))

        side_by_side((partial(add_lines, number) for number in range(_THREADS)), patience_s=_PATIENCE_S)
        lines = (read(files, "log") or b"").splitlines()
        missing = {b"%d.%d" % (a, b) for a in range(_THREADS) for b in range(_UPDATES)} - set(lines)
        assert not missing, f"replaced with success, and lost: {sorted(missing)[:5]}"
        assert len(lines) == _THREADS * _UPDATES, f"{_THREADS * _UPDATES} lines were added, and {len(lines)} are there"


def survives_kills(make: Make, *, rounds: int = 20, size: int = 2_000_000) -> None:
    """
    Require that a process killed while it replaces a file leaves the old bytes or the new, and nothing to stumble on.

    Not one of `LAWS`: it forks, so call it where no other thread runs.

    Args:
        size: Of the file, in bytes: the larger, the more kills fall in the middle.
    """
    old, new = b"o" * size, b"n" * (size + size // 2)
    with make() as files:
        place = write(files, "victim", old)
        begun = time.perf_counter()
        files.replace(files.snapshot(place), new)
        longest_s = time.perf_counter() - begun
        for turn in range(rounds):
            write(files, "victim", old)
            _replace_and_be_killed(files, place, new, after_s=longest_s * turn / max(rounds - 1, 1))
            found = files.snapshot(place).data
            assert found in (old, new), f"{len(found or b'')} bytes are left, neither the old {size} nor the new"
            write(files, "victim", b"after")
            assert files.names_beside(place) == ("victim",), f"also there: {files.names_beside(place)}"


def _append(files: Files, path: str, line: bytes) -> None:
    while True:
        before = files.snapshot(files.locate(path))
        try:
            files.replace(before, (before.data or b"") + line)
        except Changed:
            continue
        return


def _replace_and_be_killed(files: Files, place: Place, data: bytes, *, after_s: float) -> None:
    before = files.snapshot(place)
    pid = os.fork()
    if pid == 0:
        try:
            files.replace(before, data)
        finally:
            os._exit(0)
    time.sleep(after_s)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
