"""A directory to work in, and no tracing."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

#: This folder's tests run in the framework's own environment.
collect_ignore_glob = [] if find_spec("agents") else ["test_*.py"]


@pytest.fixture(scope="session", autouse=True)
def _untraced() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_AGENTS_DISABLE_TRACING", "1")
        yield


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    return tmp_path
