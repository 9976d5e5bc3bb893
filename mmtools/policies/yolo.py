"""Everything may go on while this is on; only denials stand."""

from __future__ import annotations

from mmtools.policies import layers
from mmtools.ports.permission import Choice, Decision, Permission, PermissionRequest

__all__ = ["Yolo"]


class Yolo:
    """
    A policy that, while on, asks nobody and allows whatever no policy inside denies. While off, it asks `inner`.

    A denial is what a rule for it says; a policy that merely answers no, as `RefuseAll` does, is not asked either.
    A host may show `on`, and switch it, while calls run. A reset ends what was switched on during the session,
    and never switches anything on.

    Args:
        inner: Who is asked while it is off; when its `decide` is a coroutine function, so is this one's.
        on: How it begins; what a session begins with outlasts a reset.

    Source:
        crab tools page, "How confirmation works".
    """

    def __init__(self, inner: Permission, *, on: bool = True) -> None:
        self.inner = inner
        self.on = on
        self._began_on = on
        #: The function that answers a request: at once while this is on, else from `inner`.
        self.decide: layers.Decide = layers.layered(inner, known=self._known)

    def denial(self, request: PermissionRequest) -> Decision | None:
        return layers.denial(self.inner, request)

    def refusal(self, request: PermissionRequest) -> Decision | None:
        return self.denial(request) if self.on else layers.refusal(self.inner, request)

    def may_deny(self, tool: str) -> bool:
        return layers.may_deny(self.inner, tool)

    def learn(self, request: PermissionRequest, decision: Decision) -> None:
        layers.learn(self.inner, request, decision)

    def reset(self) -> None:
        self.on = self.on and self._began_on
        layers.reset(self.inner)

    def _known(self, request: PermissionRequest) -> Decision | None:
        if not self.on:
            return None
        return self.denial(request) or Decision(Choice.ALLOW_ONCE)
