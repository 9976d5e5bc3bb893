"""Commands run by a shell, wherever that is."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol

from attrs import frozen

from mmtools.call import Cancellation
from mmtools.errors import MmtoolsError

__all__ = [
    "Captured",
    "CommandTooLong",
    "DirectoryMissing",
    "End",
    "Exit",
    "ProcessProblem",
    "Processes",
    "ProcessesClosed",
    "ShellMissing",
    "Survivor",
    "VariableTooLong",
]


class End(StrEnum):
    """Why a command ended."""

    EXITED = "exited"
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"


@frozen(kw_only=True)
class Captured:
    """
    What is kept of a command's output, stdout and stderr merged, escape sequences removed.

    Args:
        head: All of it when nothing is elided.
        tail: The end, when the middle is elided.
        elided_bytes: UTF-8 size of what stood between head and tail.
    """

    head: str
    tail: str = ""
    elided_bytes: int = 0


@frozen
class Survivor:
    """A process that a command left running."""

    pid: int
    command: str


@frozen(kw_only=True)
class Exit:
    """
    The end of a command.

    Args:
        code: The shell's exit code; None when a signal ended it, it was stopped, or nobody can tell.
        signal: The number of the signal that ended the shell by itself.
        survivors: Processes still running, with the shell gone; they die with the port.
    """

    end: End
    output: Captured
    code: int | None = None
    signal: int | None = None
    survivors: tuple[Survivor, ...] = ()


class ProcessProblem(MmtoolsError):
    """
    The reason why a command could not be started. No text for a model: tools word it.

    Args:
        reason: The system's own words.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ShellMissing(ProcessProblem):
    """A shell that does not exist here; `reason` names it."""


class DirectoryMissing(ProcessProblem):
    """A working directory that is gone; `reason` names it."""


class CommandTooLong(ProcessProblem):
    """A command, together with its environment, of a size that the system does not take."""


class VariableTooLong(ProcessProblem):
    """A variable of the environment of a size that the system does not take; `reason` names it."""


class ProcessesClosed(ProcessProblem):
    """A port that was closed before."""


class Processes(Protocol):
    """A runner of commands, each in a fresh shell without stdin and without a terminal."""

    @property
    def directory(self) -> str:
        """Where commands run; absolute."""
        ...

    def run(
        self,
        command: str,
        *,
        timeout_s: float,
        max_chars: int,
        on_output: Callable[[str], None],
        cancellation: Cancellation,
    ) -> Exit:
        """
        Run `command` verbatim and return when its shell has exited.

        Children that it left behind do not keep the call: they go on and are named. A timeout or a
        cancellation kills the whole tree, also what ignores TERM or has left the process group.

        Args:
            command: One or more lines of shell; no NUL.
            max_chars: How much of the output to keep, head and tail together, in characters.
            on_output: Gets each live piece, escape sequences removed; called in this thread.

        Raises:
            ProcessProblem: It could not be started.
        """
        ...

    def close(self) -> None:
        """Kill what is still running; nothing can be run afterwards."""
        ...
