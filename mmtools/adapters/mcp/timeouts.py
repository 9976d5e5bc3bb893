"""How long MCP servers are waited for, and how often they are started."""

from __future__ import annotations

from attrs import frozen

__all__ = ["Timeouts"]


@frozen(kw_only=True)
class Timeouts:
    """
    The bounds of what is not a server's own to say.

    Args:
        starts: How often a child is started within `starts_within_s`, its first start included.
        leave_s: What a child has to end by itself once its input has ended, and an address to let a session go.
        term_s: What a child that does not end by itself has between TERM and KILL.
        settle_s: After a list of tools, for a server that then says that they have changed.
    """

    starts: int = 3
    starts_within_s: float = 60.0
    leave_s: float = 1.5
    term_s: float = 1.0
    settle_s: float = 0.1
