"""Where a path leads, against the standard library and the system."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.disk.followed_paths import follow, is_opened_from, name_of, parent_of
from mmtools.core.paths import Flaw

NAMES = st.sampled_from(
    ["d", "e", "f", "to_d", "to_f", "up", "dangling", "loop", "dangling_loop", "out", "missing", "..", ".", ""]
)
LINKS = {
    "to_d": "d",
    "to_f": "d/f",
    "d/up": "..",
    "d/to_d": "../to_d/e",
    "dangling": "d/none",
    "d/dangling": "../none/none",
    "loop": "loop",
    "dangling_loop": "missing/../dangling_loop",
    "d/loop": "../d/e/loop",
    "d/e/loop": "../loop",
    "out": "/",
}


@pytest.fixture(scope="module")
def tree() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        (root / "d/e").mkdir(parents=True)
        (root / "d/f").write_bytes(b"")
        (root / "f").write_bytes(b"")
        for name, target in LINKS.items():
            (root / name).symlink_to(target)
        yield str(root)


@given(names=st.lists(NAMES, max_size=7))
def test_what_exists_is_found_where_the_system_finds_it(tree: str, names: list[str]) -> None:
    path = "/".join([tree, *names])
    real, flaw = follow(path)
    try:
        there = os.stat(path)
    except OSError:
        # With a loop on the way the standard library stops following links.
        assert flaw or "loop" in path or real == os.path.realpath(path)
    else:
        assert os.path.samestat(os.lstat(real), there)
        assert real == os.path.realpath(path, strict=True)
        assert flaw is None


@given(names=st.lists(NAMES, max_size=7))
def test_what_is_found_holds_no_link_and_is_found_again(tree: str, names: list[str]) -> None:
    real, flaw = follow("/".join([tree, *names]))
    if flaw is None:
        assert not os.path.islink(real)
        assert follow(real) == (real, None)


@pytest.mark.parametrize("path", ["loop", "loop/x", "d/loop", "to_d/e/loop/x", "missing/../loop/x", "dangling_loop/x"])
def test_a_loop_is_told(tree: str, path: str) -> None:
    assert follow(f"{tree}/{path}")[1] is Flaw.LOOP


def test_a_chain_longer_than_the_system_follows_is_told(tmp_path: Path) -> None:
    (tmp_path / "0").touch()
    for number in range(60):
        (tmp_path / f"{number + 1}").symlink_to(f"{number}")
    assert follow(f"{tmp_path}/30") == (str(tmp_path / "0"), None)
    assert follow(f"{tmp_path}/60")[1] is Flaw.LOOP


@pytest.mark.parametrize(
    "path", ["x" * 256, "d/" + "é" * 128, "missing/" + "x" * 256, "x" * 256 + "/a", "a/" * 2100 + "a"]
)
def test_a_name_longer_than_the_disk_takes_is_told(tree: str, path: str) -> None:
    assert follow(f"{tree}/{path}")[1] is Flaw.TOO_LONG


@pytest.mark.parametrize("path", ["missing/", "missing/.", "f/", "f/.", "d/f//", "dangling/", "missing/missing/"])
def test_the_form_of_a_directory_without_the_directory_is_told(tree: str, path: str) -> None:
    assert follow(f"{tree}/{path}")[1] is Flaw.NO_DIRECTORY


def test_the_systems_mark_of_a_removed_file_is_not_part_of_a_path(tmp_path: Path) -> None:
    real = tmp_path / "f (deleted)"
    assert follow(str(real)) == (str(real), None)
    real.touch()
    assert follow(str(real)) == (str(real), None)
    (tmp_path / "link").symlink_to(real)
    assert follow(f"{tmp_path}/link") == (str(real), None)


def test_an_open_file_stands_where_no_link_led_to_it(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "link").symlink_to("d")
    for name in ("f", "removed", "replaced"):
        (tmp_path / "d" / name).touch()
        by_name, by_link = f"{tmp_path}/d/{name}", f"{tmp_path}/link/{name}"
        fd = os.open(by_link, os.O_RDONLY)
        if name != "f":
            os.unlink(by_name)
        if name == "replaced":
            Path(by_name).touch()
        assert is_opened_from(by_name, fd)
        if name == "f":
            assert not is_opened_from(by_link, fd)
            assert not is_opened_from(f"{tmp_path}/d/replaced", fd)
        os.close(fd)


@pytest.mark.parametrize(("path", "parent", "name"), [("/a/b", "/a", "b"), ("/a", "/", "a"), ("/", "/", ".")])
def test_a_path_is_parted_at_its_last_slash(path: str, parent: str, name: str) -> None:
    assert (parent_of(path), name_of(path)) == (parent, name)
