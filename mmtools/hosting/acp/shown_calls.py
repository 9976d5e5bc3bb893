"""The calls that an editor shows, each under an id that the session never gives twice."""

from __future__ import annotations

import itertools
import secrets
from contextvars import ContextVar

from attrs import define, field

from mmtools.hosting import answers
from mmtools.hosting.acp import contents
from mmtools.hosting.acp.live_text import LiveText
from mmtools.ports.display import StartedCall

__all__ = ["ShownCall", "ShownCalls"]

#: The call that a thread serves: not all that runs there says a call's id.
_SERVED: ContextVar[ShownCall | None] = ContextVar("mmtools_acp_call", default=None)


@define(eq=False)
class ShownCall:
    """
    One call as the editor shows it.

    Args:
        tool_call_id: The protocol's.
        due: Whether an update with live output is on its way.
        was_asked: Whether a person was asked about it.
        terminal_id: The terminal that shows its output, where the editor runs it.
    """

    call: StartedCall
    tool_call_id: str
    title: str
    ended: bool = False
    live: LiveText = field(factory=LiveText)
    due: bool = False
    was_asked: bool = False
    terminal_id: str | None = None


class ShownCalls:
    """
    The calls, found again by what a runner says of them. The host locks.

    Models reuse ids, from turn to turn and even within a response: the editor is given the model's own after a mark
    of the turn, and after it a number where it comes again.
    """

    def __init__(self) -> None:
        self._turn = secrets.token_hex(4)
        self._given: set[str] = set()
        self._open: list[ShownCall] = []

    def new_turn(self) -> None:
        """Begin with another mark."""
        self._turn = secrets.token_hex(4)
        self._given.clear()

    def add(self, call: StartedCall) -> ShownCall:
        """Take in a call that begins in this thread."""
        shown = ShownCall(call, self._unique(call.call_id), contents.title(call))
        self._open.append(shown)
        _SERVED.set(shown)
        return shown

    def find(self, call_id: str) -> ShownCall | None:
        """Return the open call with an id: the one that this thread serves, else the latest."""
        served = self.served()
        if served is not None and served.call.call_id == call_id:
            return served
        return next((shown for shown in reversed(self._open) if shown.call.call_id == call_id), None)

    def served(self) -> ShownCall | None:
        """Return the open call that this thread serves."""
        shown = _SERVED.get()
        return shown if shown in self._open else None

    def end(self, call: StartedCall) -> ShownCall | None:
        """Return a call that ends, and forget it."""
        same = next((shown for shown in self._open if shown.call is call), None)
        found = same or next((shown for shown in self._open if shown.call.call_id == call.call_id), None)
        if found is not None:
            self._open.remove(found)
            found.ended = True
        return found

    def _unique(self, call_id: str) -> str:
        own = f"{self._turn}-{answers.encodable(call_id)}"
        numbered = (f"{own}#{number}" for number in itertools.count(2))
        unique = next(each for each in itertools.chain([own], numbered) if each not in self._given)
        self._given.add(unique)
        return unique
