"""An eye on one fetch: when time is up or the call is cancelled, whatever it waits for ends."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from mmtools.call import Cancellation
from mmtools.ports.web import FetchCancelled, TooSlow

__all__ = ["Watch"]


class Watch:
    """
    A watch that wakes the fetching thread by shutting down the connection that it waits for.

    Args:
        limit_s: After which the fetch is over.
    """

    def __init__(self, *, limit_s: float, cancellation: Cancellation) -> None:
        self._limit_s = max(0.0, limit_s)
        self._ends_at = time.monotonic() + self._limit_s
        self._cancellation = cancellation
        self._lock = threading.Lock()
        self._handle: socket.socket | None = None
        self._waker: Callable[[], object] | None = None
        self._stopped_by = ""
        self._timer = threading.Timer(self._limit_s, self._stop, ["time"])
        self._timer.daemon = True
        self._unsubscribe: Callable[[], None] = lambda: None

    def __enter__(self) -> Self:
        self._timer.start()
        self._unsubscribe = self._cancellation.subscribe(lambda: self._stop("cancellation"))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        self._unsubscribe()
        with self._lock:
            self._let_go()

    @property
    def left_s(self) -> float:
        """How much of the time is left; never less than a millisecond, so that it can be a timeout."""
        return max(0.001, self._ends_at - time.monotonic())

    def attend(self, connection: socket.socket) -> None:
        """Shut this connection down, in place of the last one, when the fetch must end."""
        with self._lock:
            self._let_go()
            self._handle = connection.dup()
            if self._stopped_by:
                _shut_down(self._handle)

    def wake(self, waker: Callable[[], object]) -> None:
        """Call `waker` when the fetch must end."""
        with self._lock:
            self._waker = waker
            stopped = bool(self._stopped_by)
        if stopped:
            waker()

    def check(self, awaited: str) -> None:
        """
        Raise what ended the fetch, if anything did.

        Raises:
            TooSlow: Time is up; `awaited` says what for.
            FetchCancelled: The call was stopped.
        """
        if self._stopped_by == "cancellation":
            raise FetchCancelled
        if self._stopped_by or time.monotonic() >= self._ends_at:
            raise TooSlow(awaited)

    def _stop(self, by: str) -> None:
        with self._lock:
            self._stopped_by = self._stopped_by or by
            waker = self._waker
            if self._handle is not None:
                _shut_down(self._handle)
        if waker is not None:
            waker()

    def _let_go(self) -> None:
        if self._handle is not None:
            self._handle.close()
            self._handle = None


def _shut_down(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it has ended by itself
        connection.shutdown(socket.SHUT_RDWR)
