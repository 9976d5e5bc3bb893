"""Who decides whether a call may go on."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from attrs import field, frozen

from mmtools.call import GrantScope, Preview, ToolKind

__all__ = [
    "Choice",
    "Decision",
    "Denying",
    "Learning",
    "MayDeny",
    "Permission",
    "PermissionRequest",
    "Refusing",
    "Resettable",
]


class Choice(StrEnum):
    """
    An answer to a permission request, in ACP's words.

    Attributes:
        DEFER: Decide later: the call ends as pending, and `Runner.resume` goes on with it. Not one of ACP's.
    """

    ALLOW_ONCE = "allow_once"
    ALLOW_ALWAYS = "allow_always"
    REJECT_ONCE = "reject_once"
    REJECT_ALWAYS = "reject_always"
    CANCELLED = "cancelled"
    DEFER = "defer"


@frozen
class Decision:
    """
    The answer to a permission request.

    Args:
        choice: A `Choice`, or its string.
        feedback: For the model, after a no: what to do instead, or why.
    """

    choice: Choice = field(converter=Choice)
    feedback: str = ""

    @property
    def allowed(self) -> bool:
        """Whether the call may go on."""
        return self.choice in (Choice.ALLOW_ONCE, Choice.ALLOW_ALWAYS)


@frozen(kw_only=True)
class PermissionRequest:
    """
    The request for one call, with everything a person needs to decide.

    Args:
        title: One line: "run: make test".
        arguments: As the model sent them, parsed.
        paths: Absolute, of the real files concerned.
        preview: What is about to happen, in full: match it to the end.
        scope: What an "always" would cover; show `scope.words` beside that choice.
    """

    call_id: str
    tool: str
    kind: ToolKind
    family: str
    title: str
    arguments: Mapping[str, Any] = field(repr=False)
    paths: tuple[str, ...]
    preview: Preview = field(repr=False)
    scope: GrantScope


class Permission(Protocol):
    """The one who decides. An exception out of `decide`, or any answer but a `Decision`, is a refusal."""

    def decide(self, request: PermissionRequest) -> Decision | Awaitable[Decision]:
        """
        Answer the request; may wait for a person as long as it takes.

        Never called twice at once by one runner. May be a coroutine function: it is then awaited
        on the host's event loop.
        """
        ...


@runtime_checkable
class Denying(Protocol):
    """A policy that denies what no grant may allow, one given earlier or by a policy around this one."""

    def denial(self, request: PermissionRequest) -> Decision | None:
        """Return the denial of a request, or None when there is none; asks nobody."""
        ...


@runtime_checkable
class MayDeny(Protocol):
    """A `Denying` policy that knows beforehand which tools' calls it never denies, so that nothing is looked up for those."""

    def may_deny(self, tool: str) -> bool:
        """Whether it denies any call of a tool; yes, when in doubt."""
        ...


@runtime_checkable
class Refusing(Protocol):
    """A policy that says no by itself to some calls, so that a decision which was made elsewhere does not count for them."""

    def refusal(self, request: PermissionRequest) -> Decision | None:
        """Return the no, a denial's too, or None when a decision may count; asks nobody."""
        ...


@runtime_checkable
class Learning(Protocol):
    """A policy that takes note of decisions that were made elsewhere, about calls that waited."""

    def learn(self, request: PermissionRequest, decision: Decision) -> None:
        """Treat the decision as if it had been asked for here."""
        ...


@runtime_checkable
class Resettable(Protocol):
    """What can forget all that belongs to one session: policies that remember, observers that number sessions."""

    def reset(self) -> None:
        """Start a new session."""
        ...
