"""Of git's subcommands: looking is harmless, and what writes or starts something is not."""

from __future__ import annotations

import pytest

from mmtools.policies.subjects import Command


@pytest.mark.parametrize(
    ("line", "harmless"),
    [
        ("git log --oneline -5", True),
        ("git log -n 3 --author me -- src", True),
        ("git log --output=x", False),
        ("git log --outp=x", False),
        ("git diff --cached src", True),
        ("git diff --ext-diff", False),
        ("git -c core.pager=./e log", False),
        ("git grep -n word", True),
        ("git grep -O./e word", False),
        ("git branch -a", True),
        ("git branch -D main", False),
        ("git show HEAD:a.py", True),
    ],
)
def test_what_a_wildcard_behind_git_stands_for(line: str, harmless: bool) -> None:
    assert Command(line).surely("git *") is harmless
