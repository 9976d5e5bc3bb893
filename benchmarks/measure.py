"""Time two ways of doing the same work in turn, and print their medians and ratio."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

__all__ = ["compare", "replace_atomically", "row", "timed"]


def timed(work: Callable[[], object]) -> float:
    """Return how long one run took, in seconds."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def compare(
    name: str,
    ours: Callable[[], object],
    raw: Callable[[], object],
    *,
    target: str,
    rounds: int = 15,
    before: Callable[[], object] = lambda: None,
) -> None:
    """
    Run both in turn, `before` ahead of each, and print one row.

    Args:
        target: What the ratio must reach, as the claim says it.
    """
    pairs: list[tuple[float, float]] = []
    for counted in range(rounds + 1):
        before()
        limit = timed(raw)
        before()
        spent = timed(ours)
        if counted:
            pairs.append((spent, limit))
    spent = statistics.median(spent for spent, _ in pairs)
    limit = statistics.median(limit for _, limit in pairs)
    ratio = statistics.median(spent / limit for spent, limit in pairs)
    row(name, f"{_ms(spent)}", f"raw {_ms(limit)}", f"{ratio:.2f}x", target)


def replace_atomically(path: Path, data: bytes) -> None:
    """Write a file beside another and rename it over that one: the least that any tool does that loses nothing."""
    descriptor, temporary = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(data)
    os.replace(temporary, path)


def row(*cells: str) -> None:
    """Print one row of the table: name, ours, raw, ratio, target."""
    name, *rest = cells
    print(f"{name:<52}" + "".join(f"{cell:>16}" for cell in rest), flush=True)


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"
