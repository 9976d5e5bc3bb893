"""
Everything that one command started: found however far it went, and killed to the last process.

A process belongs to the tree when one of these holds; all but the last are inherited by its children.

* It carries the command's mark in its environment: across setsid, double forks and redirections.
* It is in the session of the command's shell, or of another process of the tree.
* Its parent belongs to the tree, or did when the tree was last looked at.
* It was started after the shell and writes to the command's pipe (`env -i setsid …`).

What clears its environment, leaves the session, loses its parent and closes its output, all before
anyone looks, is not found.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress

from attrs import define, field

from mmtools.adapters.process.tables import Process, ProcessTable, open_pidfd

__all__ = ["Tree", "kill", "marked"]

#: Marks what this library started; a host that runs inside of one of its commands adds to it.
_MARK_NAME = "MMTOOLS_CALL"

#: 2 s: enough for the kernel to end what it can end; what hangs in the kernel is left.
_KILL_S = 2.0


@define
class Tree:
    """
    The processes of a tree, found and remembered.

    Args:
        mark: Stands in the environment of what the command started, and of nothing else.
        shell: The shell's pid, if it is not reaped before the tree was looked at for the last time.
        pipe: Inode of the pipe that the command writes to, as long as it has a writer.
    """

    table: ProcessTable
    mark: bytes
    shell: int | None = None
    pipe: int | None = None
    _known: set[Process] = field(factory=set, init=False)

    def remember(self, processes: Iterable[Process]) -> None:
        """Count these in, whatever becomes of their parents."""
        self._known.update(processes)

    def running(self) -> list[Process]:
        """
        Look through all processes; what is found is remembered.

        Returns:
            Parents before their children; the shell counts as long as it runs.
        """
        return self._pick(self.table.all())

    def left_behind(self) -> list[Process]:
        """Look through the few processes that are younger than the shell, started less than a second ago."""
        return self.running() if self.shell is None else self._pick(self.table.younger_than(self.shell))

    def _pick(self, processes: Sequence[Process]) -> list[Process]:
        if not processes:
            return []
        shell = None if self.shell is None else self.table.find(self.shell)
        since = shell.started if shell else 0
        own_session = os.getsid(0)
        others = [each for each in processes if each.running and each.session != own_session and each.started >= since]
        found = {each.pid: each for each in others if self._is_root(each)}
        sessions = {each.session for each in found.values()}
        grown = True
        while grown:
            joining = [each for each in others if each.pid not in found]
            joining = [each for each in joining if each.parent in found or each.session in sessions]
            found.update((each.pid, each) for each in joining)
            sessions.update(each.session for each in joining)
            grown = bool(joining)
        self._known.update(found.values())
        return _parents_first(found)

    def _is_root(self, process: Process) -> bool:
        if process in self._known or process.session == self.shell:
            return True
        if self.mark in process.environment:
            return True
        # A fork of this very process may have inherited the pipe by chance: it has our own environment.
        return (
            self.pipe is not None
            and self.table.writes_to(process.pid, self.pipe)
            and process.environment != self.table.environment(os.getpid())
        )


def marked(environment: Mapping[str, str], mark: str) -> dict[str, str]:
    """
    Return an environment by which a `Tree` finds every process that inherits it.

    Args:
        mark: Ends in a full stop, so that no mark begins another.
    """
    return {**environment, _MARK_NAME: os.environ.get(_MARK_NAME, "") + mark}


def kill(tree: Tree, *, grace_s: float, wait: Callable[[float], None] = time.sleep) -> list[Process]:
    """
    End a tree: TERM, and what is left after the grace gets KILL; returns as soon as nothing is left.

    Args:
        wait: Lets so many seconds pass; may do other work meanwhile.

    Returns:
        What could not be ended: it hangs in the kernel, or belongs to another user.
    """
    told: set[Process] = set()
    deadline = time.monotonic() + grace_s
    while (processes := tree.running()) and time.monotonic() < deadline:
        # Parents first: a shell whose child ends before it is told would go on with its next command.
        for process in processes:
            if process not in told:
                _send(tree.table, process, signal.SIGTERM)
                _send(tree.table, process, signal.SIGCONT)
        told.update(processes)
        _await_end(tree.table, processes, deadline, wait)
    deadline = time.monotonic() + _KILL_S
    while processes and time.monotonic() < deadline:
        # A group dies in one step: a process that forks without end cannot outrun that.
        for group in dict.fromkeys(process.group for process in processes):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
        for process in processes:
            _send(tree.table, process, signal.SIGKILL)
        _await_end(tree.table, processes, time.monotonic() + 0.02, wait)
        processes = tree.running()
    return processes


def _parents_first(processes: Mapping[int, Process]) -> list[Process]:
    """Order processes, given by pid, so that none comes before its parent."""

    def generation(process: Process) -> int:
        count = 0
        while (parent := processes.get(process.parent)) and count < len(processes):
            count, process = count + 1, parent
        return count

    return sorted(processes.values(), key=lambda each: (generation(each), each.pid))


def _await_end(
    table: ProcessTable, processes: Sequence[Process], deadline: float, wait: Callable[[float], None]
) -> None:
    pause_s = 0.002
    while any(_is_running(table, process) for process in processes):
        left_s = deadline - time.monotonic()
        if left_s <= 0:
            return
        wait(min(pause_s, left_s))
        pause_s = min(2 * pause_s, 0.1)


def _is_running(table: ProcessTable, process: Process) -> bool:
    now = table.find(process.pid)
    return now == process and now.running


def _send(table: ProcessTable, process: Process, number: signal.Signals) -> None:
    """Send a signal to this process and to no later one of its pid."""
    handle = open_pidfd(process.pid)
    try:
        with suppress(ProcessLookupError, PermissionError):
            if not _is_running(table, process):
                return
            if handle is None:
                os.kill(process.pid, number)
            else:
                signal.pidfd_send_signal(handle, number)
    finally:
        if handle is not None:
            os.close(handle)
