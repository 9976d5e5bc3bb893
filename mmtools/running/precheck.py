"""A call that is only asked about: run up to its question, and no further."""

from __future__ import annotations

from attrs import define, field, frozen

from mmtools.call import Cancellation, Outcome, ReadPreview
from mmtools.errors import DefinitionError
from mmtools.pending import PendingCall
from mmtools.ports.permission import Choice, Decision, PermissionRequest
from mmtools.running.live_call import Ask
from mmtools.running.preparation import PreparedCall

__all__ = ["Precheck", "Question", "decided_call"]


@frozen(kw_only=True)
class Precheck:
    """
    A call that was run up to its question. `Runner.resume` goes on with it.

    Args:
        request: The question; None where nothing was asked.
        decision: What the permission said to it, if it said anything; None where it defers.
        outcome: Pending where the call has yet to be done; else its end, which nobody has counted or seen: a
            failure, a refusal, or the result of a call that asks nothing.
    """

    prepared: PreparedCall = field(repr=False)
    request: PermissionRequest | None
    decision: Decision | None
    outcome: Outcome

    @property
    def pending(self) -> str | None:
        """What the call goes on with once somebody has decided, as `Outcome.pending`; None where nobody has to."""
        return self.outcome.pending if self.decision is None else None


@define(eq=False)
class Question:
    """The question at which a call is stopped, and what the permission said to it."""

    request: PermissionRequest | None = field(init=False, default=None)
    decision: Decision | None = field(init=False, default=None)

    def stop(self, ask: Ask) -> Ask:
        """Have a call wait where it may go on and act."""

        def stopping(request: PermissionRequest, cancellation: Cancellation) -> Decision:
            self.request, self.decision = request, None
            answer = ask(request, cancellation)
            if not isinstance(answer, Decision) or answer.choice is Choice.DEFER:
                return answer
            self.decision = answer
            # A file outside the roots is read: only then it is known what would change.
            acts = answer.allowed and not isinstance(request.preview, ReadPreview)
            return Decision(Choice.DEFER) if acts else answer

        return stopping

    def checked(self, prepared: PreparedCall, outcome: Outcome) -> Precheck:
        """Return what came of it."""
        return Precheck(prepared=prepared, request=self.request, decision=self.decision, outcome=outcome)


def decided_call(waiting: PendingCall | Precheck | str, decision: Decision | None) -> tuple[PendingCall, Decision]:
    """
    Return the record of a call that waits, and what was decided about it.

    Args:
        decision: The host's; None for what the permission said in a precheck.

    Raises:
        DefinitionError: It is no such record, or nobody has decided.
    """
    if isinstance(waiting, Precheck):
        if decision is None and waiting.decision is not None:
            # An "always" was learnt when it was said.
            decision = Decision(Choice.ALLOW_ONCE)
        waiting = waiting.outcome.pending or ""
    record = PendingCall.from_json(waiting) if isinstance(waiting, str) else waiting
    if decision is None:
        raise DefinitionError(f"{record.tool} waits for a decision, and none was given")
    return record, decision
