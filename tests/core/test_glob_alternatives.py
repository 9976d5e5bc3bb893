"""Braces written out; what the tokens mean is told by the tests of `globs`."""

from __future__ import annotations

import pytest

from mmtools.core.glob_alternatives import GlobError, read_alternatives


@pytest.mark.parametrize(
    ("pattern", "alternatives", "slashed"),
    [
        ("", [""], False),
        ("a*", ["a*"], False),
        ("a/{b,c}", ["a/b", "a/c"], True),
        ("{a,{b,}c}d", ["ad", "bcd", "cd"], False),
        ("{a,b}{c,d}", ["ac", "ad", "bc", "bd"], False),
        ("{a/,}b", ["a/b", "b"], True),
        ("{a}", [r"\{a\}"], False),
        ("[{]a,b", [r"(?!/)[\{-\{]a,b"], False),
    ],
)
def test_braces_are_written_out(pattern: str, alternatives: list[str], slashed: bool) -> None:
    found, has_slash = read_alternatives(pattern)
    assert ["".join(tokens) for tokens in found] == alternatives
    assert has_slash is slashed


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("{a,b}" * 9, "more than 256 patterns"),
        ("{" * 40, "nested more than 32 deep"),
        ("{" + ",".join(["a" * 100] * 250) + "}", "more than 20000 characters"),
        ("{1..3}", "not counted out"),
        ("{a", "not closed"),
        ("[a", "not closed"),
        (r"\{a}", "has no"),
        ("a\\", "nothing follows"),
    ],
)
def test_what_cannot_be_read_is_refused(pattern: str, words: str) -> None:
    with pytest.raises(GlobError, match=words):
        read_alternatives(pattern)
