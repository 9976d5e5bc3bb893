"""Which files there are, in which order."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mmtools.adapters.search.walking import Walk


def lay(root: Path, **files: str) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def walked(root: Path, monkeypatch: pytest.MonkeyPatch, *, hidden: bool = False, ignored: bool = False) -> list[str]:
    monkeypatch.chdir(root)
    problems: list[bytes] = []
    walk = Walk(hidden=hidden, ignored=ignored, complain=lambda path, problem: problems.append(path))
    paths = [os.fsdecode(path) for path in walk.files()]
    assert problems == []
    return paths


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"a/z": "", "a.b": "", "a-b": ""}, ["a/z", "a-b", "a.b"]),
        ({".gitignore": "a", ".ignore": "!a", "a": ""}, ["a"]),
        ({".gitignore": "!a", ".ignore": "a", "a": ""}, []),
        ({".rgignore": "!a", ".ignore": "a", "a": ""}, ["a"]),
        ({".git/info/exclude": "a", "a": "", "b": ""}, ["b"]),
        ({".gitignore": "!a", ".git/info/exclude": "a", "a": ""}, ["a"]),
        ({".gitignore": "a", "s/.gitignore": "!a", "s/t/a": ""}, ["s/t/a"]),
        ({".ignore": "a", "s/.gitignore": "!a", "s/a": ""}, []),
        ({".gitignore": "!.h\n!.git", ".h": "", ".i": "", ".git/x": ""}, [".h"]),
        ({".gitignore": "s/*\n!s/a", "s/a/x": "", "s/b": ""}, ["s/a/x"]),
        ({"s/.gitignore": "/s", "s/s": "", "s/t/s": ""}, ["s/t/s"]),
    ],
)
def test_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], expected: list[str]) -> None:
    lay(tmp_path, **files)
    assert walked(tmp_path, monkeypatch) == expected


def test_rules_above_count_but_not_for_the_searched_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path, **{".gitignore": "/s\n/s/x/b\nc\n", "s/x/a": "", "s/x/b": "", "s/x/c": ""})
    assert walked(tmp_path / "s", monkeypatch) == ["x/a"]
    assert walked(tmp_path / "s" / "x", monkeypatch) == ["a"]
    assert walked(tmp_path, monkeypatch) == []


@pytest.mark.parametrize("git", ["directory", "file", "pipe"])
def test_in_a_repository_rules_end_at_its_top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, git: str) -> None:
    lay(
        tmp_path,
        **{
            ".gitignore": "*",
            ".ignore": "i",
            "r/.gitignore": "a",
            "r/a": "",
            "r/b": "",
            "r/i": "",
            "r/s/b": "",
            "r/s/a": "",
        },
    )
    lay(tmp_path, **{"r/n/.git/info/exclude": "c", "r/n/a": "", "r/n/c": "", "r/n/i": "", "r/n/s/a": "", "d/a": ""})
    match git:
        case "directory":
            lay(tmp_path, **{"r/.git/info/exclude": "b"})
        case "file":
            lay(tmp_path, **{"r/.git": f"gitdir: {tmp_path}/g/w\n", "g/w/commondir": "..\n", "g/info/exclude": "b"})
        case _:
            os.mkfifo(tmp_path / "r" / ".git")
    more = ["b", "s/b"] if git == "pipe" else []
    assert walked(tmp_path / "r", monkeypatch) == sorted([*more, "n/a", "n/s/a"])
    assert walked(tmp_path / "r" / "s", monkeypatch) == (["b"] if more else [])
    assert walked(tmp_path / "r" / "n", monkeypatch) == ["a", "s/a"]
    assert walked(tmp_path / "r" / "n" / "s", monkeypatch) == ["a"]
    assert walked(tmp_path / "d", monkeypatch) == walked(tmp_path, monkeypatch) == []
    (tmp_path / ".gitignore").write_text("a")
    below = walked(tmp_path, monkeypatch)
    assert [path for path in below if path.endswith("/a")] == []
    assert "r/b" in below or git == "directory"


def test_only_a_directory_of_that_name_is_passed_by(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path, **{"a/.git/x": "", "b/.git": "gitdir: x", "b/c": ""})
    assert walked(tmp_path, monkeypatch, hidden=True) == ["b/.git", "b/c"]


def test_links_pipes_and_loops_are_passed_by(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path, **{"a/x": "", "real": "x"})
    (tmp_path / "a" / "loop").symlink_to("..")
    (tmp_path / "l").symlink_to("a/x")
    os.mkfifo(tmp_path / "pipe")
    os.mkfifo(tmp_path / "a" / ".gitignore")
    assert walked(tmp_path, monkeypatch) == ["a/x", "real"]


def test_hidden_and_ignored_files_by_wish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path, **{".ignore": "a", "a": "", ".h": "", ".d/x": "", ".git/y": ""})
    assert walked(tmp_path, monkeypatch) == []
    assert walked(tmp_path, monkeypatch, hidden=True) == [".d/x", ".h", ".ignore"]
    assert walked(tmp_path, monkeypatch, ignored=True) == ["a"]


def test_what_cannot_be_read_is_told_and_what_cannot_be_wanted_is_not_entered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(tmp_path, **{"a/x": "", "b/x": ""})
    monkeypatch.chdir(tmp_path)
    told: list[bytes] = []
    walk = Walk(
        hidden=False,
        ignored=True,
        complain=lambda path, problem: told.append(path),
        within=lambda path: path == b"b",
    )
    assert list(walk.files()) == [b"b/x"]
    files = Walk(hidden=False, ignored=True, complain=lambda path, problem: told.append(path)).files()
    assert next(files) == b"a/x"
    os.unlink("b/x")
    os.rmdir("b")
    assert list(files) == []
    assert told == [b"b"]
