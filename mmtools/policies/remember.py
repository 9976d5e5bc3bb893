"""An "always" holds for the rest of the session."""

from __future__ import annotations

from mmtools.policies import layers
from mmtools.ports.permission import Choice, Decision, Permission, PermissionRequest

__all__ = ["Remember"]


class Remember:
    """
    A policy that asks `inner` once for each scope that it answers with an "always".

    A scope is what the request names, to the letter of `scope.key`. Later requests in it are answered
    `allow_once` or `reject_once`, the latter with the feedback given then. A grant never beats a denial
    of `inner`, whichever of the two is around the other. One `Remember` belongs to one session.

    Args:
        inner: Who is asked; when its `decide` is a coroutine function, so is this one's.
    """

    def __init__(self, inner: Permission) -> None:
        self.inner = inner
        self._standing: dict[str, Decision] = {}
        #: The function that answers a request: from memory, else from `inner`.
        self.decide: layers.Decide = layers.layered(inner, known=self._known, learn=self.learn)

    def denial(self, request: PermissionRequest) -> Decision | None:
        return layers.denial(self.inner, request)

    def refusal(self, request: PermissionRequest) -> Decision | None:
        standing = self._standing.get(request.scope.key)
        allowed = standing is not None and standing.allowed
        return self.denial(request) if allowed else layers.refusal(self.inner, request)

    def may_deny(self, tool: str) -> bool:
        return layers.may_deny(self.inner, tool)

    def learn(self, request: PermissionRequest, decision: object) -> None:
        """Keep an "always", wherever it was said."""
        match decision:
            case Decision(choice=Choice.ALLOW_ALWAYS):
                self._standing[request.scope.key] = Decision(Choice.ALLOW_ONCE)
            case Decision(choice=Choice.REJECT_ALWAYS, feedback=feedback):
                self._standing[request.scope.key] = Decision(Choice.REJECT_ONCE, feedback)

    def reset(self) -> None:
        """Forget every "always"."""
        self._standing.clear()
        layers.reset(self.inner)

    def _known(self, request: PermissionRequest) -> Decision | None:
        standing = self._standing.get(request.scope.key)
        if standing is None or not standing.allowed:
            return standing
        return self.denial(request) or standing
