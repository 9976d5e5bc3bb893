"""Two paths to one file are known as that."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mmtools.adapters.disk.file_identity import identify


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.txt").write_text("a")
    (tmp_path / "real" / "b.txt").write_text("b")
    (tmp_path / "linked").symlink_to("real")
    (tmp_path / "link.txt").symlink_to("real/a.txt")
    os.link(tmp_path / "real" / "a.txt", tmp_path / "hard.txt")
    return tmp_path


@pytest.mark.parametrize("path", ["link.txt", "linked/a.txt", "real/../linked/a.txt", "hard.txt"])
def test_every_path_to_a_file_shares_a_name_with_every_other(root: Path, path: str) -> None:
    assert {*identify(f"{root}/{path}")} & {*identify(f"{root}/real/a.txt")}
    assert not {*identify(f"{root}/{path}")} & {*identify(f"{root}/real/b.txt")}


def test_a_file_that_is_to_be_made_is_known_by_where_it_will_be(root: Path) -> None:
    assert identify(f"{root}/linked/new.txt") == (f"{root}/real/new.txt",)


@pytest.mark.parametrize("path", ["/a\0b", "/\ud800"])
def test_what_no_file_can_be_called_has_no_name(path: str) -> None:
    assert identify(path) == ()
