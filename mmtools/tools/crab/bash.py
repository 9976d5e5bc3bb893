"""crab `bash`: run one shell command. Source: crab tools page, "bash"."""

from __future__ import annotations

from typing import Annotated

from attrs import field, frozen, validators
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
    The tool that runs a shell command and shows what it printed: `run_command`.

    Args:
        timeout_s: After which the command and all that it started are killed, unless the model asks for another.

    Needs:
        processes: To run the command.

    Asks:
        An "always" covers every command of the session.

    Source:
        crab tools page, "bash" and "How confirmation works".
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
                f"Killed after {phrases.seconds(self.timeout_s)} s by default. Of long output head and tail are shown. "
                "What & leaves running goes on."
            ),
            arguments=BashArgs,
            aliases=COMMAND,
        )

    def headline(self, arguments: BashArgs) -> Headline:
        return Headline(text=arguments.command)

    def execute(self, arguments: BashArgs, call: Call) -> str:
        timeout_s = float(arguments.timeout or self.timeout_s)
        longer = f"send a longer timeout, up to {_LONGEST_S}" if timeout_s < _LONGEST_S else ""
        wanted = Command(text=arguments.command, timeout_s=timeout_s, longer=longer, scope=_EVERY_COMMAND)
        return run_command(self.processes, wanted, call, _TERMS)
