"""Where a person sees the calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from attrs import field, frozen

from mmtools.call import Headline, Outcome, ToolKind

__all__ = ["Display", "FinishedCall", "StartedCall"]


@frozen(kw_only=True)
class StartedCall:
    """
    The announcement of a call.

    Args:
        call_id: Unique in the session; the host's own where it gave one.
        arguments: As understood; None when they could not be.
    """

    call_id: str
    tool: str
    kind: ToolKind
    family: str
    headline: Headline
    arguments: Mapping[str, Any] | None = field(default=None, repr=False)


@frozen
class FinishedCall:
    """The end of a call: what was announced, and how it ended."""

    call: StartedCall
    outcome: Outcome


class Display(Protocol):
    """
    A view of calls as they go. Each call is started once, then finished once.

    Calls that run side by side, and those of async hosts, report from worker threads. Text is the
    tool's own: it may hold terminal escapes, which a display must not pass on.
    """

    def started(self, call: StartedCall) -> None:
        """Show that a call begins; comes before any question about it."""
        ...

    def output(self, call_id: str, text: str) -> None:
        """Show a live chunk; chunks may end anywhere but inside a character."""
        ...

    def finished(self, call: FinishedCall) -> None:
        """Show how a call ended."""
        ...
