"""Nothing may go on that needs permission."""

from __future__ import annotations

from attrs import frozen

from mmtools.ports.permission import Choice, Decision, PermissionRequest

__all__ = ["RefuseAll"]


@frozen
class RefuseAll:
    """
    A policy that refuses every call at once: for a host with nobody there to ask.

    Args:
        reason: What the model reads.
    """

    reason: str = "Refused by policy: nobody is here to approve this. Go on without it."

    def decide(self, request: PermissionRequest) -> Decision:
        return Decision(Choice.REJECT_ONCE, self.reason)

    def refusal(self, request: PermissionRequest) -> Decision | None:
        return self.decide(request)
