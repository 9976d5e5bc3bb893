"""
A toolset bound to one host: every call end to end.

    find → structure → display → execute → loop → observe → outcome
"""

from __future__ import annotations

import contextvars
import inspect
import itertools
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Self

from attrs import Factory, define, field

from mmtools.bound_tool import BoundTool
from mmtools.call import Cancellation, Outcome, Status, ToolCall
from mmtools.core.loop import LoopDetector
from mmtools.core.text import unencodable
from mmtools.errors import Deferred, DefinitionError, LoopStopped, ToolFailure
from mmtools.pending import PendingCall
from mmtools.ports.display import Display, StartedCall
from mmtools.ports.observer import Observer
from mmtools.ports.permission import Decision, Permission, PermissionRequest, Resettable
from mmtools.running import batch, preparation
from mmtools.running.live_call import Ask, LiveCall, decided
from mmtools.running.preparation import PreparedCall
from mmtools.running.session import Session
from mmtools.running.workers import Workers
from mmtools.tool import AnyTool, ToolSpec, by_name

__all__ = ["Runner"]

#: Side by side at most: a response rarely holds more, and each is a thread.
_MAX_SIDE_BY_SIDE = 16


@define(eq=False, repr=False)
class Runner:
    """
    What runs a model's calls through Permission, Display, LoopDetector and Observer.

    Calls may come from several threads at once. Build one by hand, or with a composition root such
    as `mmtools.local`.

    Args:
        tools: In the order in which a model sees them; names unique.
        permission: Who decides; its questions come one at a time.
        display: Where a person sees the calls; None shows nothing.
        observer: Who keeps the numbers; None keeps none.
        clock: Monotonic seconds.
        on_close: What to stop at `close`, last first.
        on_reset: What else begins again at `reset`.
        on_resume: Who is told of a pending call before it goes on.
    """

    _tools: dict[str, AnyTool] = field(converter=by_name, alias="tools")
    permission: Permission = field(kw_only=True)
    display: Display | None = field(kw_only=True, default=None)
    observer: Observer | None = field(kw_only=True, default=None)
    loop_detector: LoopDetector = field(kw_only=True, factory=LoopDetector)
    clock: Callable[[], float] = field(kw_only=True, default=time.monotonic)
    on_close: tuple[Callable[[], None], ...] = field(kw_only=True, default=())
    on_reset: tuple[Callable[[], None], ...] = field(kw_only=True, default=())
    on_resume: tuple[Callable[[PendingCall], None], ...] = field(kw_only=True, default=())

    _numbers: Iterator[int] = field(init=False, factory=lambda: itertools.count(1))
    _asking: threading.Lock = field(init=False, factory=threading.Lock)
    _session: Session = field(
        init=False,
        default=Factory(lambda self: Session(self.loop_detector, self.observer, self.display), takes_self=True),
    )
    _workers: Workers = field(init=False, factory=Workers)
    _closed: bool = field(init=False, default=False)

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools' declarations, in order."""
        return tuple(tool.spec for tool in self._tools.values())

    def __getitem__(self, name: str) -> BoundTool:
        """
        Return one tool bound to this runner.

        Raises:
            KeyError: There is no such tool.
        """
        return BoundTool(runner=self, spec=self._tools[name].spec)

    def execute(self, name: str, arguments: Any = None) -> str:
        """
        Run one call and return the text for the model.

        Args:
            arguments: A mapping, JSON text, None or "" for none, or the tool's own arguments object.

        Raises:
            LoopStopped: The turn must end. Every ordinary failure is text.
        """
        return self.call(name, arguments).text

    def call(self, name: str, arguments: Any = None, *, call_id: str | None = None) -> Outcome:
        """
        Run one call and return everything about its end.

        Args:
            call_id: The model's own; made up when None.

        Raises:
            LoopStopped: The turn must end.
        """
        prepared = self._prepare(ToolCall(name, arguments, call_id))
        return self._session.settle(prepared, self._perform(prepared, self._ask_directly, Cancellation()))

    async def aexecute(self, name: str, arguments: Any = None) -> str:
        """Do as `execute` does, in a worker thread; cancelling the task stops the work first."""
        return (await self.acall(name, arguments)).text

    async def acall(self, name: str, arguments: Any = None, *, call_id: str | None = None) -> Outcome:
        """Do as `call` does, in a worker thread; cancelling the task stops the work first."""
        prepared = self._prepare(ToolCall(name, arguments, call_id))
        return self._session.settle(prepared, await self._aperform(prepared))

    def resume(self, pending: PendingCall | str, decision: Decision) -> Outcome:
        """
        Go on with a call that waited for a decision; in this process, or in another over the same files.

        Allowed, it is done only if what would happen is still exactly what was asked about; else the text says what
        changed. A further question of the call is asked as usual.

        Args:
            pending: `Outcome.pending`, or what it says.

        Raises:
            DefinitionError: It is no pending call, or of a tool that is not here.
            LoopStopped: The turn must end.
        """
        written = self._resumed(pending)
        prepared = self._prepare(ToolCall(written.tool, written.arguments, written.call_id))
        ask = decided(written, decision, self.permission, self._ask_directly)
        return self._session.settle(prepared, self._perform(prepared, ask, Cancellation()))

    async def aresume(self, pending: PendingCall | str, decision: Decision) -> Outcome:
        """Do as `resume` does, in a worker thread; cancelling the task stops the work first."""
        written = self._resumed(pending)
        prepared = self._prepare(ToolCall(written.tool, written.arguments, written.call_id))
        return self._session.settle(
            prepared, await self._aperform(prepared, lambda ask: decided(written, decision, self.permission, ask))
        )

    def call_many(self, calls: Sequence[ToolCall | tuple[str, Any]]) -> list[Outcome]:
        """
        Run the calls of one response; those that cannot disturb one another run side by side.

        Args:
            calls: `ToolCall`s, or (name, arguments) pairs.

        Returns:
            One outcome per call, in call order.

        Raises:
            LoopStopped: The turn must end; its `outcomes` are of all calls that ran.
        """
        response = self._prepare_all(calls)
        outcomes: list[Outcome] = []
        for group in batch.groups([prepared.kind for prepared in response]):
            members = [response[position] for position in group]
            self._settle_all(outcomes, members, self._perform_side_by_side(members))
        return outcomes

    async def acall_many(self, calls: Sequence[ToolCall | tuple[str, Any]]) -> list[Outcome]:
        """Do as `call_many` does, each call in a worker thread; cancelling the task stops them all first."""
        import asyncio

        response = self._prepare_all(calls)
        outcomes: list[Outcome] = []
        for group in batch.groups([prepared.kind for prepared in response]):
            members = [response[position] for position in group]
            tasks = [asyncio.ensure_future(self._aperform(one)) for one in members]
            try:
                ended = await asyncio.gather(*tasks, return_exceptions=True)
            except asyncio.CancelledError:
                await asyncio.wait(tasks)
                for one, task in zip(members, tasks, strict=True):
                    if not task.cancelled() and task.exception() is None:
                        self._session.notify(one, task.result())
                raise
            self._settle_all(outcomes, members, ended)
        return outcomes

    @contextmanager
    def turn(self) -> Iterator[Self]:
        """Count the calls of one turn for `recap`."""
        self._session.new_turn()
        yield self

    def recap(self) -> str:
        """Return the counters line of the last turn; without turns, of the session."""
        return self._session.recap()

    def reset(self) -> None:
        """Start a new session: loop detector, counters, call numbers and grants begin again."""
        self._session.reset()
        for plugged in (self.permission, self.observer):
            _reset(plugged)
        for reset in self.on_reset:
            reset()

    def close(self) -> None:
        """Stop what is still running; a second close does nothing."""
        if self._closed:
            return
        self._closed = True
        for close in (self._workers.close, *reversed(self.on_close)):
            close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        from mmtools.running import asynchronous

        await asynchronous.in_thread(lambda _: self.close(), self._workers)

    def _resumed(self, pending: PendingCall | str) -> PendingCall:
        written = PendingCall.from_json(pending) if isinstance(pending, str) else pending
        if written.tool not in self._tools:
            raise DefinitionError(f"the pending call is of {written.tool!r}, which is no tool of this runner")
        for recall in self.on_resume:
            recall(written)
        return written

    def _prepare_all(self, calls: Sequence[ToolCall | tuple[str, Any]]) -> list[PreparedCall]:
        prepared = [self._prepare(call if isinstance(call, ToolCall) else ToolCall(*call)) for call in calls]
        return [
            preparation.refuse_company(one) if batch.must_stand_alone(one.spec, len(calls)) else one for one in prepared
        ]

    def _prepare(self, call: ToolCall) -> PreparedCall:
        if self._closed:
            raise DefinitionError("this runner is closed")
        return preparation.prepare(self._tools, call, call.call_id or f"call-{next(self._numbers)}")

    def _perform(self, prepared: PreparedCall, ask: Ask, cancellation: Cancellation) -> Outcome:
        started, display = prepared.started, self.display
        emit = _hidden if display is None else partial(display.output, started.call_id)
        live = LiveCall(started, cancellation, ask, self._asking, emit)
        begun = self.clock()
        if display is not None:
            display.started(started)
        pending: str | None = None
        try:
            text = prepared.work(live)
            status = live.reported.status
        except ToolFailure as failure:
            text, status = failure.text, Status(failure.status)
            pending = failure.pending if isinstance(failure, Deferred) else None
        except BaseException as error:
            # A bug or an interrupt goes on to the host; nobody else may wait for this call for ever.
            status = Status.FAILED if isinstance(error, Exception) else Status.CANCELLED
            self._session.notify(prepared, _abandoned(started, status, self.clock() - begun))
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

    async def _aperform(self, prepared: PreparedCall, wrap_ask: Callable[[Ask], Ask] = lambda ask: ask) -> Outcome:
        import asyncio

        from mmtools.running import asynchronous

        if inspect.iscoroutinefunction(self.permission.decide):
            ask = asynchronous.ask_on_loop(asyncio.get_running_loop(), self.permission)
        else:
            ask = asynchronous.ask_in_thread(self.permission)
        ended: list[Outcome] = []

        def work(cancellation: Cancellation) -> Outcome:
            ended.append(self._perform(prepared, wrap_ask(ask), cancellation))
            return ended[0]

        try:
            return await asynchronous.in_thread(work, self._workers)
        except asyncio.CancelledError:
            for outcome in ended:
                self._session.notify(prepared, outcome)
            raise

    def _perform_side_by_side(self, members: Sequence[PreparedCall]) -> list[Outcome | BaseException]:
        if len(members) == 1:
            return [self._perform(members[0], self._ask_directly, Cancellation())]
        from concurrent.futures import ThreadPoolExecutor

        def perform(one: PreparedCall, context: contextvars.Context) -> Outcome | BaseException:
            try:
                return context.run(self._perform, one, self._ask_directly, Cancellation())
            except BaseException as bug:  # noqa: BLE001 - raised once its neighbours are settled
                return bug

        contexts = [contextvars.copy_context() for _ in members]
        with ThreadPoolExecutor(min(len(members), _MAX_SIDE_BY_SIDE), "mmtools-call") as pool:
            return list(pool.map(perform, members, contexts))

    def _settle_all(
        self, outcomes: list[Outcome], members: Sequence[PreparedCall], ended: Sequence[Outcome | BaseException]
    ) -> None:
        """Settle a group in call order, also past a stop or a bug: what ran stays in the record."""
        bugs = [outcome for outcome in ended if isinstance(outcome, BaseException)]
        stopped: LoopStopped | None = None
        for prepared, outcome in zip(members, ended, strict=True):
            if isinstance(outcome, BaseException):
                continue
            try:
                outcomes.append(self._session.settle(prepared, outcome))
            except LoopStopped as stop:
                outcomes.extend(stop.outcomes)
                stopped = stopped or stop
        if bugs:
            raise bugs[0]
        if stopped is not None:
            raise LoopStopped(stopped.text, outcomes)

    def _ask_directly(self, request: PermissionRequest, _: Cancellation) -> Decision:
        answer = self.permission.decide(request)
        if inspect.isawaitable(answer):
            from mmtools.running import asynchronous

            return asynchronous.resolve(answer)
        return answer


def _hidden(_: str) -> None:
    pass


def _reset(plugged: object) -> None:
    if isinstance(plugged, Resettable):
        plugged.reset()


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
