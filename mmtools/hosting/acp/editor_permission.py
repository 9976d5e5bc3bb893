"""The person in front of the editor, as a permission."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from mmtools.hosting.acp.sdk import schema
from mmtools.ports.permission import Choice, Decision, PermissionRequest

__all__ = ["EditorPermission", "understood"]


class EditorPermission:
    """
    The person in the editor, who is asked.

    Args:
        ask: Sends the question and returns the answer.
    """

    def __init__(self, ask: Callable[[PermissionRequest], Coroutine[Any, Any, Decision]]) -> None:
        self._ask = ask

    async def decide(self, request: PermissionRequest) -> Decision:
        return await self._ask(request)


def understood(answer: schema.RequestPermissionResponse, offered: list[schema.PermissionOption]) -> Decision:
    """Return what an answer decides; one that was not offered is a no."""
    outcome = answer.outcome
    if outcome.outcome == "cancelled":
        return Decision(Choice.CANCELLED)
    known = {option.option_id for option in offered}
    return Decision(outcome.option_id if outcome.option_id in known else Choice.REJECT_ONCE)
