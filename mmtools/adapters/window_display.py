"""
The mm window mode: one line per call with its status and time, and its answer folded beneath.

    ‣ bash  make test  ✗ failed 1.2s
        collected 3 items
        … 12 more lines
        [exit code: exit status 1]

Source: mm reference, "Window mode".
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, Protocol, TextIO

from mmtools.adapters.terminal import call_text
from mmtools.adapters.terminal.call_text import Row, preview
from mmtools.adapters.terminal.excerpt import NO_OUTPUT, LiveLines, excerpt
from mmtools.adapters.terminal.screen import Screen, Style, screen_on
from mmtools.call import Status
from mmtools.core.screen_text import width
from mmtools.ports.display import FinishedCall, StartedCall

__all__ = ["Region", "WindowDisplay"]


class Region(Protocol):
    """The place of the calls that run, below all that was written; redrawn until they end."""

    def show(self, rows: Sequence[Row]) -> None:
        """Show these from now on; nothing is left on the screen once there are none."""
        ...


class WindowDisplay:
    """
    A display of each call in one line when it ends, its answer folded; on a terminal with rich, also while it runs.

    Args:
        stream: None means standard output as it is at each moment. Give a `Screen` to share one with
            a permission that asks elsewhere.
        preview_lines: Lines of each answer.
        running: How calls look before they end: with rich, not at all, or whichever is possible.
        clock: Monotonic seconds.

    Raises:
        ModuleNotFoundError: rich was asked for and is not installed.
    """

    def __init__(
        self,
        stream: TextIO | Screen | None = None,
        *,
        preview_lines: int = 5,
        running: Literal["auto", "rich", "hidden"] = "auto",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if preview_lines < 0:
            raise ValueError("preview_lines is a number of lines: 0 or more")
        self._screen = screen_on(stream)
        self._limit = preview_lines
        self._clock = clock
        self._lock = threading.Lock()
        self._rows: dict[str, Row] = {}
        self._region = _region(running, self._screen, clock)

    def started(self, call: StartedCall) -> None:
        row = Row(call_text.tool(call), call_text.subject(call), self._clock(), LiveLines(0))
        with self._lock:
            self._rows[call.call_id] = row
            self._show_running()

    def output(self, call_id: str, text: str) -> None:
        with self._lock:
            if row := self._rows.get(call_id):
                row.live.feed(text)

    def finished(self, call: FinishedCall) -> None:
        lines = [self._line(call), *self._answer(call)]
        with self._lock:
            self._rows.pop(call.call.call_id, None)
            if self._region is not None:
                self._region.show(())
            self._screen.write("".join(f"{line}\n" for line in lines))
            self._show_running()

    def _show_running(self) -> None:
        if self._region is not None:
            self._region.show(tuple(self._rows.values()))

    def _line(self, call: FinishedCall) -> str:
        styled = self._screen.styled
        ending = call_text.ENDINGS[call.outcome.status]
        name = call_text.tool(call.call, max(self._screen.columns_beside(0) // 3, 8))
        sign = f"{ending.sign} {ending.words}".rstrip()
        took = call_text.duration(call.outcome.duration_s)
        subject = call_text.subject(
            call.call, self._screen.columns_beside(width(f"‣ {name}    {sign} {took}"), least=10)
        )
        parts = [styled(name, Style.BOLD), subject, f"{styled(sign, ending.style)} {styled(took, Style.DIM)}"]
        return f"{styled('‣', Style.DIM)} {'  '.join(filter(None, parts))}"

    def _answer(self, call: FinishedCall) -> Iterator[str]:
        if not call.call.headline.echoes:
            return
        shown = excerpt(call_text.answer(call), self._limit)
        for line in shown.shown or ([] if shown.hidden else [NO_OUTPUT]):
            yield preview(self._screen, line)
        explained = shown.hidden > 0 and call.outcome.status is not Status.OK
        hidden = shown.hidden - 1 if explained else shown.hidden
        if hidden:
            yield preview(self._screen, call_text.folded(hidden))
        if explained:
            yield preview(self._screen, shown.last)


def _region(running: str, screen: Screen, clock: Callable[[], float]) -> Region | None:
    if running == "hidden" or (running == "auto" and not screen.is_terminal):
        return None
    try:
        from mmtools.adapters.terminal.rich_region import RichRegion
    except ModuleNotFoundError as missing:
        if not str(missing.name).startswith("rich"):
            raise
        if running == "auto":
            return None
        raise ModuleNotFoundError(
            'running="rich" needs the package rich: pip install rich', name=missing.name
        ) from missing
    return RichRegion(screen, clock)
