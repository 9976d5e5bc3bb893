"""The two guards without any other part of mmtools, for hosts that have their own tools."""

from __future__ import annotations

from mmtools import LoopDetector, RunawayGuard
from mmtools.core.loop import Fresh, Stop, Warn
from mmtools.core.runaway import Runaway


def main() -> None:
    detector = LoopDetector()
    for _ in range(6):
        match detector.record("search", {"query": "needle"}, "no matches"):
            case Fresh(count):
                print(f"call {count}: go on")
            case Warn(count, marker):
                print(f"call {count}: append {marker[:15]}…")
            case Stop(count, error):
                print(f"call {count}: end the turn: {error[:60]}…")

    guard = RunawayGuard()
    for number, delta in enumerate(['{"content": "', *["la la "] * 100]):
        if isinstance(verdict := guard.feed(delta), Runaway):
            print(f"delta {number}: stop the generation: {verdict.error[:45]}…")
            break


if __name__ == "__main__":
    main()
