"""
`Processes` on this machine: each command in a bash of its own, without stdin and without a terminal.
"""

from __future__ import annotations

import errno
import itertools
import os
import shutil
import subprocess
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from secrets import token_hex
from typing import Self, TypeAlias

from attrs import frozen

from mmtools.adapters.process_output import Drainer, Output, Wake
from mmtools.adapters.process_tables import Process, process_table
from mmtools.adapters.process_trees import Tree, kill
from mmtools.adapters.running_commands import RunningCommand
from mmtools.call import Cancellation
from mmtools.ports.processes import (
    Captured,
    CommandTooLong,
    DirectoryMissing,
    End,
    Exit,
    ProcessesClosed,
    ProcessProblem,
    ShellMissing,
)

__all__ = ["Subprocesses"]

#: TERM, this long, KILL. Source: Mirri built-in tools page, Bash.
_GRACE_S = 5.0
#: How much longer than the grace a closing port waits for the calls of other threads to end.
_CLOSING_S = 5.0
#: The variable that marks what a command started. It adds up when a command hosts this library itself.
_MARK_NAME = "MMTOOLS_CALL"

Environment: TypeAlias = Mapping[str, str] | Callable[[], Mapping[str, str]]


class Subprocesses:
    """
    Run each command by `bash -c`, in a new session, with stdout and stderr in one pipe.

    Args:
        directory: Where commands run; made absolute now.
        environment: The commands' whole environment, or what returns it for each; one variable is added.
        shell: Name or path of a bash; a name is looked up in this process's PATH.
        grace_s: What a process has between TERM and KILL.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str],
        *,
        environment: Environment,
        shell: str = "bash",
        grace_s: float = _GRACE_S,
    ) -> None:
        self._directory = os.path.abspath(directory)
        self._environment = environment
        self._shell = shell
        self._program: str | None = None
        self._grace_s = grace_s
        self._started = _Started(grace_s)
        self._finalizer = weakref.finalize(self, self._started.close)

    @property
    def directory(self) -> str:
        return self._directory

    def run(
        self,
        command: str,
        *,
        timeout_s: float,
        max_chars: int,
        on_output: Callable[[str], None],
        cancellation: Cancellation,
    ) -> Exit:
        with self._started.call(cancellation) as call:
            if call.stopped():
                return Exit(end=End.CANCELLED, output=Captured(head=""))
            shell, reader = self._start(command, call.mark)
            output = Output(reader, max_chars=max_chars, on_output=on_output)
            tree = call.tree(shell.pid, reader)
            with RunningCommand(shell, output, tree, call.wake, grace_s=self._grace_s) as running:
                end = running.until_exit(timeout_s, call.stopped)
                left = running.settle() if end is End.EXITED else running.kill()
                self._started.keep(left, output)
                return running.exit(end, left)

    def close(self) -> None:
        self._started.close()
        self._finalizer.detach()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self, command: str, mark: str) -> tuple[subprocess.Popen[bytes], int]:
        """
        Start a shell; returns it with the read end of its pipe.
        """
        environment = dict(self._environment() if callable(self._environment) else self._environment)
        environment[_MARK_NAME] = os.environ.get(_MARK_NAME, "") + mark
        with _starting(self._directory), _pipe() as (reader, writer):
            shell = subprocess.Popen(
                [self._shell, "-c", command.encode()],
                executable=self._find_shell(),
                stdin=subprocess.DEVNULL,
                stdout=writer,
                stderr=writer,
                cwd=self._directory,
                env=environment,
                start_new_session=True,
            )
            return shell, reader

    def _find_shell(self) -> str:
        """
        Look the shell up once: that takes a tenth of a start.
        """
        if self._program is None:
            self._program = shutil.which(self._shell)
        if self._program is None:
            raise ShellMissing(self._shell)
        return self._program


@frozen
class _Call:
    """
    Hold what one call of a port needs while it runs.
    """

    started: _Started
    mark: str
    wake: Wake
    cancellation: Cancellation

    def stopped(self) -> bool:
        return self.cancellation.requested or self.started.closed

    def tree(self, shell: int, reader: int) -> Tree:
        return Tree(self.started.table, self.mark.encode(), shell=shell, pipe=os.fstat(reader).st_ino)


class _Started:
    """
    Keep what a port has started and what goes on; not the port itself, which this must outlive to clean up after it.
    """

    def __init__(self, grace_s: float) -> None:
        self.table = process_table()
        self.closed = False
        self._grace_s = grace_s
        self._owner = os.getpid()
        self._mark = token_hex(8)
        self._numbers = itertools.count(1)
        self._survivors = Tree(self.table, self._mark.encode())
        self._has_survivors = False
        self._drainer = Drainer()
        self._changed = threading.Condition()
        self._calls: dict[Wake, int] = {}

    @contextmanager
    def call(self, cancellation: Cancellation) -> Iterator[_Call]:
        """
        Let a call in, and make its wake follow the cancellation and the end of the port.
        """
        with _starting(None):
            wake = Wake()
        unsubscribe = cancellation.subscribe(wake.set)
        try:
            with self._changed:
                if self.closed:
                    raise ProcessesClosed("the commands' port is closed")
                self._calls[wake] = threading.get_ident()
            yield _Call(self, f"{self._mark}-{next(self._numbers)}.", wake, cancellation)
        finally:
            unsubscribe()
            with self._changed:
                self._calls.pop(wake, None)
                self._changed.notify_all()
            wake.close()

    def keep(self, survivors: Sequence[Process], output: Output) -> None:
        """
        Remember what goes on after its call, and drain its output.
        """
        if survivors:
            with self._changed:
                self._survivors.remember(survivors)
                self._has_survivors = True
        if not output.ended:
            self._drainer.take(output.detach())

    def close(self) -> None:
        """
        Stop the calls that run, wait for those of other threads, and kill what goes on.

        A fork of this process owns nothing: there it does nothing.
        """
        if os.getpid() != self._owner:
            return
        with self._changed:
            self.closed = True
            for wake in self._calls:
                wake.set()
            self._changed.wait_for(self._only_own_calls, self._grace_s + _CLOSING_S)
        if self._has_survivors:
            kill(self._survivors, grace_s=self._grace_s)
            self._has_survivors = False
        self._drainer.close()

    def _only_own_calls(self) -> bool:
        return set(self._calls.values()) <= {threading.get_ident()}


@contextmanager
def _pipe() -> Iterator[tuple[int, int]]:
    """
    Make a pipe whose write end is closed at the end, and its read end after an exception.
    """
    reader, writer = os.pipe()
    try:
        yield reader, writer
    except BaseException:
        os.close(reader)
        raise
    finally:
        os.close(writer)


@contextmanager
def _starting(directory: str | None) -> Iterator[None]:
    """
    Turn the system's refusals to start something into this port's problems.
    """
    try:
        yield
    except OSError as problem:
        reason = problem.strerror or str(problem)
        if problem.errno == errno.E2BIG:
            raise CommandTooLong(reason) from problem
        if directory is not None and not os.path.isdir(directory):
            raise DirectoryMissing(directory) from problem
        if problem.errno == errno.ENOENT:
            raise ShellMissing(str(problem.filename)) from problem
        raise ProcessProblem(reason) from problem
