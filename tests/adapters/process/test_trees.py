"""Trees found and killed without /proc: by groups, sessions and parents alone."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import mmtools
from mmtools.adapters.process.tables import ProcessTable, ProcTable, PsTable
from mmtools.adapters.process.trees import Tree, kill
from tests.patience import soon

pytestmark = pytest.mark.slow

#: No environment holds it.
NO_MARK = b"\0no mark\0"


@contextmanager
def shell(command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A command that has printed a line, so that it is well under way."""
    with subprocess.Popen(["bash", "-c", command], start_new_session=True, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        yield child
        child.kill()


@pytest.mark.parametrize("table", [ProcTable(), PsTable()], ids=["proc", "ps"])
@pytest.mark.parametrize("command", ["sleep 60 & sleep 60 &", "setsid sleep 60 &", "(trap '' TERM; sleep 60) &"])
def test_children_are_found_and_killed_with_their_shell(table: ProcessTable, command: str) -> None:
    with shell(f"{command} sleep 0.3; echo ready; wait; sleep 60") as child:
        tree = Tree(table, NO_MARK, shell=child.pid)
        before = tree.running()
        assert len(before) > 1
        assert child.pid in [each.pid for each in before]
        assert kill(tree, grace_s=0.3) == []
        assert child.wait() != 0
        for process in before:
            found = table.find(process.pid)
            assert found is None or not found.running


def test_an_orphan_is_found_when_it_was_seen_before() -> None:
    table = ProcTable()
    command = "env -i setsid bash -c 'sleep 60; true' >/dev/null & echo ready; exec sleep 60"
    with shell(command) as child:
        tree = Tree(table, NO_MARK, shell=child.pid)
        soon(lambda: len(tree.running()) == 3 and table.command(child.pid) == "sleep 60")
        pids = {each.pid for each in tree.running()} - {child.pid}
        assert len(pids) == 2
    assert {each.pid for each in tree.running()} == pids
    assert kill(tree, grace_s=5) == []


def test_a_tree_without_a_shell_holds_what_it_remembers_and_their_children() -> None:
    table = ProcTable()
    with shell("bash -c 'sleep 60; true' & echo ready; wait") as child:
        tree = Tree(table, NO_MARK)
        assert tree.running() == tree.left_behind() == []
        found = table.find(child.pid)
        assert found is not None
        tree.remember([found])
        soon(lambda: len(tree.running()) == 3)
        assert kill(tree, grace_s=5) == []


def test_no_tree_holds_the_process_that_looks_nor_its_session() -> None:
    with shell("echo ready; sleep 60") as child:
        everything = Tree(ProcTable(), mark=b"").running()
    assert child.pid in [each.pid for each in everything]
    assert os.getsid(0) not in [each.session for each in everything]


FORK = """
    import os
    from mmtools.adapters.process.tables import ProcTable
    from mmtools.adapters.process.trees import Tree

    reader, writer = os.pipe()
    children = []
    for change in (lambda: None, lambda: os.execve("/bin/sleep", ["sleep", "60"], {})):
        os.set_inheritable(writer, True)
        child = os.fork()
        if child == 0:
            os.setsid()
            change()
            os.read(os.pipe()[0], 1)
        children.append(child)
    tree = Tree(ProcTable(), b"no mark", pipe=os.fstat(reader).st_ino)
    while not (found := [each.pid for each in tree.running()]):
        pass
    print(found == children[1:])
    for child in children:
        os.kill(child, 9)
"""


def test_a_writer_of_the_pipe_is_in_the_tree_but_not_a_fork_of_the_process_that_looks() -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(mmtools.__file__).parents[1])}
    command = [sys.executable, "-c", textwrap.dedent(FORK)]
    answer = subprocess.run(command, env=environment, stdout=subprocess.PIPE, timeout=60, check=True)
    assert answer.stdout == b"True\n"
