"""Claim: guarding 1 MB/s of streamed arguments costs less than 1 % of a core, that is 10 ms per MB."""

from __future__ import annotations

import random
import statistics
from functools import partial

from benchmarks.measure import row, timed
from mmtools import RunawayGuard

MB = 1_000_000


def feed(deltas: list[str]) -> None:
    guard = RunawayGuard(max_bytes=2 * MB)
    for delta in deltas:
        guard.feed(delta)


if __name__ == "__main__":
    chance = random.Random(0)
    words = ["def ", "return ", "self.", "value", "index", "\\n    ", " = ", "(", ")", ", ", "0", "None"]
    text = "".join(chance.choices(words, k=MB // 4))[:MB]
    for size in (20, 200, 4_096):
        deltas = [text[at : at + size] for at in range(0, len(text), size)]
        spent = statistics.median(timed(partial(feed, deltas)) for _ in range(7))
        row(f"runaway guard: 1 MB in deltas of {size}", f"{spent * 1000:.2f} ms", "", "", "< 10 ms")
