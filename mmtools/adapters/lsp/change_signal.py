"""Threads that wait for what another one brings."""

from __future__ import annotations

import threading
from collections.abc import Callable

from mmtools.call import Cancellation

__all__ = ["ChangeSignal"]


class ChangeSignal:
    """A bell that wakes whoever waits for something, whenever anything has changed."""

    def __init__(self) -> None:
        # Its lock is reentrant, so a signal handler may cancel the very call that it interrupts.
        self._condition = threading.Condition()
        #: How often there was something new.
        self.count = 0

    def notify(self) -> None:
        """Have all who wait look again."""
        with self._condition:
            self.count += 1
            self._condition.notify_all()

    def wait(self, come: Callable[[], bool], seconds: float, cancellation: Cancellation) -> bool:
        """Wait until something has come, the time is over or the call is cancelled; returns whether it has come."""
        unsubscribe = cancellation.subscribe(self.notify)
        try:
            with self._condition:
                self._condition.wait_for(lambda: cancellation.requested or come(), max(seconds, 0.0))
            return come()
        finally:
            unsubscribe()
