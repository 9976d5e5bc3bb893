"""Where repositories begin, and where git says that their rules are."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from mmtools.adapters.search.repositories import exclude_file, in_repository, is_top

pytestmark = pytest.mark.needs("git")


def git(directory: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    environment = {"PATH": os.environ["PATH"], "HOME": "/"}
    return subprocess.check_output(["git", *identity, *arguments], cwd=directory, text=True, env=environment).strip()


def test_a_repository_reaches_down_from_its_top(tmp_path: Path) -> None:
    (tmp_path / "top" / "a" / "b").mkdir(parents=True)
    (tmp_path / "link").symlink_to("top/a/b")
    assert not in_repository(str(tmp_path / "top" / "a"))
    (tmp_path / "top" / ".git").mkdir()
    for path, inside in [
        ("top", True),
        ("top/a/b", True),
        ("top/.git", True),
        ("link", True),
        ("top/none", True),
        (".", False),
    ]:
        assert in_repository(str(tmp_path / path)) is inside
    assert is_top(os.fsencode(tmp_path / "top"))
    assert not is_top(os.fsencode(tmp_path / "top" / "a"))
    assert not in_repository("/")


@pytest.mark.parametrize("kind", ["file", "link", "pipe", "broken"])
def test_whatever_is_called_so_makes_a_repository_but_a_broken_link(tmp_path: Path, kind: str) -> None:
    match kind:
        case "file":
            (tmp_path / ".git").touch()
        case "link":
            (tmp_path / ".git").symlink_to("/")
        case "pipe":
            os.mkfifo(tmp_path / ".git")
        case _:
            (tmp_path / ".git").symlink_to("none")
    assert is_top(os.fsencode(tmp_path)) is in_repository(str(tmp_path)) is (kind != "broken")


def test_a_worktree_has_the_rules_of_its_repository(tmp_path: Path) -> None:
    main, tree = tmp_path / "main", tmp_path / "tree"
    main.mkdir()
    git(main, "init", "-q")
    git(main, "commit", "-q", "--allow-empty", "-m", "x")
    git(main, "worktree", "add", "-q", str(tree))
    for directory in (main, tree):
        there = exclude_file(os.fsencode(directory))
        assert there is not None
        said = directory / git(directory, "rev-parse", "--git-path", "info/exclude")
        assert os.path.realpath(os.fsdecode(there)) == os.path.realpath(said)


@pytest.mark.parametrize(
    ("line", "common", "expected"),
    [
        (b"gitdir: {}/real\n", b"../x\n", b"{}/real/../x/info/exclude"),
        (b"gitdir: {}/real\r\nmore", b".\r\n", b"{}/real/./info/exclude"),
        (b"gitdir: {}/real", b"/y", b"/y/info/exclude"),
        (b"gitdir: {}/real\n", b"y\n", b"y/info/exclude"),
        (b"gitdir: {}/real\n", None, None),
        (b"gitdir: {}/real\n", b"", None),
        (b"gitdir: {}/real\n", b"\xff", None),
        (b"gitdir: {}/none\n", b"..", None),
        (b"gitdir: \0\n", b"..", None),
        (b"gitdir:{}/real\n", b"..", None),
        (b"gitdir: \xff\n", b"..", None),
        (b"", b"..", None),
    ],
)
def test_what_a_file_says(tmp_path: Path, line: bytes, common: bytes | None, expected: bytes | None) -> None:
    here = os.fsencode(tmp_path)
    (tmp_path / ".git").write_bytes(line.replace(b"{}", here))
    (tmp_path / "real").mkdir()
    if common is not None:
        (tmp_path / "real" / "commondir").write_bytes(common)
    assert exclude_file(here) == (expected and expected.replace(b"{}", here))
