"""How often a server that dies is started again."""

from __future__ import annotations

import time
from collections.abc import Callable

from attrs import define, field

__all__ = ["RestartBudget"]


@define
class RestartBudget:
    """
    A count of a server's starts: so many within so long a time, the first one included.

    Args:
        clock: Tells monotonic seconds.
    """

    starts: int
    within_s: float
    clock: Callable[[], float] = time.monotonic
    _spent_at: list[float] = field(init=False, factory=list)

    def spend(self) -> bool:
        """Count a start that is about to be; returns False, and counts none, when there were too many."""
        now = self.clock()
        self._spent_at = [at for at in self._spent_at if now - at < self.within_s]
        if len(self._spent_at) >= self.starts:
            return False
        self._spent_at.append(now)
        return True

    def refund(self) -> None:
        """Count the last start for none."""
        self._spent_at.pop()
