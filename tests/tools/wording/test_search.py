"""What is said beside what was found."""

from __future__ import annotations

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.search_answers import Fitted
from mmtools.ports.search import Ended, Found, Match, RegexDialect, Unreadable
from mmtools.tools.wording import search as wording
from mmtools.tools.wording.search import SearchTerms

TERMS = SearchTerms(tool="Find", pattern="what", path="in", hidden="all=yes", glob="only", offset="after")


@pytest.mark.parametrize("dialect", list(RegexDialect))
def test_every_dialect_has_words(dialect: RegexDialect) -> None:
    assert wording.dialect(dialect).startswith(dialect.value.capitalize())


@pytest.mark.parametrize(
    ("what", "found", "ended", "said"),
    [
        ("match", ["a"], Ended.ALL, "; 1 match in ignored or hidden files, e.g. a: send all=yes"),
        ("match", ["a", "a"], Ended.ALL, "; 2 matches in ignored or hidden files, e.g. a: send all=yes"),
        ("file", ["a"], Ended.LIMIT, "; at least 1 file in ignored or hidden files, e.g. a: send all=yes"),
        ("file", ["a: b"], Ended.ALL, '; 1 file in ignored or hidden files, e.g. "a: b": send all=yes'),
        ("file", [], Ended.ALL, "; nor in ignored or hidden files"),
    ],
)
def test_what_was_passed_over(what: str, found: list[str], ended: Ended, said: str) -> None:
    assert wording.passed_over(what, found, ended, TERMS) == said


def test_what_nobody_had_time_to_look_at_is_not_called_empty() -> None:
    assert "no time" in wording.passed_over("file", [], Ended.TIME, TERMS)


@pytest.mark.parametrize(
    ("path", "glob", "said"),
    [
        ("src", "src/*.py", " (globs are held against paths below src: send `*.py`)"),
        ("./src/", "./src/**/*.py", " (globs are held against paths below src: send `**/*.py`)"),
        ("src", "*.py", ""),
        ("src", "srcs/*.py", ""),
        ("", "src/*.py", ""),
        (".", "./a", ""),
    ],
)
def test_a_glob_that_repeats_the_path(path: str, glob: str, said: str) -> None:
    assert wording.repeated_base(path, glob) == said


def test_no_files_to_search() -> None:
    assert wording.no_files("", "") == "; it has no files"
    assert wording.no_files("*.x", "src") == "; no file in it has a path that matches the glob"


def test_nothing_unreadable_or_binary_is_no_note() -> None:
    assert wording.unreadable((), ".") == []
    assert wording.binary((), ".") == []


def test_names_in_notes_are_those_that_can_be_sent_back() -> None:
    assert wording.unreadable([Unreadable("a b", "gone")], "src") == ['[1 path could not be read: "src/a b" (gone)]']
    assert wording.binary(["a", "b"], "src") == [
        "[2 files match but are not text; use a command to look inside: src/a, src/b]"
    ]


def test_what_makes_a_search_smaller_is_named_as_the_contract_has_it() -> None:
    assert wording.narrow(TERMS) == "narrow in, only or what"
    assert wording.narrow(evolve(TERMS, glob="")) == "narrow in or what"
    found = Found(matches=(Match(path="a", line=1, text="x"),), ended=Ended.LIMIT)
    cut = wording.matches_cut(found, Fitted(("a:1:x",)), 4, TERMS)
    assert cut == ["[… match 5 shown, there are more; continue with after=5, or narrow in, only or what]"]


@given(st.text())
def test_what_was_sent_is_repeated_on_one_line_and_not_at_length(text: str) -> None:
    said = wording.quoted(text)
    assert said.isprintable()
    assert len(said) <= 10 * 201 + 2
    if text.isprintable() and len(text) <= 200:
        assert said == f"`{text}`"
