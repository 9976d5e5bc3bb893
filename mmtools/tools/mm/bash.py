"""mm `bash`: run one shell command. Source: mm reference, "bash"."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated

from attrs import frozen
from typing_extensions import Doc

from mmtools.call import GrantScope, Headline, ToolKind
from mmtools.core.freshness import Ledger
from mmtools.ports.processes import Processes
from mmtools.tool import Call, ToolSpec
from mmtools.tools.wording import commands, freshness

__all__ = ["Bash", "BashArgs"]


@frozen(kw_only=True)
class BashArgs:
    command: Annotated[str, Doc("The shell command to run.")]


@frozen(kw_only=True)
class Bash:
    """
    The tool that runs a shell command and shows what it printed.

    Args:
        timeout_s: After which the command and all that it started are killed (30 s: mm reference).
        max_output: Characters of output in one answer, head and tail together; markers come on top.
        ledger: Given, it learns when the command ran, to name it where a file changed meanwhile.
        clock: Wall time in nanoseconds.

    Needs:
        processes: To run the command.

    Asks:
        For every command that can be run at all; an "always" covers this very command.

    Fails:
        An empty command, a NUL, half a character; refused; cancelled, with the output so far; not startable.
        A non-zero exit and a timeout are results: `[exit code: exit status 3]`, `[error: 30s timeout exceeded]`.

    Source:
        mm reference, "bash"; decisions D7, D8, D14.
    """

    processes: Processes
    timeout_s: float = 30.0
    max_output: int = 30_000
    ledger: Ledger | None = None
    clock: Callable[[], int] = time.time_ns

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(
            name="bash",
            kind=ToolKind.EXECUTE,
            family="command",
            description=(
                "Run a command by bash -c: a new shell per call, no stdin, no terminal, stdout and stderr merged. "
                f"Killed after {commands.seconds(self.timeout_s)} s. Of long output head and tail are shown. "
                "What & leaves running goes on."
            ),
            arguments=BashArgs,
            aliases={"cmd": "command", "script": "command"},
        )

    def headline(self, arguments: BashArgs) -> Headline:
        return Headline(text=arguments.command)

    def execute(self, arguments: BashArgs, call: Call) -> str:
        command = arguments.command
        commands.refuse_unrunnable(command)
        scope = GrantScope(key=f"run:{command}", words=f"this very command, letter for letter: {command}")
        call.approve(commands.proposal(command, self.processes.directory, scope))
        running = commands.Running(processes=self.processes, timeout_s=self.timeout_s, max_output=self.max_output)
        with freshness.noting(self.ledger, command, self.clock):
            return running.run(command, call)
