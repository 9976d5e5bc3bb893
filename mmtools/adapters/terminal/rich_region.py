"""
Calls that run, drawn with rich: a spinner, what they are about, how long already, and their newest line.

    ⠹ bash  make test  3s
        tests/test_shop.py ....

Needs the package rich.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from rich.console import Console, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from mmtools.adapters.terminal.call_text import Row
from mmtools.adapters.terminal.screen import Screen

__all__ = ["RichRegion"]

#: 10 frames a second: the spinner looks alive, and an idle terminal costs next to nothing.
_FRAMES_PER_SECOND = 10

#: 1 s: a time that runs is for calls that take some.
_SHOWN_AFTER_S = 1.0


class RichRegion:
    """
    The drawing of the running calls at the foot of a terminal; elsewhere nothing is drawn.

    Args:
        screen: Whose questions hold the drawing still.
        clock: The one that `Row.begun` was read from.
    """

    def __init__(self, screen: Screen, clock: Callable[[], float]) -> None:
        self._screen = screen
        self._clock = clock
        self._lock = threading.Lock()
        self._rows: tuple[Row, ...] = ()
        self._paused = False
        self._live: Live | None = None
        self._spinner = Spinner("dots", style="yellow")
        screen.add_pausing(self)

    def show(self, rows: Sequence[Row]) -> None:
        with self._lock:
            self._rows = tuple(rows)
            self._settle()

    def pause(self) -> None:
        with self._lock:
            self._paused = True
            self._settle()

    def resume(self) -> None:
        with self._lock:
            self._paused = False
            self._settle()

    def __rich__(self) -> RenderableType:
        """Draw one frame; rich's own thread asks for it, and must not wait for our lock."""
        now = self._clock()
        return Text("\n", no_wrap=True, overflow="ellipsis").join(
            line for row in self._rows for line in self._drawn(row, now)
        )

    def _drawn(self, row: Row, now: float) -> Iterator[Text]:
        ran = now - row.begun
        line = Text.assemble(self._frame(now), " ", (row.tool, "bold"), f"  {row.subject}")
        if ran >= _SHOWN_AFTER_S:
            line.append(f"  {ran:.0f}s", "dim")
        yield line
        if newest := row.live.newest:
            yield Text(f"    {newest.expandtabs()}", "dim")

    def _frame(self, now: float) -> Text:
        frame = self._spinner.render(now)
        return frame if isinstance(frame, Text) else Text("·")

    def _settle(self) -> None:
        """Start or stop the drawing, whichever the rows ask for."""
        wanted = bool(self._rows) and not self._paused
        if wanted and self._live is None:
            self._start()
        elif not wanted and self._live is not None:
            live, self._live = self._live, None
            atexit.unregister(live.stop)
            with suppress(OSError, ValueError):
                live.stop()

    def _start(self) -> None:
        stream, size = self._screen.find(), self._screen.size
        if stream is None or size is None:
            return
        console = Console(
            file=stream,
            width=size.columns,
            height=size.lines,
            force_terminal=True,
            force_jupyter=False,
            no_color=not self._screen.coloured,
            markup=False,
            emoji=False,
            highlight=False,
        )
        self._live = Live(
            self,
            console=console,
            refresh_per_second=_FRAMES_PER_SECOND,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        # A program that is interrupted between two calls of ours must not leave its terminal without a cursor.
        atexit.register(self._live.stop)
        with suppress(OSError, ValueError):
            self._live.start()
