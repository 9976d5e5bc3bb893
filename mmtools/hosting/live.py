"""Live output for whoever made the call, where a host shows a run's events as a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

from attrs import field, frozen

from mmtools.ports.display import Display, FinishedCall, StartedCall

__all__ = ["Listener", "LiveDisplay", "listening"]

#: Gets each chunk of live output, in the call's worker thread.
Listener: TypeAlias = Callable[[str], object]

_LISTENER: ContextVar[Listener | None] = ContextVar("mmtools_listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Hear the live output of the calls made inside, on a runner with a `LiveDisplay`."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


@frozen(eq=False)
class LiveDisplay:
    """
    A display that gives a call's live output to the host that made it; without one who listens, to nobody.

    Args:
        beside: Another display that is told everything too.
    """

    beside: Display | None = field(default=None)

    def started(self, call: StartedCall) -> None:
        if self.beside is not None:
            self.beside.started(call)

    def output(self, call_id: str, text: str) -> None:
        if self.beside is not None:
            self.beside.output(call_id, text)
        listener = _LISTENER.get()
        if listener is not None:
            listener(text)

    def finished(self, call: FinishedCall) -> None:
        if self.beside is not None:
            self.beside.finished(call)
