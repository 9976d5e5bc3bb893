"""What a policy around another one needs: ask it, sync or async, and let its denials stand."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Protocol

from mmtools.ports.permission import (
    Decision,
    Denying,
    Learning,
    MayDeny,
    Permission,
    PermissionRequest,
    Refusing,
    Resettable,
)

__all__ = ["Decide", "denial", "layered", "learn", "may_deny", "refusal", "reset"]


class Decide(Protocol):
    """The `decide` of any policy, as a function."""

    def __call__(self, request: PermissionRequest) -> Decision | Awaitable[Decision]:
        """Answer the request, as `Permission.decide` does."""
        ...


def denial(permission: Permission, request: PermissionRequest) -> Decision | None:
    """Return the denial of a request by any policy, or None."""
    return permission.denial(request) if isinstance(permission, Denying) else None


def refusal(permission: Permission, request: PermissionRequest) -> Decision | None:
    """Return the no that any policy says by itself, or None."""
    return permission.refusal(request) if isinstance(permission, Refusing) else denial(permission, request)


def may_deny(permission: Permission, tool: str) -> bool:
    """Whether any policy denies any call of a tool; yes, when in doubt."""
    return permission.may_deny(tool) if isinstance(permission, MayDeny) else isinstance(permission, Denying)


def learn(permission: Permission, request: PermissionRequest, decision: Decision) -> None:
    """Tell any policy of a decision that was made elsewhere."""
    if isinstance(permission, Learning):
        permission.learn(request, decision)


def reset(permission: Permission) -> None:
    """Start a new session in any policy."""
    if isinstance(permission, Resettable):
        permission.reset()


def layered(
    inner: Permission,
    *,
    known: Callable[[PermissionRequest], Decision | None],
    learn: Callable[[PermissionRequest, Decision], None] = lambda request, decision: None,
) -> Decide:
    """
    Build the `decide` of a policy around `inner`.

    Args:
        known: The answer where `inner` need not be asked, else None.
        learn: Told of every answer of `inner`.

    Returns:
        A coroutine function when `inner.decide` is one, else a function.
    """

    def decide(request: PermissionRequest) -> Decision | Awaitable[Decision]:
        standing = known(request)
        if standing is not None:
            return standing
        answer = inner.decide(request)
        if inspect.isawaitable(answer):
            return wait(request, answer)
        learn(request, answer)
        return answer

    async def wait(request: PermissionRequest, answer: Awaitable[Decision]) -> Decision:
        decision = await answer
        learn(request, decision)
        return decision

    async def decide_async(request: PermissionRequest) -> Decision:
        answer = decide(request)
        return await answer if inspect.isawaitable(answer) else answer

    return decide_async if inspect.iscoroutinefunction(inner.decide) else decide
