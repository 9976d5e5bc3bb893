"""A shell command: why it cannot be run, the question, and what it printed, with its end as the last line."""

from __future__ import annotations

from attrs import frozen

from mmtools.call import CommandPreview, GrantScope, Proposal
from mmtools.core.truncation import shortened
from mmtools.ports.processes import (
    Captured,
    CommandTooLong,
    DirectoryMissing,
    End,
    Exit,
    ProcessesClosed,
    ProcessProblem,
    ShellMissing,
    Survivor,
    VariableTooLong,
)
from mmtools.tools.wording import phrases

__all__ = ["CommandTerms", "ended", "not_started", "proposal", "unrunnable"]

#: How many survivors a result names, and how much of each one's command it shows.
_NAMED_SURVIVORS, _SURVIVOR_CHARS = 8, 60

#: Go's words for the signals that end commands; the number stands for any other.
_SIGNALS = {
    1: "hangup",
    2: "interrupt",
    3: "quit",
    6: "aborted",
    9: "killed",
    11: "segmentation fault",
    13: "broken pipe",
    15: "terminated",
}


@frozen(kw_only=True)
class CommandTerms:
    """
    A dialect's words for a command.

    Args:
        tool: The wire name.
        command: The argument.
    """

    tool: str
    command: str


def proposal(command: str, directory: str, scope: GrantScope) -> Proposal:
    """
    Ask to run a command.

    Args:
        scope: What an "always" covers in this dialect.
    """
    return Proposal(
        title=f"run: {phrases.first_line(command)}",
        preview=CommandPreview(command, directory),
        scope=scope,
        refusal="[command rejected by the user]",
    )


def unrunnable(command: str, terms: CommandTerms) -> str | None:
    """Say why no shell can be given this: it is empty, or holds a NUL or half a character; None when one can."""
    tool, name = terms.tool, terms.command
    if not command.strip():
        return f"[{tool}: {name} is empty; send the shell command to run]"
    if "\0" in command:
        place = command.index("\0") + 1
        return f"[{tool}: character {place} of {name} is a NUL, which no command can hold; let printf '\\0' make it]"
    try:
        command.encode()
    except UnicodeEncodeError as error:
        place = error.start + 1
        return f"[{tool}: character {place} of {name} is half of a surrogate pair; send the whole character]"
    return None


def not_started(problem: ProcessProblem, command: str, terms: CommandTerms) -> str:
    """Say why a command did not run, and what to do next."""
    return f"[{terms.tool}: not run: {_reason(problem, command)}]"


def ended(exit_: Exit, *, timeout_s: float, longer: str) -> str:
    """
    Put output, survivors and the end under one another; the end is the last line.

    Args:
        longer: How a model gets more time for a command, as a clause; empty where it cannot.
    """
    parts = (_output(exit_.output), _survivors(exit_), _advice(exit_, longer), _end(exit_, timeout_s))
    return phrases.stacked(*parts) or "(no output)"


def _reason(problem: ProcessProblem, command: str) -> str:
    match problem:
        case DirectoryMissing(reason=directory):
            return f"the working directory {directory} is gone; only the host can open another"
        case ShellMissing(reason=shell):
            return f"there is no {shell} here; use other tools"
        case CommandTooLong():
            size = len(command.encode())
            return f"{size} bytes are too long for one command; write a script file, then run that file"
        case VariableTooLong(reason=name):
            return f"the environment variable {name} is too long for any program; only the host can shorten it or leave it out"
        case ProcessesClosed():
            return "the session is closed"
        case ProcessProblem(reason=reason):
            return f"{reason}; try again"


def _output(output: Captured) -> str:
    if not output.elided_bytes:
        return output.head
    return phrases.stacked(output.head, f"[… {output.elided_bytes} bytes elided …]", output.tail)


def _survivors(exit_: Exit) -> str:
    if not exit_.survivors:
        return ""
    named = ", ".join(f"{each.pid} ({_one_line(each)})" for each in exit_.survivors[:_NAMED_SURVIVORS])
    unnamed = len(exit_.survivors) - _NAMED_SURVIVORS
    if unnamed > 0:
        named += f" and {unnamed} more"
    if exit_.end is not End.EXITED:
        return f"[could not be killed: {named}]"
    return (
        f"[still running: {named}; runs on until the session ends or you kill it; "
        "its further output is dropped unless redirected to a file]"
    )


def _one_line(survivor: Survivor) -> str:
    command = " ".join(survivor.command.split())
    command = "".join(char for char in command if char.isprintable())
    return shortened(command, _SURVIVOR_CHARS)


def _advice(exit_: Exit, longer: str) -> str:
    if exit_.end is not End.TIMED_OUT:
        return ""
    more = f"{longer}; " if longer else ""
    return (
        f"[killed with all it started; {more}to let it go on, send it as (COMMAND) > out.log 2>&1 & "
        "and read out.log later]"
    )


def _end(exit_: Exit, timeout_s: float) -> str:
    match exit_:
        case Exit(end=End.TIMED_OUT):
            return f"[error: {phrases.seconds(timeout_s)}s timeout exceeded]"
        case Exit(end=End.CANCELLED):
            return "[error: the command was cancelled]"
        case Exit(signal=int(number)):
            return f"[exit code: signal: {_SIGNALS.get(number, number)}]"
        case Exit(code=0):
            return ""
        case Exit(code=None):
            return "[exit code: unknown; something else in this program took it, so the command may have failed]"
        case _:
            return f"[exit code: exit status {exit_.code}]"
