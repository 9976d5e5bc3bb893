"""When an answer counts: early answers of servers are not only late, but wrong."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from attrs import frozen

from mmtools.adapters.lsp.listener import Activity
from mmtools.adapters.lsp.pending_requests import ChangeSignal, Failure, Reply, Result
from mmtools.adapters.lsp.timeouts import Timeouts
from mmtools.call import Cancellation

__all__ = ["Readiness", "Settled", "says_something"]


@frozen
class Settled:
    """A reply, and whether it can be taken for all there is."""

    reply: Reply
    settled: bool


def says_something(reply: Reply) -> bool:
    """Whether a reply has any content."""
    return isinstance(reply, Result) and reply.content not in (None, [], {}, "")


class Readiness:
    """
    The asking of a server, again and again, until what it answers counts. Used by any thread.

    Args:
        changed: Tells when the activity may have changed.
        clock: Tells monotonic seconds.
    """

    def __init__(
        self,
        activity: Activity,
        changed: ChangeSignal,
        timeouts: Timeouts,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._activity = activity
        self._changed = changed
        self._timeouts = timeouts
        self._clock = clock
        self._first_asked_at: float | None = None
        self._is_ready = False
        #: At so many changes, answers about the whole project stood still.
        self._settled_at: int | None = None
        #: At so many changes, having nothing to say was said twice.
        self._silent_at: int | None = None
        #: It was waited for as long as that goes, and is busy ever since.
        self._in_vain = False

    def about_file(
        self,
        ask: Callable[[], Reply],
        changes: Callable[[], int] | None,
        cancellation: Cancellation,
        *,
        tells: Callable[[Reply], bool] = says_something,
    ) -> Settled:
        """
        Ask what hardly depends on other files. What a server says while it starts is asked again when it has
        come to rest; that it has nothing to say is not believed while it is busy, nor at once after a change.

        Args:
            changes: How many changes the server was told of; None for what it works out anew for each answer.
            tells: Whether a reply has content.
        """
        start = self._clock()
        was_silent = False
        while True:
            asked_at, loaded = changes() if changes else None, self._loaded
            reply = ask()
            if not isinstance(reply, Result | Failure):
                return Settled(reply, settled=True)
            told = tells(reply)
            if self._loaded != loaded or not self._counts(cancellation, told=told):
                longest_s = self._timeouts.settle_s if told else self._timeouts.ready_s
                left_s = start + longest_s - self._clock()
                if self._in_vain or cancellation.requested or not self._rests(left_s, cancellation):
                    return Settled(reply, settled=False)
            elif told or asked_at is None:
                return Settled(reply, settled=True)
            elif was_silent or self._silent_at == asked_at:
                self._silent_at = asked_at
                return Settled(reply, settled=True)
            else:
                was_silent = True
                self._changed.wait(_never, self._timeouts.repeat_s, cancellation)

    def about_project(
        self, ask: Callable[[], Reply], changes: Callable[[], int], cancellation: Cancellation
    ) -> Settled:
        """
        Ask what depends on all files. The first answer, and the first after a change, is asked for until two in a
        row are equal and the server is at rest.

        Args:
            changes: How many changes the server was told of.
        """
        start = self._clock()
        settle_by: float | None = None
        previous: object = None
        while True:
            asked_at, begun = changes(), self._activity.begun
            reply = ask()
            if not isinstance(reply, Result | Failure):
                return Settled(reply, settled=True)
            now, busy = self._clock(), self._activity.is_busy(begun)
            current = _comparable(reply)
            if busy:
                gives_up = self._in_vain or not self._rests(start + self._timeouts.ready_s - now, cancellation)
            elif current == previous or self._settled_at == asked_at == changes():
                self._settled_at = asked_at
                return Settled(reply, settled=True)
            else:
                self._in_vain = False
                settle_by = settle_by or now + self._timeouts.settle_s
                gives_up = now >= settle_by
            previous = None if busy else current
            if gives_up or cancellation.requested:
                return Settled(reply, settled=False)
            self._changed.wait(_never, self._timeouts.repeat_s, cancellation)

    @property
    def _loaded(self) -> int:
        """How much was loaded so far; it stands still once the server has come to rest."""
        return 0 if self._is_ready else self._activity.ended

    def _counts(self, cancellation: Cancellation, *, told: bool) -> bool:
        busy = self._activity.is_busy
        if told and not self._has_started(busy=busy()):
            # It may not have begun to load yet: then this is what it knows of one file.
            self._changed.wait(self._has_begun, self._timeouts.grace_s, cancellation)
        self._in_vain = self._in_vain and busy()
        return self._has_started(busy=busy()) and (told or not busy())

    def _has_begun(self) -> bool:
        return self._activity.is_busy() or self._activity.has_come_to_rest

    def _has_started(self, *, busy: bool) -> bool:
        """Whether the server has once been at rest, when it had had the time to begin something."""
        if self._is_ready:
            return True
        if self._first_asked_at is None:
            self._first_asked_at = self._clock()
        waited_s = self._clock() - self._first_asked_at
        self._is_ready = not busy and (self._activity.has_come_to_rest or waited_s >= self._timeouts.grace_s)
        return self._is_ready

    def _rests(self, seconds: float, cancellation: Cancellation) -> bool:
        """Wait until the server is at rest, and had the time to begin something."""
        end = self._clock() + seconds
        busy = self._activity.is_busy
        if not self._has_started(busy=busy()):
            self._changed.wait(self._has_begun, min(self._timeouts.grace_s, seconds), cancellation)
        self._changed.wait(lambda: not busy(), end - self._clock(), cancellation)
        self._in_vain = busy() and not cancellation.requested
        return not busy()


def _never() -> bool:
    return False


def _comparable(reply: Reply) -> object:
    """Return what is equal for two replies that say the same, a list in whatever order."""
    if not isinstance(reply, Result):
        return reply
    content = reply.content
    try:
        return sorted(map(_canonical, content)) if isinstance(content, list) else _canonical(content)
    except RecursionError:
        return object()


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True)
