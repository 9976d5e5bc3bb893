"""Lines of an answer: every path can be read back, nothing is lost, the order stays."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core import search_answers

names = st.text(
    st.sampled_from("ab.:-[]\" '\\\n\t~,é\u00a0\u202e\udcff…") | st.characters(exclude_characters="/\0"),
    min_size=1,
    max_size=8,
)
relative = st.lists(names, min_size=1, max_size=3).map("/".join)
bases = st.sampled_from([".", "src", "a b", "/", "/elsewhere", "[x]", "~"]) | relative
texts = st.text(st.characters(exclude_characters="\n"), max_size=40)


def read_back(line: str) -> tuple[str, int, str]:
    """Read a line of grep's answer as whoever gets it would."""
    if line.startswith('"'):
        path, end = json.JSONDecoder().raw_decode(line)
        rest = line[end:]
    else:
        path, _, rest = line.partition(":")
        rest = f":{rest}"
    match = re.fullmatch(r":(\d+):(.*)", rest, re.DOTALL)
    assert match is not None, line
    return path, int(match[1]), match[2]


def is_note(line: str) -> bool:
    return line.startswith("[") and not re.match(r"[^:]*:\d+:", line)


@given(relative, st.integers(1, 10**9), texts)
def test_a_line_of_grep_can_be_read_back(path: str, line: int, text: str) -> None:
    shown = search_answers.match_line(path, line, text)
    assert read_back(shown) == (path, line, text)
    assert not is_note(shown)


@given(relative)
def test_a_line_of_glob_can_be_read_back(path: str) -> None:
    shown = search_answers.quoted(path)
    assert "\n" not in shown
    assert shown.isprintable()
    assert not (shown.startswith("[") and shown.endswith("]")), "it reads like a note"
    assert (json.loads(shown) if shown.startswith('"') else shown) == path


@given(st.lists(relative, min_size=1), st.integers(1, 5))
def test_a_list_of_paths_names_the_first_and_counts_the_others(paths: list[str], most: int) -> None:
    shown = search_answers.listed(paths, most=most)
    decoder, at = json.JSONDecoder(), 0
    found: list[str] = []
    while len(found) < min(most, len(paths)):
        if shown[at] == '"':
            path, at = decoder.raw_decode(shown, at)
        else:
            match = re.compile(r"[^, ]+").match(shown, at)
            assert match is not None
            path, at = match[0], match.end()
        found.append(path)
        at += 2 if shown.startswith(", ", at) else 0
    assert found == paths[:most]
    assert shown[at:] == (f" and {len(paths) - most} more" if len(paths) > most else "")


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("src/a.py", "src/a.py"),
        ("app/[id]/page.tsx", "app/[id]/page.tsx"),
        ("[id]/page.tsx", "[id]/page.tsx"),
        ("n/deep research.md", "n/deep research.md"),
        ("n/{rule} x.md", "n/{rule} x.md"),
        ("日本.txt", "日本.txt"),
        ("a\\b", "a\\b"),
        ("c:d", "c:d"),
        ("[id]", '"[id]"'),
        (" a", '" a"'),
        ("a ", '"a "'),
        ('"a"', '"\\"a\\""'),
        ("a\nb", '"a\\nb"'),
        ("a\x1b[8m", '"a\\u001b[8m"'),
        ("in\u00a0put", '"in\\u00a0put"'),
        ("\udcff", '"\\udcff"'),
        ("\U000e0001", '"\\udb40\\udc01"'),
    ],
)
def test_odd_paths_are_json(path: str, shown: str) -> None:
    assert search_answers.quoted(path) == shown


@given(bases, relative | st.just(""))
def test_a_found_path_stays_below_its_base(base: str, path: str) -> None:
    whole = search_answers.joined(base, path)
    assert not whole.startswith("~/"), "that would be the home"
    assert whole.startswith("/") == base.startswith("/")
    stripped = whole.removeprefix("./") if base != "." or path.startswith("~/") else whole
    expected = base if not path else path if base == "." else f"{base.rstrip('/')}/{path}"
    assert stripped in (expected, expected.removeprefix("./"))


@pytest.mark.parametrize(
    ("base", "path", "whole"),
    [
        (".", "a.py", "a.py"),
        (".", "", "."),
        ("src", "a.py", "src/a.py"),
        ("src/a.py", "", "src/a.py"),
        ("/", "etc/hosts", "/etc/hosts"),
        ("/etc", "hosts", "/etc/hosts"),
        (".", "~/a", "./~/a"),
        ("~", "a", "./~/a"),
        ("~", "", "~"),
    ],
)
def test_paths_are_joined_as_tools_take_them(base: str, path: str, whole: str) -> None:
    assert search_answers.joined(base, path) == whole


@given(st.lists(texts, min_size=1), st.integers(0, 200))
def test_as_many_lines_as_fit_are_taken_in_order(lines: list[str], max_chars: int) -> None:
    fitted = search_answers.fit(lines, max_chars)
    count = len(fitted.lines)
    assert count >= 1
    if fitted.cut:
        assert count == 1
        assert fitted.lines[0] == lines[0][:max_chars]
        assert len(fitted.lines[0]) + fitted.cut == len(lines[0]) > max_chars
        return
    assert fitted.lines == tuple(lines[:count])
    assert len("\n".join(fitted.lines)) <= max_chars
    if count < len(lines):
        assert len("\n".join(lines[: count + 1])) > max_chars


def test_no_lines_fit_anywhere() -> None:
    assert search_answers.fit([], 0).lines == ()


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        (0, 0, "a.js:3:text"),
        (1, 0, "a.js:3:[… 1 byte]text"),
        (0, 2_000, "a.js:3:text[2,000 bytes …]"),
        (12, 34, "a.js:3:[… 12 bytes]text[34 bytes …]"),
    ],
)
def test_what_a_long_line_leaves_out_is_counted(before: int, after: int, shown: str) -> None:
    assert search_answers.match_line("a.js", 3, "text", before=before, after=after) == shown
