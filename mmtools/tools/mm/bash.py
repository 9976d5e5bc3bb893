"""mm `bash`: run one shell command. Source: mm reference, "bash"."""

from __future__ import annotations

from typing import Annotated

from attrs import field, frozen
from typing_extensions import Doc

from mmtools.call import GrantScope, Headline, ToolKind
from mmtools.tool import Call, ToolSpec
from mmtools.tools.operations.run_command import (
    Command,
    CommandTerms,
    SessionProcesses,
    run_command,
    session_processes,
)
from mmtools.tools.operations.spellings import COMMAND
from mmtools.tools.wording import phrases

__all__ = ["Bash", "BashArgs"]

_TERMS = CommandTerms(tool="bash", command="command")


@frozen(kw_only=True)
class BashArgs:
    command: Annotated[str, Doc("The shell command to run.")]


@frozen(kw_only=True)
class Bash:
    """
    The tool that runs a shell command and shows what it printed: `run_command`.

    Args:
        timeout_s: After which the command and all that it started are killed (30 s: mm reference).

    Needs:
        processes: To run the command.

    Asks:
        An "always" covers this very command.

    Source:
        mm reference, "bash".
    """

    processes: SessionProcesses = field(converter=session_processes)
    timeout_s: float = 30.0

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(
            name="bash",
            kind=ToolKind.EXECUTE,
            family="command",
            description=(
                "Run a command by bash -c: a new shell per call, no stdin, no terminal, stdout and stderr merged. "
                f"Killed after {phrases.seconds(self.timeout_s)} s. Of long output head and tail are shown. "
                "What & leaves running goes on."
            ),
            arguments=BashArgs,
            aliases=COMMAND,
        )

    def headline(self, arguments: BashArgs) -> Headline:
        return Headline(text=arguments.command)

    def execute(self, arguments: BashArgs, call: Call) -> str:
        text = arguments.command
        scope = GrantScope(f"run:{text}", f"this very command, letter for letter: {text}")
        return run_command(self.processes, Command(text=text, timeout_s=self.timeout_s, scope=scope), call, _TERMS)
