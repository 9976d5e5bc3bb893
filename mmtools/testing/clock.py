"""A clock that stands still until told otherwise."""

from __future__ import annotations

__all__ = ["FixedClock"]


class FixedClock:
    """
    A clock that tells monotonic seconds when called, as `time.monotonic` does.

    Args:
        now: Seconds; any start will do.
    """

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        """
        Let time pass.

        Raises:
            ValueError: `seconds` is negative; a monotonic clock does not go back.
        """
        if seconds < 0:
            raise ValueError(f"time does not go back by {-seconds} s")
        self.now += seconds
