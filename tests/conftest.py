"""Settings shared by all tests."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

# Shared machines are slow in bursts: a deadline would fail tests that are right.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("deep", deadline=None, max_examples=2_000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept-contracts", action="store_true", help="write tests/contracts anew; read the diff")
