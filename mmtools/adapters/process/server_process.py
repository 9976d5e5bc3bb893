"""The child process of a server that speaks over pipes, and all that it starts."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from secrets import token_hex
from typing import IO

from mmtools.adapters.process import children, guardian
from mmtools.adapters.process.tables import open_pidfd, process_table
from mmtools.adapters.process.trees import Tree, kill, marked

__all__ = ["ServerProcess"]

#: What the kernel may take to end a process that was killed.
_REAP_S = 2.0


class ServerProcess:
    """
    A server run in a session of its own, so that Ctrl-C in the terminal does not reach it.

    Args:
        command: Program and arguments; the program is looked up in the PATH of `environment`.

    Raises:
        OSError: It cannot be started.
        ValueError: There is a NUL in the command.
    """

    def __init__(self, command: Sequence[str], *, directory: str, environment: Mapping[str, str]) -> None:
        self._mark = token_hex(8)
        guardian.guard(self._mark)
        try:
            self._child = children.start(
                command,
                stdin=subprocess.PIPE,
                output=subprocess.PIPE,
                directory=directory,
                environment=marked(environment, f"{self._mark}."),
            )
        except BaseException:
            guardian.release(self._mark)
            raise
        process = self._child.process
        self.pid = process.pid
        #: Readable once the process has ended; None where the system has no such thing.
        self.pidfd = open_pidfd(self.pid)
        self.stdin, self.stdout, self.stderr = map(_opened, (process.stdin, process.stdout, process.stderr))
        os.set_blocking(self.stdin.fileno(), False)
        self._table = process_table()
        self._tree = Tree(self._table, self._mark.encode(), shell=self.pid)
        if found := self._table.find(self.pid):
            # What it becomes may have no environment: `env -i SERVER`.
            guardian.know(self._mark, [found])

    def has_ended(self) -> bool:
        """Whether the process itself has exited."""
        # Asking the process would reap it, and its children could not be told any more.
        now = self._table.find(self.pid)
        return self._child.ended or now is None or not now.running

    def end(self, *, grace_s: float = 0.0, wait: Callable[[float], None] = time.sleep) -> str:
        """
        End what still runs of the whole tree, and reap the process.

        Args:
            grace_s: Between TERM and KILL; none for the kin of a process that has exited.
            wait: Lets so many seconds pass; may do other work meanwhile.

        Returns:
            How the process ended: "exit status 1", "signal: SIGKILL".
        """
        if not self._child.ended:
            kill(self._tree, grace_s=0.0 if self.has_ended() else grace_s, wait=wait)
            if not self._child.wait(_REAP_S):
                return "it cannot be ended"
        return _ending(self._child.code)

    def close(self) -> None:
        """Close the descriptors; what still runs is not guarded any more."""
        guardian.release(self._mark)
        self.stdin.close()
        self.stdout.close()
        self.stderr.close()
        self._child.close()
        if self.pidfd is not None:
            os.close(self.pidfd)


def _opened(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


def _ending(code: int | None) -> str:
    if code is None:
        return "exit status unknown"
    if code >= 0:
        return f"exit status {code}"
    try:
        return f"signal: {signal.Signals(-code).name}"
    except ValueError:
        return f"signal: {-code}"
