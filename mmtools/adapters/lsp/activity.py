"""What a server is busy with, as far as it tells: loading a project, indexing."""

from __future__ import annotations

import time
from collections.abc import Callable

from attrs import define

from mmtools.core.lsp import wire

__all__ = ["Activity"]


@define
class _Progress:
    """
    Something that goes on.

    Args:
        number: Grows with each one that begins.
        heard_at: When it was last spoken of.
    """

    number: int
    heard_at: float


class Activity:
    """
    What `$/progress` tells, and `experimental/serverStatus` where a server sends that: then only it counts.

    Written by one thread, read by any.

    Args:
        abandoned_s: Without news of a progress, after which it is taken for forgotten.
        clock: Tells monotonic seconds.
    """

    def __init__(self, abandoned_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._abandoned_s = abandoned_s
        self._clock = clock
        self._going_on: dict[str | int, _Progress] = {}
        self._quiescent: bool | None = None
        self._begun = 0
        self._ended = 0

    @property
    def begun(self) -> int:
        """How many have begun so far."""
        return self._begun

    @property
    def has_come_to_rest(self) -> bool:
        """Whether the server was busy, and is no more."""
        return not self.is_busy() and (self._ended > 0 or self._quiescent is True)

    def is_busy(self, begun: int | None = None) -> bool:
        """
        Say whether anything goes on.

        Args:
            begun: Count only the first so many: later ones may be our own question's.
        """
        if self._quiescent is not None:
            return not self._quiescent
        if not self._going_on:
            return False
        since = self._clock() - self._abandoned_s
        last = self._begun if begun is None else begun
        return any(each.number <= last and each.heard_at > since for each in list(self._going_on.values()))

    def take_progress(self, params: object) -> None:
        """Take the parameters of `$/progress`."""
        members = wire.object_(params)
        token, value = members.get("token"), wire.object_(members.get("value"))
        if not isinstance(token, str | int):
            return
        match value.get("kind"):
            case "begin":
                self._forget_abandoned()
                self._begun += 1
                self._going_on[token] = _Progress(self._begun, self._clock())
            case "report":
                if known := self._going_on.get(token):
                    known.heard_at = self._clock()
            case "end":
                if self._going_on.pop(token, None):
                    self._ended += 1
            case _:
                pass

    def _forget_abandoned(self) -> None:
        since = self._clock() - self._abandoned_s
        for token in [token for token, each in self._going_on.items() if each.heard_at <= since]:
            del self._going_on[token]

    def take_status(self, params: object) -> None:
        """Take the parameters of `experimental/serverStatus`."""
        quiescent = wire.object_(params).get("quiescent")
        if isinstance(quiescent, bool):
            self._quiescent = quiescent
