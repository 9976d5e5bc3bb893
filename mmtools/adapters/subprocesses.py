"""`Processes` on this machine: each command in a bash of its own, without stdin and without a terminal."""

from __future__ import annotations

import os
import shutil
import subprocess
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Self, TypeAlias

from mmtools.adapters.process import children
from mmtools.adapters.process.children import Child
from mmtools.adapters.process.output import Output
from mmtools.adapters.process.running import RunningCommand
from mmtools.adapters.process.started import StartedCommands, starting
from mmtools.adapters.process.trees import marked
from mmtools.call import Cancellation
from mmtools.ports.processes import Captured, End, Exit, ShellMissing

__all__ = ["Subprocesses"]

#: TERM, this long, KILL. Source: Mirri built-in tools page, Bash.
_GRACE_S = 5.0

Environment: TypeAlias = Mapping[str, str] | Callable[[], Mapping[str, str]]


class Subprocesses:
    """
    Commands, each run by `bash -c`, in a new session, with stdout and stderr in one pipe.

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
        self._started = StartedCommands(grace_s)
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

    def _start(self, command: str, mark: str) -> tuple[Child, int]:
        """Start a shell; returns it with the read end of its pipe."""
        environment = self._environment() if callable(self._environment) else self._environment
        with starting(self._directory, environment), _pipe() as (reader, writer):
            shell = children.start(
                [self._shell, "-c", command.encode()],
                program=self._find_shell(),
                stdin=subprocess.DEVNULL,
                output=writer,
                directory=self._directory,
                environment=marked(environment, mark),
            )
            return shell, reader

    def _find_shell(self) -> str:
        """Look the shell up once: that takes a tenth of a start."""
        if self._program is None:
            self._program = shutil.which(self._shell)
        if self._program is None:
            raise ShellMissing(self._shell)
        return self._program


@contextmanager
def _pipe() -> Iterator[tuple[int, int]]:
    """Make a pipe whose write end is closed at the end, and its read end after an exception."""
    reader, writer = os.pipe()
    try:
        yield reader, writer
    except BaseException:
        os.close(reader)
        raise
    finally:
        os.close(writer)
