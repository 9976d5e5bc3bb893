"""Everything may go on."""

from __future__ import annotations

from attrs import frozen

from mmtools.ports.permission import Choice, Decision, PermissionRequest

__all__ = ["AllowAll"]


@frozen
class AllowAll:
    """A policy that allows every call: for a sandbox, or where nobody is there and everything is meant."""

    def decide(self, request: PermissionRequest) -> Decision:
        return Decision(Choice.ALLOW_ONCE)
