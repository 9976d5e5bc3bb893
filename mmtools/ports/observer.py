"""Who keeps the numbers of every call."""

from __future__ import annotations

from typing import Protocol

from mmtools.call import Observation

__all__ = ["Observer"]


class Observer(Protocol):
    """A keeper of one record per call, whatever the call's end."""

    def record(self, observation: Observation) -> None:
        """Keep it. What this raises never reaches the call: the runner warns and goes on."""
        ...
