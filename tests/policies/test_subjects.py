"""What a pattern is held against: sure for an allowance, possible for a denial."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.call import CommandPreview, FileChange, FilesPreview, ReadPreview, RemotePreview, UrlPreview
from mmtools.policies import subjects
from mmtools.policies.addresses import Address
from mmtools.policies.subjects import Command, Files, Remote
from mmtools.testing.permissions import request_for
from mmtools.testing.strategies import command_lines


def files(*paths: str, root: str | None = "/repo") -> Files:
    return Files(frozenset(paths), frozenset(), root)


@pytest.mark.parametrize(
    ("line", "pattern", "surely", "maybe"),
    [
        ("git status", "git status", True, True),
        ("git  'status'", "git status", True, True),
        ("git status && rm -rf d", "git status", False, True),
        ("git status && rm -rf d", "rm *", False, True),
        ("echo 'a && rm b'", "rm *", False, False),
        ("git log > p", "git log*", False, True),
        ("git -c core.pager=x log", "git *", False, True),
        ("make test", "rm *", False, False),
    ],
)
def test_a_command_is_covered_surely_or_maybe(line: str, pattern: str, *, surely: bool, maybe: bool) -> None:
    assert Command(line).surely(pattern) is surely
    assert Command(line).maybe(pattern) is maybe


@given(command_lines(), st.sampled_from(["*", "rm *", "git status", "ls*"]))
def test_what_is_sure_is_possible(line: str, pattern: str) -> None:
    command = Command(line)
    assert command.maybe(pattern) or not command.surely(pattern)


@pytest.mark.parametrize(
    ("pattern", "surely", "maybe"),
    [
        ("src/*", False, True),
        ("*", True, True),
        ("/repo/*", True, True),
        ("./src", False, True),
        ("docs/*", False, True),
        ("lib/*", False, False),
    ],
)
def test_an_allowance_covers_all_files_and_a_denial_any(pattern: str, *, surely: bool, maybe: bool) -> None:
    both = files("/repo/src/a.py", "/repo/docs/b.md")
    assert both.surely(pattern) is surely
    assert both.maybe(pattern) is maybe


@pytest.mark.parametrize(
    ("pattern", "path", "maybe"),
    [
        (".git", "/repo/.git/config", True),
        (".git", "/repo/sub/.git/config", True),
        (".git/", "/repo/sub/.git/hooks/x", True),
        (".git", "/repo/.gitignore", False),
        (".env", "/repo/a/b/.env", True),
        (".env", "/elsewhere/.env", True),
        ("*.pem", "/repo/a/key.pem", True),
        ("*.pem", "/repo/a.pem/x", True),
        ("secret?", "/repo/a/secret1", True),
        ("repo", "/repo/a", False),
        ("a/.env", "/repo/b/a/.env", False),
        ("./.env", "/repo/b/.env", False),
    ],
)
def test_a_pattern_without_a_slash_denies_that_name_at_any_depth(pattern: str, path: str, *, maybe: bool) -> None:
    assert files(path).maybe(pattern) is maybe


def test_an_allowance_without_a_slash_is_for_the_root_alone() -> None:
    assert files("/repo/src/a.py").surely("src")
    assert not files("/repo/lib/src/a.py").surely("src")


def test_without_a_root_a_relative_pattern_allows_nothing_and_denies_at_any_depth() -> None:
    unknown = files("/repo/src/a.py", root=None)
    assert not unknown.surely("src/*")
    assert unknown.maybe("src/*")


def test_no_files_are_not_surely_covered() -> None:
    assert not files().surely("*")


def test_a_request_is_about_its_preview() -> None:
    change = FileChange(path="/repo/a", shown="b", before=None, after=b"")
    assert subjects.of(request_for(CommandPreview("ls", "/")), None) == Command("ls")
    assert subjects.of(request_for(FilesPreview((change,))), "/repo") == Files(
        frozenset({"/repo/a"}), frozenset({"/repo/b"}), "/repo"
    )
    assert subjects.of(request_for(ReadPreview("/etc/x")), None) == Files(frozenset({"/etc/x"}), frozenset(), None)
    assert subjects.of(request_for(UrlPreview("https://a.org/")), None) == Address("https://a.org/")
    assert subjects.of(request_for(RemotePreview("files", "read", {"path": "a"})), None) == Remote()


@pytest.mark.parametrize("pattern", ["*", "", "path", "{'path': 'a'}"])
def test_no_pattern_allows_a_call_of_another_program_and_any_denies_it(pattern: str) -> None:
    assert not Remote().surely(pattern)
    assert Remote().maybe(pattern)
