"""crab `bash`: run one shell command. Source: crab tools page, "bash"."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated

from attrs import field, frozen, validators
from typing_extensions import Doc

from mmtools.call import GrantScope, Headline, ToolKind
from mmtools.core.freshness import Ledger
from mmtools.ports.processes import Processes
from mmtools.tool import Call, ToolSpec
from mmtools.tools.wording import commands, freshness

__all__ = ["Bash", "BashArgs"]

#: 10 minutes: what a model may ask for.
_LONGEST_S = 600
#: An "all" answers for the tool's whole class.
_EVERY_COMMAND = GrantScope("class:execute", "every command of this session")


@frozen(kw_only=True)
class BashArgs:
    command: Annotated[str, Doc("The shell command to run.")]
    timeout: Annotated[int, Doc("Seconds; 0 = the default.")] = field(
        default=0, validator=[validators.ge(0), validators.le(_LONGEST_S)]
    )


@frozen(kw_only=True)
class Bash:
    """
    The tool that runs a shell command and shows what it printed.

    Args:
        timeout_s: After which the command and all that it started are killed, unless the model asks for another.
        max_output: Characters of output in one answer, head and tail together; markers come on top.
        ledger: Given, it learns when the command ran, to name it where a file changed meanwhile.
        clock: Wall time in nanoseconds.

    Needs:
        processes: To run the command.

    Asks:
        For every command that can be run at all; an "always" covers every command of the session.

    Fails:
        An empty command, a NUL, half a character; refused; cancelled, with the output so far; not startable.
        A non-zero exit and a timeout are results: `[exit code: exit status 3]`, `[error: 30s timeout exceeded]`.

    Source:
        crab tools page, "bash" and "How confirmation works"; decisions D7, D8, D14.
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
                f"Killed after {commands.seconds(self.timeout_s)} s by default. Of long output head and tail are shown. "
                "What & leaves running goes on."
            ),
            arguments=BashArgs,
            aliases={"cmd": "command", "script": "command"},
        )

    def headline(self, arguments: BashArgs) -> Headline:
        return Headline(text=arguments.command)

    def execute(self, arguments: BashArgs, call: Call) -> str:
        command, timeout_s = arguments.command, float(arguments.timeout or self.timeout_s)
        commands.refuse_unrunnable(command)
        call.approve(commands.proposal(command, self.processes.directory, _EVERY_COMMAND))
        running = commands.Running(
            processes=self.processes,
            timeout_s=timeout_s,
            max_output=self.max_output,
            longer=f"send a longer timeout, up to {_LONGEST_S}" if timeout_s < _LONGEST_S else "",
        )
        with freshness.noting(self.ledger, command, self.clock):
            return running.run(command, call)
