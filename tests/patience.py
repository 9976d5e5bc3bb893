"""
How long tests wait, and what for: an event, never a time.

A machine under load stands still for seconds. So what should come at once has `PATIENCE_S` to come, and what would be
waited for in vain takes `AGES_S`: a test that sees the first pass without the second holds on any machine.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["AGES_S", "PATIENCE_S", "TRIES_S", "at_once", "soon", "when"]

#: 60 s: only what hangs meets it. Less than the bound of a test, so that the failure says what was waited for.
PATIENCE_S = 60.0

#: 600 s: longer than any test may take.
AGES_S = 600.0

#: Timeouts to try one after the other, where one must not end before the thing under test has begun.
TRIES_S = (0.3, 1.0, 4.0, 16.0, 60.0)


def soon(holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.005)


@contextmanager
def at_once() -> Iterator[None]:
    """Require that the block does not wait for what takes ages."""
    begun = time.monotonic()
    yield
    assert time.monotonic() - begun < PATIENCE_S


@contextmanager
def when(holds: Callable[[], object], then: Callable[[], object]) -> Iterator[None]:
    """Do something as soon as something holds, while the block goes on."""
    failures: list[AssertionError] = []

    def wait() -> None:
        try:
            soon(holds)
        except AssertionError as failure:
            failures.append(failure)
        then()

    thread = threading.Thread(target=wait)
    thread.start()
    try:
        yield
    finally:
        thread.join()
    assert not failures, "waited in vain"
