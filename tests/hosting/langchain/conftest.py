"""A directory to work in."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

#: This folder's tests run in the framework's own environment.
collect_ignore_glob = [] if find_spec("langgraph") and find_spec("langchain") else ["test_*.py"]


@pytest.fixture(autouse=True)
def _untraced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGSMITH_TRACING", "false")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    return tmp_path
