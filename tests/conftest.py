"""Settings shared by all tests, and the two ways to run them: whole, where nothing may be missing, and quick."""

from __future__ import annotations

import signal

import pytest
from hypothesis import settings

from tests import hypothesis_profiles, programs

hypothesis_profiles.register()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept-contracts", action="store_true", help="write tests/contracts anew; read the diff")
    parser.addoption(
        "--quick", action="store_true", help="leave out slow tests and those that miss a program; draw few examples"
    )


def pytest_configure(config: pytest.Config) -> None:
    # A run in the background of a script is started with it ignored, and so would be every program of a test.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if config.getoption("quick") and not config.getoption("--hypothesis-profile"):
        settings.load_profile("check")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("quick"):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if not item.get_closest_marker("slow")]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    needed = [name for marker in item.iter_markers("needs") for name in marker.args]
    if told := programs.missing(needed):
        (pytest.skip if item.config.getoption("quick") else pytest.fail)(told)
