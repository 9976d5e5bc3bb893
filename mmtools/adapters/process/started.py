"""What a port has started: the calls that run, and what goes on after them."""

from __future__ import annotations

import errno
import itertools
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType

from attrs import frozen

from mmtools.adapters.process import guardian
from mmtools.adapters.process.output import Drainer, Output, Wake
from mmtools.adapters.process.tables import Process, process_table
from mmtools.adapters.process.trees import Tree, kill
from mmtools.call import Cancellation
from mmtools.ports.processes import (
    CommandTooLong,
    DirectoryMissing,
    ProcessesClosed,
    ProcessProblem,
    ShellMissing,
    VariableTooLong,
)

__all__ = ["StartedCall", "StartedCommands", "starting"]

#: How much longer than the grace a closing port waits for the calls of other threads to end.
_CLOSING_S = 5.0


@frozen
class StartedCall:
    """What one call of a port needs while it runs."""

    started: StartedCommands
    mark: str
    wake: Wake
    cancellation: Cancellation

    def stopped(self) -> bool:
        return self.cancellation.requested or self.started.closed

    def tree(self, shell: int, reader: int) -> Tree:
        return Tree(self.started.table, self.mark.encode(), shell=shell, pipe=os.fstat(reader).st_ino)


class StartedCommands:
    """What a port has started and what goes on; not the port itself, which this must outlive to clean up after it."""

    def __init__(self, grace_s: float) -> None:
        self.table = process_table()
        self.closed = False
        self._grace_s = grace_s
        self._owner = os.getpid()
        self._mark = os.urandom(8).hex()
        self._numbers = itertools.count(1)
        self._survivors = Tree(self.table, self._mark.encode())
        self._has_survivors = False
        self._guarded = False
        self._drainer = Drainer()
        self._changed = threading.Condition()
        self._calls: dict[Wake, int] = {}

    @contextmanager
    def call(self, cancellation: Cancellation) -> Iterator[StartedCall]:
        """Let a call in, and make its wake follow the cancellation and the end of the port."""
        with starting(None):
            wake = Wake()
        unsubscribe = cancellation.subscribe(wake.set)
        try:
            with self._changed:
                if self.closed:
                    raise ProcessesClosed("the commands' port is closed")
                self._calls[wake] = threading.get_ident()
                if not self._guarded:
                    guardian.guard(self._mark)
                    self._guarded = True
            yield StartedCall(self, f"{self._mark}-{next(self._numbers)}.", wake, cancellation)
        finally:
            unsubscribe()
            with self._changed:
                self._calls.pop(wake, None)
                if self.closed:
                    self._changed.notify_all()
            wake.close()

    def keep(self, survivors: Sequence[Process], output: Output) -> None:
        """Remember what goes on after its call, and drain its output; nothing goes on when its call closed the port."""
        if survivors:
            with self._changed:
                self._survivors.remember(survivors)
                self._has_survivors = True
            guardian.know(self._mark, survivors)
        guardian.settle()
        if not output.ended:
            self._drainer.take(output.detach())
        if self.closed:
            kill(self._survivors, grace_s=self._grace_s)

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
        guardian.release(self._mark)
        self._drainer.close()

    def _only_own_calls(self) -> bool:
        return set(self._calls.values()) <= {threading.get_ident()}


#: Bytes of one `NAME=value` with its end that Linux takes (MAX_ARG_STRLEN: 32 pages).
_MOST_VARIABLE_BYTES = 131_072


@contextmanager
def starting(directory: str | None, environment: Mapping[str, str] = MappingProxyType({})) -> Iterator[None]:
    """
    Turn the system's refusals to start something into this port's problems.

    Args:
        environment: What is given along: a variable of it may be what the system does not take.
    """
    try:
        yield
    except OSError as problem:
        reason = problem.strerror or str(problem)
        if problem.errno == errno.E2BIG:
            raise _too_long(environment, reason) from problem
        if directory is not None and not os.path.isdir(directory):
            raise DirectoryMissing(directory) from problem
        if problem.errno == errno.ENOENT:
            raise ShellMissing(str(problem.filename)) from problem
        raise ProcessProblem(reason) from problem


def _too_long(environment: Mapping[str, str], reason: str) -> ProcessProblem:
    for name, value in environment.items():
        if len(os.fsencode(name)) + len(os.fsencode(value)) + 2 > _MOST_VARIABLE_BYTES:
            return VariableTooLong(name)
    return CommandTooLong(reason)
