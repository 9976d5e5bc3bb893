"""Where a number lies along the width of a plot, in percent, so that a plot fits every screen and its text keeps its size."""

from __future__ import annotations

import math
from collections.abc import Iterable

from attrs import frozen

__all__ = ["LogAxis", "Tick", "log_axis"]

#: 0.01 ms: shorter is beyond what the clock and the runner's own work tell apart.
_SHORTEST_MS = 0.01

#: 10**9 ms: eleven days. What takes longer is placed at the edge.
_HIGHEST = 9

_MAX_TICKS = 6


@frozen
class Tick:
    """
    A marked place of an axis.

    Args:
        position: From 0 to 1.
    """

    position: float
    words: str


@frozen
class LogAxis:
    """An axis of durations from 10**low to 10**high milliseconds; what lies outside is placed at the edge."""

    low: int
    high: int

    def position(self, duration_ms: float) -> float:
        """Return how far along it lies, from 0 to 1."""
        if duration_ms <= 10.0**self.low:
            return 0.0
        return min((math.log10(duration_ms) - self.low) / (self.high - self.low), 1.0)

    def bin(self, duration_ms: float, bins: int) -> int:
        """Return in which of so many equal parts it lies, from 0."""
        return min(int(self.position(duration_ms) * bins), bins - 1)

    @property
    def ticks(self) -> list[Tick]:
        """Powers of ten, in equal steps from the lowest on; six at most."""
        step = math.ceil((self.high - self.low) / (_MAX_TICKS - 1))
        powers = range(self.low, self.high + 1, step)
        return [Tick((power - self.low) / (self.high - self.low), self._words(power)) for power in powers]

    def _words(self, power: int) -> str:
        words = f"{10**power / 1000:,.0f} s" if power >= 3 else f"{10.0**power:g} ms"
        return f"≤ {words}" if power == self.low else words


def log_axis(durations_ms: Iterable[float]) -> LogAxis:
    """Choose whole powers of ten around the durations; those of 0 and next to nothing are left to the edge."""
    shown = [duration for duration in durations_ms if duration > _SHORTEST_MS]
    if not shown:
        return LogAxis(-2, 0)
    low = min(math.floor(math.log10(min(shown))), _HIGHEST - 1)
    return LogAxis(low, min(max(math.ceil(math.log10(max(shown))), low + 1), _HIGHEST))
