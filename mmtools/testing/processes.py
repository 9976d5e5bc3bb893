"""Commands that run by a script instead of a shell."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from attrs import frozen

from mmtools.call import Cancellation
from mmtools.core.escapes import EscapeStripper
from mmtools.core.truncation import HeadAndTail
from mmtools.ports.processes import Captured, End, Exit, ProcessesClosed, ProcessProblem, Survivor

__all__ = ["Scripted", "ScriptedProcesses"]


@frozen(kw_only=True)
class Scripted:
    """
    The script of a command.

    Args:
        pieces: What it prints, as it comes; escape sequences are taken out on the way.
        takes_s: Real seconds from the last piece to the exit; a timeout or a cancellation comes between.
        leaves: What goes on after an exit.
    """

    pieces: tuple[str, ...] = ()
    code: int | None = 0
    signal: int | None = None
    takes_s: float = 0.0
    leaves: tuple[Survivor, ...] = ()


class ScriptedProcesses:
    """
    A port that answers each command as its script says, and records what was run.

    Args:
        scripts: Command → what it does; a string is what it prints before exit 0, a problem is raised.
    """

    def __init__(
        self, scripts: Mapping[str, str | Scripted | ProcessProblem] | None = None, *, directory: str = "/scripted"
    ) -> None:
        self.scripts = dict(scripts or {})
        self.commands: list[str] = []
        self._directory = directory
        self._closing = Cancellation()

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
        if self._closing.requested:
            raise ProcessesClosed("the commands' port is closed")
        if cancellation.requested:
            return Exit(end=End.CANCELLED, output=Captured(head=""))
        assert command in self.scripts, f"no script for {command!r}; there are {sorted(self.scripts)}"
        self.commands.append(command)
        script = self.scripts[command]
        if isinstance(script, ProcessProblem):
            raise script
        if isinstance(script, str):
            script = Scripted(pieces=(script,))
        output = _print(script.pieces, max_chars, on_output)
        stop = threading.Event()
        ends = [cancellation.subscribe(stop.set), self._closing.subscribe(stop.set)]
        stopped = stop.wait(min(script.takes_s, timeout_s))
        for end in ends:
            end()
        if stopped:
            return Exit(end=End.CANCELLED, output=output)
        if script.takes_s > timeout_s:
            return Exit(end=End.TIMED_OUT, output=output)
        return Exit(end=End.EXITED, output=output, code=script.code, signal=script.signal, survivors=script.leaves)

    def close(self) -> None:
        self._closing.request()


def _print(pieces: tuple[str, ...], max_chars: int, on_output: Callable[[str], None]) -> Captured:
    stripper = EscapeStripper()
    kept = HeadAndTail(max_chars)
    for piece in pieces:
        if text := stripper.feed(piece):
            kept.feed(text)
            on_output(text)
    head, tail, elided_bytes = kept.captured()
    return Captured(head=head, tail=tail, elided_bytes=elided_bytes)
