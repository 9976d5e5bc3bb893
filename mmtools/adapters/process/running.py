"""One started command, looked after by the thread that called for it until its shell and its output are done."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable
from typing import Self

from mmtools.adapters.process.children import Child
from mmtools.adapters.process.output import Output, Wake
from mmtools.adapters.process.tables import Process, open_pidfd
from mmtools.adapters.process.trees import Tree, kill
from mmtools.ports.processes import End, Exit, Survivor

__all__ = ["RunningCommand"]

#: After the shell's exit its output is read until nothing came for this long, but not longer than that.
#: Source: decision D7 for the second.
_QUIET_S, _SETTLE_S = 0.1, 0.25
#: What a command that was faster has left behind is among the youngest processes.
_QUICK_S = 0.5
#: Between the shell's exit and the second look at what it left.
_MOMENT_S = 0.01
#: A killed shell is reaped within microseconds, or never.
_REAP_S = 1.0
#: How often the shell is asked whether it has exited, where the system does not tell.
_ASK_EVERY_S = 0.01
#: The longest sleep in one piece; only to stay within what the system's poll can count.
_LONGEST_WAIT_S = 3600.0


class RunningCommand:
    """
    A command that is waited for, and what it writes read; no thread but the caller's has a part in it.

    Leaving the context by an exception kills the command's tree.

    Args:
        shell: Just started; reaped here.
        wake: Tells that `stopped` may have changed.
        grace_s: What a process has between TERM and KILL.
    """

    def __init__(self, shell: Child, output: Output, tree: Tree, wake: Wake, *, grace_s: float) -> None:
        self._shell = shell
        self._output = output
        self._tree = tree
        self._grace_s = grace_s
        self._since = time.monotonic()
        self._exited = False
        self._pidfd = open_pidfd(shell.pid)
        self._poll = select.poll()
        for descriptor in (output.reader, wake.reader, self._pidfd):
            if descriptor is not None:
                self._poll.register(descriptor, select.POLLIN)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is not None:
                kill(self._tree, grace_s=self._grace_s)
                self._reap()
        finally:
            self._output.close()
            self._shell.close()
            if self._pidfd is not None:
                os.close(self._pidfd)

    def until_exit(self, timeout_s: float, stopped: Callable[[], bool]) -> End:
        """Wait for the shell's exit, the timeout, or `stopped`, whichever is first."""
        deadline = self._since + timeout_s
        while not self._exited:
            if stopped():
                return End.CANCELLED
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                return End.TIMED_OUT
            self._wait(left_s)
        return End.EXITED

    def settle(self) -> list[Process]:
        """
        Read what the exited shell and its children still had to say.

        Returns:
            The children that go on.
        """
        self._read_rest()
        left = self._left_behind()
        if left and self._output.ended:
            # The shell may have been too quick for them: to end, or to become what they shall be.
            self._read_for(_MOMENT_S)
            left = self._left_behind()
        return left

    def kill(self) -> list[Process]:
        """
        Kill the whole tree, reading on meanwhile.

        Returns:
            What could not be killed.
        """
        left = kill(self._tree, grace_s=self._grace_s, wait=self._read_for)
        self._read_rest()
        return left

    def exit(self, end: End, left: list[Process]) -> Exit:
        """Reap the shell and sum up."""
        self._reap()
        code = self._shell.code if end is End.EXITED else None
        return Exit(
            end=end,
            output=self._output.captured(),
            code=code if code is not None and code >= 0 else None,
            signal=-code if code is not None and code < 0 else None,
            survivors=tuple(Survivor(each.pid, self._tree.table.command(each.pid)) for each in left),
        )

    def _reap(self) -> None:
        """Take the shell's exit; what hangs in the kernel is not waited for."""
        self._shell.wait(_REAP_S)

    def _left_behind(self) -> list[Process]:
        quick = time.monotonic() - self._since < _QUICK_S
        return self._tree.left_behind() if quick else self._tree.running()

    def _read_rest(self) -> None:
        end = time.monotonic() + _SETTLE_S
        while not self._output.ended:
            left_s = min(_QUIET_S, end - time.monotonic())
            if left_s <= 0 or not self._wait(left_s):
                return

    def _read_for(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left_s := end - time.monotonic()) > 0:
            self._wait(left_s)

    def _wait(self, seconds: float) -> bool:
        """Wait until there is output, an exit or a call to stop, and read once; returns whether there was anything."""
        longest_s = _LONGEST_WAIT_S if self._pidfd is not None or self._exited else _ASK_EVERY_S
        events = self._poll.poll(min(seconds, longest_s) * 1000)
        for descriptor, _ in events:
            if descriptor == self._output.reader:
                self._read()
            else:
                self._poll.unregister(descriptor)
                self._exited = self._exited or descriptor == self._pidfd
        if self._pidfd is None and not self._exited:
            self._exited = self._shell.poll()
        return bool(events)

    def _read(self) -> None:
        self._output.read()
        if self._output.ended:
            self._poll.unregister(self._output.reader)
            self._tree.pipe = None
