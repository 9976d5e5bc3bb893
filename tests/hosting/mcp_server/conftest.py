"""A directory to work in, and servers over it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hosting.mcp_server.serving import Place, http_host, mm


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return lay_out(tmp_path)


@pytest.fixture(scope="module")
def over_http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """One server for many tests: each client has its own session."""
    root = tmp_path_factory.mktemp("http")
    with http_host(root) as url:
        yield root, url


@pytest.fixture(params=["memory-legacy", "memory-auto", "http-auto"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    where, _, era = request.param.partition("-")
    if where == "memory":
        return Place(lay_out(tmp_path), mm(tmp_path), era)
    root, url = request.getfixturevalue("over_http")
    for entry in root.iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    return Place(lay_out(root), url, era)


def lay_out(root: Path) -> Path:
    (root / "a.txt").write_text("one\ntwo\n")
    return root
