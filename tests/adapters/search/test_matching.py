"""Whatever is searched at once, the answer is that of each line by itself."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.search.matching import LineMatcher, PatternRefused, needed_texts
from tests.adapters.searched_trees import regex as random_regex

_TEXTS = st.lists(
    st.sampled_from(["foo", "bar", "o", "é", " ", "\t", "\n", "\n", "\r\n", "x", "1", "λ", "y"]), max_size=25
)


def found(regex: str, data: bytes, *, ignore_case: bool = False) -> list[tuple[int, int, bytes]]:
    return [(line.line, line.column, line.text) for line in LineMatcher(regex, ignore_case=ignore_case).lines(data)]


@given(st.integers(0, 2**40), _TEXTS.map("".join))
def test_the_lines_found_are_those_that_match_by_themselves(seed: int, text: str) -> None:
    regex = random_regex(Random(seed))
    lines = text.split("\n")
    expected = []
    for number, line in enumerate(lines if lines[-1] else lines[:-1], start=1):
        shown = line.removesuffix("\r")
        match = re.search(regex, shown)
        if match:
            expected.append((number, len(shown[: match.start()].encode()) + 1, shown.encode()))
    assert found(regex, text.encode()) == expected


@given(st.integers(0, 2**40), _TEXTS.map("".join))
def test_what_is_needed_is_in_every_match(seed: int, text: str) -> None:
    regex = random_regex(Random(seed))
    match = re.search(regex, text)
    assert match is None or all(needed in match[0] for needed in needed_texts(regex))


@pytest.mark.parametrize(
    ("regex", "data", "lines"),
    [
        ("^one$", b"one\r\ntwo\r\n", [1]),
        ("^$", b"a\n\r\n\nb", [2, 3]),
        ("^$", b"", []),
        ("", b"a\n\nb\n", [1, 2, 3]),
        ("[^a]", b"a\na\nb\na\n", [3]),
        (r"a\s", b"a\nb\na b", [3]),
        (r"(?s)a.b", b"a\nb\n", []),
        (r"a(?!\s)", b"a\nb\n", [1]),
        (r"a(?=\n)", None, []),
        (r"\Aa", b"a\na\n", [1, 2]),
        (r"a\Z", b"a\na\nab\n", [1, 2]),
        (r"(?>[^b]*)$", b"a\nb\n", [1, 2]),
        (r"(?<!x)b", b"x\nb\nxb", [2]),
        ("^c", b"b\rc\n", [1]),
        ("b.c", b"b\rc\n", []),
        ("a.b", b"a\xe9b\n", []),
        ("a$", b"a\xe9\na\n", [2]),
        (r"a\b", b"a\xe9b\n", [1]),
        ("é", "É\né\n".encode(), [2]),
        (r"^\s*$", b"a\n" + b"\n" * 100 + b"b", list(range(2, 102))),
        (r"[^x]+y", b"a\n" * 200 + b"y\n", []),
    ],
)
def test_lines(regex: str, data: bytes | None, lines: list[int]) -> None:
    if data is None:
        with pytest.raises(PatternRefused, match="not allowed"):
            LineMatcher(regex, ignore_case=False)
    else:
        assert [line for line, _, _ in found(regex, data)] == lines


@pytest.mark.parametrize(
    "regex", ["foo(", "*a", "[a", r"a\nb", "a\nb", r"\r", r"\x0a", r"(?P<a>x)(?P<a>y)", "a{99999999999999}"]
)
def test_what_cannot_be_searched_for_is_refused_in_one_reason(regex: str) -> None:
    with pytest.raises(PatternRefused) as refused:
        LineMatcher(regex, ignore_case=False)
    assert str(refused.value)


def test_a_line_break_in_a_class_or_a_verbose_expression_is_no_reason_to_refuse() -> None:
    assert found(r"[^\n]b", b"ab\n") == [(1, 1, b"ab")]
    assert found("(?x) a\n b", b"ab\n") == [(1, 1, b"ab")]
    assert found(r"\\n", b"a\\n\n") == [(1, 2, b"a\\n")]


def test_case_is_ignored_for_all_letters() -> None:
    assert [line for line, _, _ in found("é", "É\né\n".encode(), ignore_case=True)] == [1, 2]


def test_texts_that_every_match_holds() -> None:
    assert needed_texts(r"class \w+Error\(") == ["class ", "Error("]
    assert needed_texts("a+bc?") == ["a", "b"]
    assert needed_texts("foo|bar") == needed_texts("(a)") == needed_texts(r"\x41") == []
