"""One ignore file: the last rule about a path counts, read as ripgrep reads it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.search.ignore_rules import PathspecMissing, parse_rules


def said(rules: bytes, path: str, *, is_directory: bool = False) -> bool | None:
    raw = path.encode()
    return parse_rules(rules).excludes(raw, raw.rpartition(b"/")[2], is_directory=is_directory)


@pytest.mark.parametrize(
    ("rules", "path", "expected"),
    [
        (b"a", "a", True),
        (b"a", "x/a", True),
        (b"/a", "x/a", None),
        (b"a/b", "x/a/b", None),
        (b"a/b", "a/b", True),
        (b"*.py", "x/m.py", True),
        (b"*.py\n!m.py", "x/m.py", False),
        (b"!m.py\n*.py", "x/m.py", True),
        (b"a/", "a", None),
        (b"a  ", "a", True),
        (b"a\\ ", "a ", True),
        (b"a\r\nb\r\n", "b", True),
        (b"\xef\xbb\xbfa", "a", True),
        (b"#a\n\\#b", "#b", True),
        (b"\\!b", "!b", True),
        (b"{a,b}.c", "b.c", True),
        (b"{a,{b,c}}x", "cx", True),
        (b"a{,b}", "ab", True),
        (b"a{,b}", "a", None),
        (b"a{,}", "a", True),
        (b"a[/]b", "a/b", True),
        (b"[!a]x", "ax", None),
        (b"[]a]x", "]x", True),
        (b"[ab", "[ab", True),
        (b"[z-a]\nq", "q", True),
        (b"[a-c-e]x", "dx", True),
        (b"{a,b\nq", "{a,b", None),
        (b"a}\nq", "a}", None),
        (b"a\\", "a", None),
        (b"**/a", "x/y/a", True),
        (b"a/**", "a", None),
        (b"a/**", "a/x/y", True),
        (b"a/**/b", "a/b", True),
        (b"**", "x", True),
        (b"!", "x/y", None),
        (b"*.log\n!\n", "x.log", True),
        (b"/", "x", None),
        (b"n*l", "n\nl", True),
        (b"n", "n\n", None),
        (b"?a", "éa", None),
        (b"??a", "éa", True),
        ("{à,b}".encode(), "à", True),
        (b"\xff\na", "a", None),
        (b"a\n\xff", "a", True),
    ],
)
def test_what_a_rule_says(rules: bytes, path: str, expected: bool | None) -> None:
    assert said(rules, path) is expected


def test_a_slash_at_the_end_means_a_directory() -> None:
    assert said(b"a/", "a", is_directory=True) is True
    assert said(b"*/", "x/a", is_directory=True) is True
    assert said(b"**/", "a") is None


#: Lines that look like rules and are few characters away from none.
ODD_LINES = [
    "!", "!!", "/", "//", "!/", "!//", "\\", "!\\", "\\/", " ", "! ", "#", "\\#", "\\!", "!#", "*", "**", "!*", "!**", "a ", "a\\ ", "/a",
    "a/", "!a", "./a", "!!a", "\\a", "a\\", "/*", "/**", "*/", "**/", "!*/", "\\ ", "  a", "!/a", "\\!a", "\\#a",
]  # fmt: skip
ODD_NAMES = ["a", "b", "!", "#", "!a", "#a", "x.log", "a ", "\\", "  a"]


@pytest.mark.needs("git")
def test_odd_lines_mean_what_they_mean_to_git(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    for number, line in enumerate(ODD_LINES):
        (tmp_path / f"{number}").mkdir()
        (tmp_path / f"{number}/.gitignore").write_text(f"b\n{line}\n")
    asked = [(number, name) for number in range(len(ODD_LINES)) for name in ODD_NAMES]
    command = ["git", "-C", str(tmp_path), "check-ignore", "--no-index", "--stdin", "-z", "-v", "-n"]
    given = "\0".join(f"{number}/{name}" for number, name in asked)
    answers = iter(subprocess.run(command, check=False, input=given, capture_output=True, text=True).stdout.split("\0"))
    for (number, name), (source, _, pattern, _) in zip(asked, zip(*[answers] * 4, strict=False), strict=True):
        expected = not pattern.startswith("!") if source else None
        assert said(f"b\n{ODD_LINES[number]}\n".encode(), name) is expected, (ODD_LINES[number], name)


@given(st.binary(max_size=60), st.text("ab/.*[", min_size=1, max_size=8))
def test_any_bytes_are_rules_or_none(rules: bytes, path: str) -> None:
    assert said(rules, path) in (True, False, None)


def test_so_many_braces_are_no_rule() -> None:
    assert said(b"{a,b}" * 30, "ab" * 15) is None


def test_without_pathspec_a_plain_rule_works_and_another_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pathspec.patterns.gitignore.spec", None)
    assert said(b"build/\n*.pyc\n/docs/api\n", "x/m.pyc") is True
    with pytest.raises(PathspecMissing):
        parse_rules(b"a*b")
