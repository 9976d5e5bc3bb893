"""What a guarding process is told, and what it finds by that."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.process import guard
from mmtools.adapters.process.guard import Belongings
from mmtools.adapters.process.tables import ProcTable
from tests.patience import soon

LINES = st.lists(
    st.tuples(st.sampled_from("+-"), st.sampled_from(["a", "b", "ab"])).map("".join) | st.just("=b 1 2"), max_size=8
)


@given(LINES, st.lists(st.integers(0, 30), max_size=4))
def test_what_is_said_counts_however_it_is_cut(lines: list[str], cuts: list[int]) -> None:
    data = "".join(f"{line}\n" for line in lines).encode()
    belongings, at = Belongings(), 0
    for cut in sorted(cuts):
        belongings.take(data[at:cut])
        at = max(at, cut)
    belongings.take(data[at:])
    marks = set[str]()
    for line in lines:
        if line[0] == "+":
            marks.add(line[1:])
        elif line[0] == "-":
            marks.discard(line[1:])
        else:
            marks.add("b")
    assert bool(belongings) is bool(marks)


def test_a_process_that_was_named_is_found_with_its_children_and_no_later_one_of_its_pid() -> None:
    # A short mark would be a part of those that the processes of other tests carry.
    mark = secrets.token_hex(16)
    with subprocess.Popen(["setsid", "sh", "-c", "env -i sleep 600; true"]) as started:
        try:
            table = ProcTable()
            soon(lambda: any(each.parent == started.pid for each in table.all()))
            (child,) = [each.pid for each in table.all() if each.parent == started.pid]
            found = table.find(started.pid)
            assert found
            named, other = Belongings(), Belongings()
            named.take(f"={mark} {started.pid} {found.started:.0f}\n".encode())
            other.take(f"={mark} {started.pid} {found.started - 1:.0f}\n".encode())
            assert [pid for pid, _ in named.running()] == sorted([started.pid, child])
            assert other.running() == []
            named.take(f"-{mark}\n".encode())
            assert named.running() == []
        finally:
            os.killpg(started.pid, signal.SIGKILL)


def test_it_ends_when_the_host_closes_the_pipe_and_left_nothing() -> None:
    started = Path("/proc/self/stat").read_text().rpartition(") ")[2].split()[19]
    said = subprocess.run(
        [sys.executable, "-I", "-S", guard.__file__, str(os.getpid()), started],
        input=b"+a\n-a\n",
        timeout=60,
        check=True,
        capture_output=True,
    )
    assert said.stdout == said.stderr == b""
