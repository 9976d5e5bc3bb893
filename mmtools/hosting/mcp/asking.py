"""Permission by asking the person at the client whose call it is."""

from __future__ import annotations

from collections.abc import Mapping

from mmtools.hosting.mcp.exchange import Exchange
from mmtools.ports.permission import Choice, Decision, PermissionRequest

__all__ = ["Asking"]

_NOBODY = Decision(Choice.REJECT_ONCE, "(refused by policy: no client is there who could be asked)")


class Asking:
    """
    A permission that asks, and remembers what was allowed for the session.

    Args:
        exchanges: The calls that are being served, by their ids.
    """

    def __init__(self, exchanges: Mapping[str, Exchange]) -> None:
        self._exchanges = exchanges
        self._granted: set[str] = set()

    async def decide(self, request: PermissionRequest) -> Decision:
        if request.scope.key in self._granted:
            return Decision(Choice.ALLOW_ONCE)
        exchange = self._exchanges.get(request.call_id)
        if exchange is None:
            return _NOBODY
        decision = await exchange.ask(request)
        self.learn(request, decision)
        return decision

    def learn(self, request: PermissionRequest, decision: Decision) -> None:
        """Remember a decision, if it is one to remember."""
        if decision.choice is Choice.ALLOW_ALWAYS:
            self._granted.add(request.scope.key)

    def reset(self) -> None:
        """Forget every grant."""
        self._granted.clear()
