"""A call that waits, as a host keeps it beside its own request for approval: plain JSON that survives any storage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mmtools.call import Outcome
from mmtools.core import digests
from mmtools.errors import DefinitionError
from mmtools.hosting import answers
from mmtools.pending import PendingCall
from mmtools.ports.permission import Choice, Decision

__all__ = ["decided", "is_kept", "keep", "recall"]


def keep(outcome: Outcome, arguments: object) -> dict[str, str]:
    """
    Return what a host must keep of a call that ended as pending.

    Args:
        arguments: As the host sent them; only a digest is kept.
    """
    if outcome.pending is None:
        raise DefinitionError(f"{outcome.tool} does not wait for a decision: it ended as {outcome.status.value}")
    return {"pending": outcome.pending, "sent": _mark(arguments)}


def is_kept(kept: object) -> bool:
    """Whether this is what `keep` returned."""
    return isinstance(kept, Mapping) and "pending" in kept and "sent" in kept


def decided(kept: Mapping[str, Any], decision: Decision) -> dict[str, Any]:
    """Return what was kept, with the decision about it."""
    return {**kept, "choice": decision.choice.value, "feedback": decision.feedback}


def recall(
    kept: Mapping[str, Any], *, tool: str, call_id: str | None, arguments: object
) -> tuple[PendingCall, Decision]:
    """
    Return what `Runner.resume` takes; a decision that was not given is a yes, for the host says go on.

    Args:
        arguments: As the host sends them now.

    Raises:
        DefinitionError: The host goes on with another call than the one that was asked about.
    """
    record = answers.recorded(kept.get("pending"), tool=tool, call_id=call_id)
    if kept.get("sent") != _mark(arguments):
        raise DefinitionError(
            f"the arguments of {tool} are not those that were asked about; reject the call, with feedback for the model"
        )
    return record, Decision(Choice(kept.get("choice", Choice.ALLOW_ONCE)), kept.get("feedback", ""))


def _mark(arguments: object) -> str:
    return digests.digest(digests.canonical_json(arguments))
