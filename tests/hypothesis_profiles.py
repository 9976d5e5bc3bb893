"""
How many examples hypothesis draws, and which.

A full run and a quick one draw the same each time, so that they say the same of the same code. `deep` draws others
each time; what it finds is written into a test as an example.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

__all__ = ["register", "scaled"]

#: What the numbers of examples in tests are relative to.
_USUAL = 100

#: The same examples each time find something once: many are for `deep`.
_REPEATED = 50


def register() -> None:
    """Register `default`, `check` with few examples and `deep` with many random ones, and load the first."""
    # Shared machines are slow in bursts: a deadline would fail tests that are right.
    always = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    repeatable = settings(always, derandomize=True, database=None)
    settings.register_profile("default", repeatable, max_examples=_REPEATED)
    settings.register_profile("check", repeatable, max_examples=15)
    settings.register_profile("deep", always, derandomize=False, max_examples=1_000, print_blob=True)
    settings.load_profile("default")


def scaled(examples: int) -> settings:
    """
    Return the settings of a test that draws another number than most.

    Args:
        examples: How many where most tests draw 100; every run draws more or fewer, as of all tests.
    """
    return settings(max_examples=max(examples * settings().max_examples // _USUAL, 2))
