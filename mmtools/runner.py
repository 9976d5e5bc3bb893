"""
A toolset bound to one host: every call end to end.

    find → structure → display → execute → loop → observe → outcome
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Self

from attrs import Factory, define, evolve, field

from mmtools.bound_tool import BoundTool
from mmtools.call import Outcome, ToolCall
from mmtools.core.loop import LoopDetector
from mmtools.errors import DefinitionError
from mmtools.pending import PendingCall
from mmtools.ports.display import Display
from mmtools.ports.observer import Observer
from mmtools.ports.permission import Decision, Permission, Resettable
from mmtools.running import batch, preparation
from mmtools.running.executor import Executor, WrapAsk, as_usual
from mmtools.running.live_call import UsedRecords, decided
from mmtools.running.order import CallOrder, Identify, Place, no_further_name, running_loop
from mmtools.running.precheck import Precheck, Question, decided_call
from mmtools.running.preparation import PreparedCall
from mmtools.running.session import Session
from mmtools.running.workers import Workers
from mmtools.tool import AnyTool, ToolSpec, by_name

__all__ = ["Runner"]


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
        identify: Further names of the file at an absolute path, so that calls about one file know it by two paths.
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
    identify: Identify = field(kw_only=True, default=no_further_name)

    _numbers: Iterator[int] = field(init=False, factory=lambda: itertools.count(1))
    _session: Session = field(
        init=False,
        default=Factory(lambda self: Session(self.loop_detector, self.observer, self.display), takes_self=True),
    )
    _order: CallOrder = field(init=False, default=Factory(lambda self: CallOrder(self.identify), takes_self=True))
    _workers: Workers = field(init=False, factory=Workers)
    _executor: Executor = field(
        init=False,
        default=Factory(
            lambda self: Executor(
                display=self.display,
                notify=self._session.notify,
                clock=self.clock,
                order=self._order,
                workers=self._workers,
            ),
            takes_self=True,
        ),
    )
    _used: UsedRecords = field(init=False, factory=UsedRecords)
    _closed: bool = field(init=False, default=False)
    _owner: int = field(init=False, factory=os.getpid)

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
        return self._session.settle(prepared, self._executor.run(prepared, self.permission))

    async def aexecute(self, name: str, arguments: Any = None) -> str:
        """Do as `execute` does, in a worker thread; cancelling the task stops the work first."""
        return (await self.acall(name, arguments)).text

    async def acall(self, name: str, arguments: Any = None, *, call_id: str | None = None) -> Outcome:
        """Do as `call` does, in a worker thread; cancelling the task stops the work first."""
        prepared = self._prepare(ToolCall(name, arguments, call_id))
        return self._session.settle(prepared, await self._executor.arun(prepared, self.permission))

    def precheck(self, name: str, arguments: Any = None, *, call_id: str | None = None) -> Precheck:
        """
        Run one call up to the question that it asks, and no further: it is not done, counted, observed or shown.

        For hosts that have steps of their own between a decision and the act. The permission is asked as usual; its
        answer, or that it defers, is in what is returned. What asks nothing comes to its end: it changes nothing.

        Args:
            call_id: The model's own; made up when None.
        """
        prepared, question = self._prepare(ToolCall(name, arguments, call_id)), Question()
        return question.checked(prepared, self._executor.unseen().run(prepared, self.permission, question.stop))

    async def aprecheck(self, name: str, arguments: Any = None, *, call_id: str | None = None) -> Precheck:
        """Do as `precheck` does, in a worker thread; cancelling the task stops the work first."""
        prepared, question = self._prepare(ToolCall(name, arguments, call_id)), Question()
        return question.checked(prepared, await self._executor.unseen().arun(prepared, self.permission, question.stop))

    def resume(self, pending: PendingCall | Precheck | str, decision: Decision | None = None) -> Outcome:
        """
        Go on with a call that waited for a decision; in this process, or in another over the same files.

        Allowed, it is done only if what would happen is still exactly what was asked about; else the text says what
        changed. It is done once: a second yes for the same record is refused. A further question of the call is asked as
        usual. What the permission denies, or refuses without asking anybody, stays refused.

        Args:
            pending: `Outcome.pending`, or what it says, or what `precheck` returned.
            decision: None where `precheck` has one, or nothing was asked.

        Raises:
            DefinitionError: It is no pending call, or of a tool that is not here, or nobody has decided.
            LoopStopped: The turn must end.
        """
        prepared, wrap_ask = self._resumed(pending, decision)
        return self._session.settle(prepared, self._executor.run(prepared, self.permission, wrap_ask))

    async def aresume(self, pending: PendingCall | Precheck | str, decision: Decision | None = None) -> Outcome:
        """Do as `resume` does, in a worker thread; cancelling the task stops the work first."""
        prepared, wrap_ask = self._resumed(pending, decision)
        return self._session.settle(prepared, await self._executor.arun(prepared, self.permission, wrap_ask))

    def call_many(self, calls: Sequence[ToolCall | tuple[str, Any]]) -> list[Outcome]:
        """
        Run the calls of one response; those that cannot disturb one another run side by side.

        Args:
            calls: `ToolCall`s, or (name, arguments) pairs.

        Returns:
            One outcome per call, in call order.

        Raises:
            LoopStopped: The turn must end; its `outcomes` has one for each call, also for those that were not run any more.
        """
        outcomes: list[Outcome] = []
        groups = self._groups(calls)
        for position, group in enumerate(groups, 1):
            ended = self._executor.run_side_by_side(group, self.permission)
            self._session.settle_all(outcomes, group, ended, after=groups[position:])
        return outcomes

    async def acall_many(self, calls: Sequence[ToolCall | tuple[str, Any]]) -> list[Outcome]:
        """Do as `call_many` does, each call in a worker thread; cancelling the task stops them all first."""
        outcomes: list[Outcome] = []
        groups = self._groups(calls)
        for position, group in enumerate(groups, 1):
            ended = await self._executor.arun_side_by_side(group, self.permission)
            self._session.settle_all(outcomes, group, ended, after=groups[position:])
        return outcomes

    def reserve(self, name: str, arguments: Any = None, *, response: object = None) -> Place:
        """
        Take a call's place in the order, for what is called once `take()`, or `await atake()`, has come back.

            with runner.reserve("edit_file", arguments) as place:
                place.take()

        Args:
            response: What the calls of one response have in common, where a framework makes them one by one, all at
                once: each then sees what was before it, as in `call_many`.
        """
        prepared = self._prepare(ToolCall(name, arguments, "reserved"))
        return self._order.join(prepared.access, response=response, needs=running_loop())

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
        """Stop what is still running; a second close does nothing, nor does one in a fork of the owner."""
        if self._closed or self._is_of_another_process:
            return
        self._closed = True
        for close in (self._order.close, self._workers.close, *reversed(self.on_close)):
            close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        from mmtools.running import asynchronous

        if not self._is_of_another_process:
            await asynchronous.in_thread(lambda _: self.close(), self._workers)

    def _resumed(
        self, pending: PendingCall | Precheck | str, decision: Decision | None
    ) -> tuple[PreparedCall, WrapAsk]:
        if isinstance(pending, Precheck) and pending.outcome.pending is None:
            return evolve(pending.prepared, access=None, ended=pending.outcome), as_usual
        written, said = decided_call(pending, decision)
        if written.tool not in self._tools:
            raise DefinitionError(f"the pending call is of {written.tool!r}, which is no tool of this runner")
        for recall in self.on_resume:
            recall(written)
        prepared = self._prepare(ToolCall(written.tool, written.arguments, written.call_id))
        return prepared, partial(decided, written, said, self.permission, self._used)

    def _groups(self, calls: Sequence[ToolCall | tuple[str, Any]]) -> list[list[PreparedCall]]:
        return batch.arrange([self._prepare(call if isinstance(call, ToolCall) else ToolCall(*call)) for call in calls])

    @property
    def _is_of_another_process(self) -> bool:
        """Whether this is a copy in a fork: its threads are not there, its locks may be held, its servers answer another."""
        return os.getpid() != self._owner

    def _prepare(self, call: ToolCall) -> PreparedCall:
        if self._is_of_another_process:
            raise DefinitionError("this runner belongs to the process that built it; build one after the fork")
        if self._closed:
            raise DefinitionError("this runner is closed")
        return preparation.prepare(self._tools, call, call.call_id or f"call-{next(self._numbers)}")


def _reset(plugged: object) -> None:
    if isinstance(plugged, Resettable):
        plugged.reset()
