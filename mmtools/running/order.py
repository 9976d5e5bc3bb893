"""
The order of calls: each waits for those ahead of it that could disturb it, or that it could disturb.

Whom a call waits for is settled as it arrives, so those that wait for one another go first come, first served, and
nobody waits for ever.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from functools import partial
from typing import Self, TypeAlias

from attrs import define, field

from mmtools.call import Cancellation
from mmtools.errors import Cancelled, DefinitionError
from mmtools.running.access import Access, Effect, disturb

__all__ = ["CallOrder", "Identify", "Place", "no_further_name", "running_loop"]

#: Returns further names of the file at an absolute path; two paths that lead to one file have one in common.
Identify: TypeAlias = Callable[[str], Sequence[str]]

#: What a model reads when its call was cancelled before its turn.
_WITHDRAWN = "[cancelled while it waited for another call; nothing was done]"

_NOBODY: frozenset[Place] = frozenset()


def no_further_name(_: str) -> Sequence[str]:
    """Know every file by its path alone."""
    return ()


def _nobody_waits() -> None:
    pass


@define(eq=False)
class CallOrder:
    """The calls of one runner that have not ended, as they arrived. Used from several threads."""

    identify: Identify = no_further_name
    _places: dict[Place, None] = field(init=False, factory=dict)
    _lock: threading.Lock = field(init=False, factory=threading.Lock)
    closed: bool = field(init=False, default=False)

    def join(self, access: Access | None, *, response: object = None, needs: object = None) -> Place:
        """
        Take the place behind all others.

        A call from inside another one waits neither for that one nor for those that wait for it.

        Args:
            access: None for a call that touches nothing, and so waits for nobody.
            response: What the calls of one response have in common; None when it is not known.
            needs: The event loop without which the call cannot end, if there is one.
        """
        place = Place(order=self, access=access, outer=_innermost(), response=response, needs=needs)
        if access is None:
            return place
        with self._lock:
            if self._places:
                place.ahead = frozenset(self._ahead_of(place))
            self._places[place] = None
        return place

    def leave(self, place: Place) -> None:
        """Give up a place, and wake those whose turn it is now."""
        with self._lock:
            place.ended = True
            self._places.pop(place, None)
            if not self._places:
                return
            waiting = [each for each in self._places if place in each.ahead]
            for each in waiting:
                each.ahead -= {place}
        _wake(waiting)

    def when_free(self, place: Place, wake: Callable[[], object]) -> None:
        """Have `wake` called once it is this place's turn, or now."""
        with self._lock:
            place.wake = wake
        _wake([place])

    def pass_by(self, place: Place, loop: object) -> None:
        """Wait for nobody who needs an event loop that stands still meanwhile."""
        with self._lock:
            place.ahead = frozenset(
                each for each in place.ahead if not self._needs(each, lambda other: other.needs is loop)
            )

    def close(self) -> None:
        """Turn away all that still wait."""
        with self._lock:
            self.closed = True
            waiting = [each for each in self._places if each.ahead]
            for each in waiting:
                each.ahead = _NOBODY
        _wake(waiting)

    def _ahead_of(self, place: Place) -> Iterator[Place]:
        outer = frozenset(place.outers())
        for other in self._places:
            if self._disturb(other, place) and not (outer and self._needs(other, outer.__contains__)):
                yield other

    def _needs(self, place: Place, is_stuck: Callable[[Place], bool]) -> bool:
        """Whether a call cannot end before one that is stuck does, or is itself stuck."""
        seen, todo = set[Place](), [place]
        while todo:
            each = todo.pop()
            if is_stuck(each):
                return True
            if each not in seen:
                seen.add(each)
                todo += [*each.ahead, *(inner for inner in self._places if inner.outer is each)]
        return False

    def _disturb(self, one: Place, other: Place) -> bool:
        this, that = one.access, other.access
        if this is None or that is None:
            return False
        together = one.response is not None and one.response == other.response
        if disturb(this, that, together=together):
            return True
        if not (this.paths and that.paths and Effect.CHANGES in (this.effect, that.effect)):
            return False
        return disturb(this.at(one.names), that.at(other.names), together=together)


@define(eq=False, kw_only=True)
class Place:
    """
    A call's place in the order, from its arrival to its end.

    Args:
        outer: The call that this one is made inside of.
        response: What the calls of one response have in common.
        needs: The event loop without which the call cannot end.
        ahead: Whom it still waits for.
        wake: Called when it waits for nobody any more.
    """

    order: CallOrder = field(repr=False)
    access: Access | None
    outer: Place | None = field(repr=False)
    response: object = field(repr=False)
    needs: object = field(repr=False)
    ahead: frozenset[Place] = field(init=False, default=_NOBODY, repr=False)
    wake: Callable[[], object] = field(init=False, default=_nobody_waits, repr=False)
    ended: bool = field(init=False, default=False)
    _names: tuple[str, ...] | None = field(init=False, default=None, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Further names of the files; looked up when they are first asked for."""
        if self._names is None:
            known = () if self.access is None else self.access.paths or ()
            self._names = tuple(name for path in known for name in self.order.identify(path))
        return self._names

    def outers(self) -> Iterator[Place]:
        """Yield the calls that this one is inside of, innermost first."""
        outer = self.outer
        while outer is not None:
            yield outer
            outer = outer.outer

    def take(self, cancellation: Cancellation | None = None) -> None:
        """
        Wait for the turn. What is called from then on in this context is called from inside this call.

        Raises:
            Cancelled: It was cancelled while it waited.
            DefinitionError: The runner was closed while it waited.
        """
        if self.ahead:
            self._wait(Cancellation() if cancellation is None else cancellation)
        _INSIDE.set(self)

    async def atake(self) -> None:
        """Do as `take` does, without blocking the event loop."""
        if self.ahead:
            from mmtools.running import asynchronous

            await asynchronous.called(partial(self.order.when_free, self))
            self._stop_if_closed()
        _INSIDE.set(self)

    def leave(self) -> None:
        """Let the next ones go on; a second time does nothing."""
        self.order.leave(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.order.leave(self)
        # A task that is thrown away ends in another context than its own.
        if _INSIDE.get() is self:
            _INSIDE.set(self.outer)

    def _wait(self, cancellation: Cancellation) -> None:
        loop = running_loop()
        if loop is not None:
            # Nobody could answer there: who asks there has not begun to act.
            self.order.pass_by(self, loop)
        woken = threading.Event()
        unsubscribe = cancellation.subscribe(woken.set)
        try:
            self.order.when_free(self, woken.set)
            woken.wait()
        finally:
            unsubscribe()
        if cancellation.requested:
            raise Cancelled(_WITHDRAWN)
        self._stop_if_closed()

    def _stop_if_closed(self) -> None:
        if self.order.closed:
            raise DefinitionError("this runner was closed while the call waited for another one")


#: The call whose tool is running here.
_INSIDE: ContextVar[Place | None] = ContextVar("mmtools_inside", default=None)


def _innermost() -> Place | None:
    place = _INSIDE.get()
    while place is not None and place.ended:
        place = place.outer
    return place


def running_loop() -> object:
    """Return the event loop that runs in this thread; None when there is none."""
    asyncio = sys.modules.get("asyncio")
    try:
        return None if asyncio is None else asyncio.get_running_loop()
    except RuntimeError:
        return None


def _wake(places: Iterable[Place]) -> None:
    for each in places:
        if not each.ahead:
            each.wake()
