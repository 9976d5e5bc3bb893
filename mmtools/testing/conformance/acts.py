"""What laws are made of: an act that must fail, and acts side by side."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import TypeVar

from mmtools.errors import MmtoolsError

__all__ = ["fails", "side_by_side"]

ProblemT = TypeVar("ProblemT", bound=MmtoolsError)


def fails(kind: type[ProblemT], act: Callable[..., object], *arguments: object, **options: object) -> ProblemT:
    """Call what must end with one kind of problem, and return it."""
    try:
        answer = act(*arguments, **options)
    except kind as problem:
        return problem
    raise AssertionError(f"{kind.__name__} was due, and there was the answer {answer!r:.200}")


def side_by_side(acts: Iterable[Callable[[], object]], *, patience_s: float) -> None:
    """
    Do each act in a thread of its own, all at once, and require that all end well.

    Args:
        patience_s: For each to end; only what hangs meets it.
    """
    failures: list[BaseException] = []

    def run(act: Callable[[], object]) -> None:
        try:
            act()
        except BaseException as failure:  # noqa: BLE001 - told to the thread that asked
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(act,), daemon=True) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(patience_s)
    assert not failures, f"raised between threads: {failures[0]!r}"
    assert not any(thread.is_alive() for thread in threads), "still waiting for what others only use as well"
