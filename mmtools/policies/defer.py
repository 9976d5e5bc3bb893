"""Nobody decides yet."""

from __future__ import annotations

from attrs import frozen

from mmtools.ports.permission import Choice, Decision, PermissionRequest

__all__ = ["Defer"]


@frozen
class Defer:
    """
    A policy that leaves every decision for later: the call ends as pending, and `Runner.resume` goes on with it.

    Compose it with what need not wait: `Rules([…], inner=Defer())`.
    """

    def decide(self, request: PermissionRequest) -> Decision:
        return Decision(Choice.DEFER)
