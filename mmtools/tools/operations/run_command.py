"""One shell command: ask, run, note when it ran, say what it printed and how it ended."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import assert_never

from attrs import frozen

from mmtools.call import GrantScope, Report, Status
from mmtools.core.freshness import Ledger
from mmtools.errors import ArgumentsRefused, Cancelled, ToolFailure
from mmtools.ports.processes import End, Exit, Processes, ProcessProblem
from mmtools.tool import Call
from mmtools.tools.wording import commands as wording
from mmtools.tools.wording.commands import CommandTerms

__all__ = ["Command", "CommandTerms", "SessionProcesses", "run_command", "session_processes"]


@frozen(kw_only=True)
class SessionProcesses:
    """
    Commands as one session runs them.

    Args:
        ledger: Given, it learns when a command ran, to name it where a file changed meanwhile.
        max_output: Characters of output in one answer, head and tail together; markers come on top.
        clock: Wall time in nanoseconds.
    """

    processes: Processes
    ledger: Ledger | None = None
    max_output: int = 30_000
    clock: Callable[[], int] = time.time_ns

    def run(self, command: str, call: Call, *, timeout_s: float) -> Exit:
        """
        Run a command, and tell the ledger when.

        Raises:
            ProcessProblem: It could not be started.
        """
        begun_ns = self.clock()
        try:
            return self.processes.run(
                command,
                timeout_s=timeout_s,
                max_chars=self.max_output,
                on_output=call.emit,
                cancellation=call.cancellation,
            )
        finally:
            if self.ledger is not None:
                self.ledger.ran(command, begun_ns, self.clock())


@frozen(kw_only=True)
class Command:
    """
    A command that a model wants run.

    Args:
        text: For the shell, whole.
        timeout_s: After which the command and all that it started are killed.
        longer: How a model gets more time for it, as a clause; empty where it cannot.
        scope: What an "always" covers.
    """

    text: str
    timeout_s: float
    longer: str = ""
    scope: GrantScope


def run_command(session: SessionProcesses, command: Command, call: Call, terms: CommandTerms) -> str:
    """
    Run a command in a new shell.

    Asks:
        For every command that can be run at all.

    Fails:
        An empty command, a NUL, half a character; refused; cancelled, with the output so far; not startable.
        A non-zero exit and a timeout are results: `[exit code: exit status 3]`, `[error: 30s timeout exceeded]`.

    Source:
        mm reference, "bash"; decisions D7, D8, D14.
    """
    if reason := wording.unrunnable(command.text, terms):
        raise ArgumentsRefused(reason)
    call.approve(wording.proposal(command.text, session.processes.directory, command.scope))
    try:
        exit_ = session.run(command.text, call, timeout_s=command.timeout_s)
    except ProcessProblem as problem:
        raise ToolFailure(wording.not_started(problem, command.text, terms)) from problem
    call.report(Report(status=_status(exit_), truncated=exit_.output.elided_bytes > 0))
    text = wording.ended(exit_, timeout_s=command.timeout_s, longer=command.longer)
    if exit_.end is End.CANCELLED:
        raise Cancelled(text)
    return text


def session_processes(processes: Processes | SessionProcesses) -> SessionProcesses:
    """Take a port alone for commands of which no ledger learns."""
    return processes if isinstance(processes, SessionProcesses) else SessionProcesses(processes=processes)


def _status(exit_: Exit) -> Status:
    match exit_.end:
        case End.EXITED:
            return Status.OK if exit_.code == 0 else Status.FAILED
        case End.TIMED_OUT:
            return Status.TIMED_OUT
        case End.CANCELLED:
            return Status.CANCELLED
        case never:
            assert_never(never)
