"""The end of a call: counted, held against the loop, and told to everybody concerned; once, whatever the end."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from attrs import define, evolve, field

from mmtools.call import Observation, Outcome, Status
from mmtools.core import digests
from mmtools.core.counters import Counters
from mmtools.core.loop import LoopDetector, Stop, Warn
from mmtools.core.text import utf8_size
from mmtools.errors import LoopStopped
from mmtools.ports.display import Display, FinishedCall, StartedCall
from mmtools.ports.observer import Observer
from mmtools.running.preparation import PreparedCall

__all__ = ["Session"]


@define(eq=False)
class Session:
    """What a session remembers of its calls. Used from several threads."""

    loop_detector: LoopDetector
    observer: Observer | None
    display: Display | None
    _counters: Counters = field(init=False, factory=Counters)
    _call_seq: int = field(init=False, default=0)
    _lock: threading.Lock = field(init=False, factory=threading.Lock)

    def settle(self, prepared: PreparedCall, outcome: Outcome) -> Outcome:
        """
        Enter a call that came to its end.

        Returns:
            The outcome for the model: with the loop detector's mark, where it made one.

        Raises:
            LoopStopped: The turn must end.
        """
        if outcome.status is Status.PENDING:
            # It will be counted, and held against the loop, once it is decided.
            self.notify(prepared, outcome)
            return outcome
        with self._lock:
            if prepared.spec is not None:
                self._counters.count(prepared.spec.family)
            verdict = self.loop_detector.record(outcome.tool, prepared.said, outcome.text)
        if isinstance(verdict, Warn):
            above = outcome.text.removesuffix("\n")
            outcome = evolve(outcome, text=f"{above}\n{verdict.marker}")
        elif isinstance(verdict, Stop):
            outcome = evolve(outcome, text=verdict.error, status=Status.FAILED)
        self.notify(prepared, outcome)
        if isinstance(verdict, Stop):
            raise LoopStopped(verdict.error, [outcome])
        return outcome

    def settle_all(
        self,
        outcomes: list[Outcome],
        members: Sequence[PreparedCall],
        ended: Sequence[Outcome | BaseException],
        *,
        after: Sequence[Sequence[PreparedCall]] = (),
    ) -> None:
        """
        Settle a group in call order, also past a stop or a bug: what ran stays in the record.

        Args:
            outcomes: Of the response so far; the group's are added.
            after: The groups that follow in the response; a stop tells of each of their calls that it was not run.

        Raises:
            LoopStopped: The turn must end.
            BaseException: The first bug or interrupt among `ended`.
        """
        bugs = [outcome for outcome in ended if isinstance(outcome, BaseException)]
        stopped: LoopStopped | None = None
        for prepared, outcome in zip(members, ended, strict=True):
            if isinstance(outcome, BaseException):
                continue
            try:
                outcomes.append(self.settle(prepared, outcome))
            except LoopStopped as stop:
                outcomes.extend(stop.outcomes)
                stopped = stopped or stop
        if bugs:
            raise bugs[0]
        if stopped is not None:
            not_run = [_not_run(prepared.started) for group in after for prepared in group]
            raise LoopStopped(stopped.text, [*outcomes, *not_run])

    def notify(self, prepared: PreparedCall, outcome: Outcome) -> None:
        """Enter a call whose outcome no model will read: the host stopped waiting for it, or met a bug."""
        with self._lock:
            self._call_seq += 1
            call_seq = self._call_seq
        if self.observer is not None:
            _observe(self.observer, call_seq, prepared, outcome)
        if self.display is not None:
            self.display.finished(FinishedCall(prepared.started, outcome))

    def new_turn(self) -> None:
        """Count from nothing."""
        with self._lock:
            self._counters = Counters()

    def recap(self) -> str:
        """Return the counters line."""
        with self._lock:
            return self._counters.recap()

    def reset(self) -> None:
        """Begin a new session."""
        with self._lock:
            self.loop_detector.reset()
            self._counters = Counters()
            self._call_seq = 0


def _not_run(started: StartedCall) -> Outcome:
    return Outcome(
        call_id=started.call_id,
        tool=started.tool,
        text=f"[{started.tool}: not run: the turn ended before it, since an earlier call repeated itself]",
        status=Status.CANCELLED,
        arguments=started.arguments,
    )


def _observe(observer: Observer, call_seq: int, prepared: PreparedCall, outcome: Outcome) -> None:
    sent = digests.canonical_json(prepared.said)
    observation = Observation(
        tool=outcome.tool,
        call_seq=call_seq,
        args_digest=digests.digest(sent),
        result_digest=digests.digest(outcome.text),
        bytes_in=utf8_size(sent),
        bytes_out=utf8_size(outcome.text),
        duration_ms=outcome.duration_s * 1000,
        outcome=outcome.status.value,
    )
    try:
        observer.record(observation)
    except Exception:
        import logging

        logging.getLogger(__name__).warning("the observer lost call %d", call_seq, exc_info=True)
