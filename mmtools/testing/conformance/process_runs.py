"""One command run by a port under test, and processes that show that they live."""

from __future__ import annotations

import time
from collections.abc import Callable
from secrets import token_hex

from mmtools.call import Cancellation
from mmtools.ports.processes import End, Exit, Processes

__all__ = ["PATIENCE_S", "Beats", "Run"]

#: 60 s: only a port that hangs meets it, also on a machine under load.
PATIENCE_S = 60.0
_WIDE = 100_000


def _ignore(_: str) -> None:
    pass


class Run:
    """
    One command that is run, and notes on how it went.

    Args:
        told: Hears of each piece of output.
    """

    def __init__(
        self,
        processes: Processes,
        command: str,
        *,
        timeout_s: float = PATIENCE_S,
        max_chars: int = _WIDE,
        cancellation: Cancellation | None = None,
        told: Callable[[str], object] = _ignore,
    ) -> None:
        self.pieces: list[str] = []

        def note(piece: str) -> None:
            self.pieces.append(piece)
            told(piece)

        began = time.monotonic()
        self.exit: Exit = processes.run(
            command,
            timeout_s=timeout_s,
            max_chars=max_chars,
            on_output=note,
            cancellation=cancellation or Cancellation(),
        )
        self.took_s = time.monotonic() - began

    @property
    def text(self) -> str:
        """All that was kept."""
        return self.exit.output.head + self.exit.output.tail

    def check(self, text: str, *, code: int | None = 0) -> None:
        """Require exactly this output, whole, and an exit with this code."""
        assert (self.exit.end, self.exit.code) == (End.EXITED, code), f"ended as {self.exit}"
        assert self.exit.output.elided_bytes == 0, f"elided something: {self.exit}"
        assert self.text == text, f"printed {self.text!r}, not {text!r}"


class Beats:
    """Processes that append to a file of their own as long as they live, each hidden in another way."""

    def __init__(self, port: Processes) -> None:
        name = f"beat-{token_hex(4)}"
        beat = f"while sleep 0.05; do echo >> {name}"
        stubborn = "trap '' TERM;"
        self._name = name
        self.everywhere = "; ".join(
            f'({prefix} bash -c "{trap} {beat}.{number}; done" >/dev/null 2>&1 &)'
            for number, (prefix, trap) in enumerate((("", ""), ("setsid", ""), ("", stubborn), ("setsid", stubborn)))
        )
        self._count = f"cat {name}.* | wc -l"

    def have_begun(self, port: Processes) -> bool:
        """Say whether all of them have written."""
        return Run(port, f"ls {self._name}.* 2>/dev/null | wc -l").text.strip() == "4"

    def check_going_on(self, port: Processes) -> None:
        """Require that all of them write."""
        deadline = time.monotonic() + PATIENCE_S
        while not self.have_begun(port):
            assert time.monotonic() < deadline, "not every background process goes on"

    def check_stopped(self, port: Processes) -> None:
        """Require that none of them writes any more."""
        before = Run(port, self._count).text
        time.sleep(0.3)
        after = Run(port, self._count).text
        assert before == after, (
            f"something that should be dead still writes: {before.strip()} lines, then {after.strip()}"
        )
