"""The one place where lines reach a person: whole blocks, one thread at a time, never across an open question."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from typing import Protocol, TextIO
from weakref import WeakSet

from attrs import define, field

__all__ = ["STDERR", "STDOUT", "Pausing", "Screen", "Style", "screen_on"]

#: What a terminal that does not know its size is taken for.
_FALLBACK_SIZE = os.terminal_size((80, 24))


class Style(StrEnum):
    """The few ways in which text stands out, by their SGR number."""

    BOLD = "1"
    DIM = "2"
    RED = "31"
    GREEN = "32"
    YELLOW = "33"


class Pausing(Protocol):
    """Something that moves on the screen, and is held still while a question is open."""

    def pause(self) -> None:
        """Take it off the screen until `resume`."""
        ...

    def resume(self) -> None:
        """Let it move again."""
        ...


@define(eq=False)
class Screen:
    """
    A screen to write on for a person. Displays and questions that share a screen never write into one another.

    Args:
        find: Returns the stream as it is now; None in a process that has no such stream.
        colour: None decides by terminal, `NO_COLOR` and `TERM`.
    """

    find: Callable[[], TextIO | None]
    colour: bool | None = field(kw_only=True, default=None)
    _writing: threading.Lock = field(init=False, factory=threading.Lock)
    _asking: threading.Lock = field(init=False, factory=threading.Lock)
    _held: list[str] | None = field(init=False, default=None)
    _pausing: WeakSet[Pausing] = field(init=False, factory=WeakSet)

    @property
    def is_terminal(self) -> bool:
        """Whether a person may be looking."""
        stream = self.find()
        return stream is not None and not stream.closed and stream.isatty()

    @property
    def coloured(self) -> bool:
        """Whether styles show."""
        if self.colour is not None:
            return self.colour
        return self.is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    @property
    def size(self) -> os.terminal_size | None:
        """Columns and lines of the terminal; None where there is none."""
        stream = self.find()
        if stream is None or not self.is_terminal:
            return None
        try:
            size = os.get_terminal_size(stream.fileno())
        except OSError:
            return _FALLBACK_SIZE
        return size if size.columns and size.lines else _FALLBACK_SIZE

    def columns_beside(self, taken: int, *, least: int = 20) -> int:
        """
        Return how many columns are left in a row of which so many are taken; where no terminal wraps, lines stay whole.

        Args:
            least: Left in any case: in the narrowest terminal something is to be read.
        """
        size = self.size
        return sys.maxsize if size is None else max(size.columns - taken, least)

    def styled(self, text: str, *styles: Style) -> str:
        """Dress one line, or part of one; the bare text where styles do not show."""
        if not styles or not text or not self.coloured:
            return text
        return f"\x1b[{';'.join(styles)}m{text}\x1b[0m"

    def write(self, block: str) -> None:
        """
        Write whole lines, or keep them until the open question is answered.

        A terminal that went away ends the showing, never the work that is shown.
        """
        with self._writing:
            if self._held is None:
                self._show(block)
            else:
                self._held.append(block)

    @contextmanager
    def question(self) -> Iterator[Callable[[str], None]]:
        """
        Have the screen alone: yield a function that writes at once, and hold back all else.

        Raises:
            OSError: Out of that function: nobody can see the question.
            ValueError: The same, for a stream that is closed.
        """
        with self._asking:
            try:
                for moving in self._pausing:
                    moving.pause()
                with self._writing:
                    self._held = []
                yield self._put
            finally:
                self._release()
                for moving in self._pausing:
                    moving.resume()

    def add_pausing(self, moving: Pausing) -> None:
        """Have something paused while a question is open, for as long as it lives."""
        self._pausing.add(moving)

    def _release(self) -> None:
        with self._writing:
            held, self._held = self._held or [], None
            for block in held:
                self._show(block)

    def _show(self, block: str) -> None:
        with suppress(OSError, ValueError):
            self._put(block)

    def _put(self, text: str) -> None:
        stream = self.find()
        if stream is None:
            raise OSError("no stream to write to")
        encoding = getattr(stream, "encoding", None) or "utf-8"
        stream.write(text.encode(encoding, "replace").decode(encoding))
        stream.flush()


#: Shared by all that name no stream of their own, so that they do not write into one another.
STDOUT = Screen(lambda: sys.stdout)

STDERR = Screen(lambda: sys.stderr)


def screen_on(stream: TextIO | Screen | None, *, colour: bool | None = None) -> Screen:
    """
    Return a screen on a stream; for None the one that all share on standard output.

    Args:
        colour: For a new screen: None decides by terminal, `NO_COLOR` and `TERM`.
    """
    if isinstance(stream, Screen):
        return stream
    return STDOUT if stream is None else Screen(lambda: stream, colour=colour)
