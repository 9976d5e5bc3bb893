"""One call performed from its start to its outcome, alone or beside its neighbours."""

from __future__ import annotations

import contextvars
import inspect
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Self, TypeAlias

from attrs import evolve, field, frozen

from mmtools.call import Cancellation, Outcome, Status
from mmtools.core.text import unencodable
from mmtools.errors import Deferred, ToolFailure
from mmtools.ports.display import Display, StartedCall
from mmtools.ports.permission import Decision, Permission, PermissionRequest
from mmtools.running.live_call import Ask, LiveCall
from mmtools.running.order import CallOrder
from mmtools.running.preparation import PreparedCall
from mmtools.running.workers import Workers

__all__ = ["Ended", "Executor", "WrapAsk", "as_usual"]

#: Side by side at most: a response rarely holds more, and each is a thread.
_MAX_SIDE_BY_SIDE = 16

#: A call's outcome, or the bug or interrupt that ended it.
Ended: TypeAlias = Outcome | BaseException

#: Puts something before, or in place of, the host's own way to ask.
WrapAsk: TypeAlias = Callable[[Ask], Ask]


def as_usual(ask: Ask) -> Ask:
    """Ask as the host does."""
    return ask


@frozen(kw_only=True, eq=False)
class Executor:
    """
    What performs calls, sync and async. Used from several threads.

    Args:
        display: None shows nothing.
        notify: Told of a call whose outcome nobody will read.
        order: Holds a call back until nothing ahead of it could disturb it.
        clock: Monotonic seconds.
        asking: Held while a question is open.
    """

    display: Display | None
    notify: Callable[[PreparedCall, Outcome], None]
    clock: Callable[[], float]
    order: CallOrder
    workers: Workers
    asking: threading.Lock = field(factory=threading.Lock)

    def unseen(self) -> Self:
        """Return one that shows nothing, and tells nobody of what it performs; questions still come one at a time."""
        return evolve(self, display=None, notify=_nobody)

    def run(self, prepared: PreparedCall, permission: Permission, wrap_ask: WrapAsk = as_usual) -> Outcome:
        """Perform a call here, once it is its turn."""
        with self.order.join(prepared.access) as place:
            place.take()
            return self._perform(prepared, permission, wrap_ask(_ask_directly(permission)), Cancellation())

    async def arun(self, prepared: PreparedCall, permission: Permission, wrap_ask: WrapAsk = as_usual) -> Outcome:
        """Perform a call in a worker thread, once it is its turn; cancelling the task stops the work first."""
        import asyncio

        from mmtools.running import asynchronous

        ask = wrap_ask(asynchronous.ask(permission))
        loop = asyncio.get_running_loop() if asynchronous.is_asked_on_loop(permission) else None
        place = self.order.join(prepared.access, needs=loop)
        ended: list[Outcome] = []

        def work(cancellation: Cancellation) -> Outcome:
            # It waits, and leaves, here: the loop may stand still in a call of its own.
            with place:
                place.take(cancellation)
                ended.append(self._perform(prepared, permission, ask, cancellation))
                return ended[0]

        try:
            return await asynchronous.in_thread(work, self.workers)
        except asyncio.CancelledError:
            for outcome in ended:
                self.notify(prepared, outcome)
            raise
        finally:
            place.leave()

    def run_side_by_side(self, members: Sequence[PreparedCall], permission: Permission) -> list[Ended]:
        """Perform calls that cannot disturb one another, each in a thread of its own."""
        if len(members) == 1:
            return [self.run(members[0], permission)]
        from concurrent.futures import ThreadPoolExecutor

        def perform(one: PreparedCall, context: contextvars.Context) -> Ended:
            try:
                return context.run(self.run, one, permission)
            except BaseException as bug:  # noqa: BLE001 - raised once its neighbours are settled
                return bug

        contexts = [contextvars.copy_context() for _ in members]
        with ThreadPoolExecutor(min(len(members), _MAX_SIDE_BY_SIDE), "mmtools-call") as pool:
            return list(pool.map(perform, members, contexts))

    async def arun_side_by_side(self, members: Sequence[PreparedCall], permission: Permission) -> list[Ended]:
        """Do as `run_side_by_side` does; cancelling the task stops them all first."""
        import asyncio

        tasks = [asyncio.ensure_future(self.arun(one, permission)) for one in members]
        try:
            return await asyncio.gather(*tasks, return_exceptions=True)
        except asyncio.CancelledError:
            await asyncio.wait(tasks)
            for one, task in zip(members, tasks, strict=True):
                if not task.cancelled() and task.exception() is None:
                    self.notify(one, task.result())
            raise

    def _perform(self, prepared: PreparedCall, permission: Permission, ask: Ask, cancellation: Cancellation) -> Outcome:
        started, display = prepared.started, self.display
        emit = _hidden if display is None else partial(display.output, started.call_id)
        live = LiveCall(started, cancellation, ask, permission, self.asking, emit)
        begun = self.clock()
        if display is not None:
            display.started(started)
        if prepared.ended is not None:
            return prepared.ended
        pending: str | None = None
        try:
            if prepared.spec is not None:
                live.refuse_denied_tool()
            text = prepared.work(live)
            status = live.reported.status
        except ToolFailure as failure:
            text, status = failure.text, Status(failure.status)
            pending = failure.pending if isinstance(failure, Deferred) else None
        except BaseException as error:
            # A bug or an interrupt goes on to the host; nobody else may wait for this call for ever.
            status = Status.FAILED if isinstance(error, Exception) else Status.CANCELLED
            self.notify(prepared, _abandoned(started, status, self.clock() - begun))
            raise
        return Outcome(
            call_id=started.call_id,
            tool=started.tool,
            text=_presentable(text),
            status=status,
            arguments=started.arguments,
            changes=live.reported.changes,
            locations=live.reported.locations or started.headline.locations,
            media=live.reported.media,
            duration_s=self.clock() - begun,
            truncated=live.reported.truncated,
            pending=pending,
        )


def _ask_directly(permission: Permission) -> Ask:
    """Ask in the calling thread."""

    def ask(request: PermissionRequest, _: Cancellation) -> Decision:
        answer = permission.decide(request)
        if inspect.isawaitable(answer):
            from mmtools.running import asynchronous

            return asynchronous.resolve(answer)
        return answer

    return ask


def _nobody(_: PreparedCall, __: Outcome) -> None:
    pass


def _hidden(_: str) -> None:
    pass


def _abandoned(started: StartedCall, status: Status, duration_s: float) -> Outcome:
    return Outcome(
        call_id=started.call_id,
        tool=started.tool,
        text="(abandoned)",
        status=status,
        arguments=started.arguments,
        duration_s=duration_s,
    )


def _presentable(text: str) -> str:
    """Keep a text from breaking its reader: never empty, and always encodable."""
    if not text:
        return "(no output)"
    if text.isascii() or unencodable(text) is None:
        return text
    return text.encode("utf-8", "replace").decode("utf-8")
