"""Identifiers, against Python's own idea of them; and what some languages add."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.lsp.languages import language
from mmtools.core.lsp.names import NameFlaw, Names

PLAIN = Names()
LETTERS = st.text(st.sampled_from("abZ_1é漢 .-$'@!?\u0301\U0001f600"), max_size=8)


@given(LETTERS | st.text(max_size=6))
def test_without_additions_a_name_is_what_python_takes_for_one(text: str) -> None:
    assert PLAIN.accepts(text) == text.isidentifier()


@pytest.mark.parametrize(
    ("path", "good", "bad"),
    [
        ("a.go", ["Greet", "größe", "_", "x1"], ["1x", "a-b", "$x", "a b", "", "x?", "x'", "a.b", "@x"]),
        ("a.ts", ["$", "$x", "x$y", "_x"], ["#x", "a-b", "1$", "x!"]),
        ("a.rb", ["@x", "@@x", "$x", "valid?", "save!"], ["x$", "?", "a?b", "@", "@@@x", "x??"]),
        ("a.ex", ["@attr", "ok?"], ["@@x"]),
        ("a.rs", ["r#type", "'a", "x"], ["r#", "a'", "x?"]),
        ("a.cs", ["@class"], ["cl@ss"]),
        ("a.hs", ["x'", "go''", "a'b"], ["'x", "x-y"]),
        ("a.css", ["main-color", "--main"], ["1-a", "-"]),
        ("a.clj", ["swap!", "empty?", "->x", "a-b"], ["1", "!?"]),
        ("a.unknown", ["$x", "x"], ["a-b"]),
        ("a.py", ["नमस्ते", "e\u0301"], ["\u0301e", "²", "\U0001f600"]),
    ],
)
def test_languages_add_signs(path: str, good: list[str], bad: list[str]) -> None:
    names = language(path).names
    assert [name for name in good if not names.accepts(name)] == []
    assert [name for name in bad if names.accepts(name)] == []


@pytest.mark.parametrize(
    ("path", "new_name", "found"),
    [
        ("a.py", "", NameFlaw.NOT_A_NAME),
        ("a.py", "1 bad", NameFlaw.NOT_A_NAME),
        ("a.py", "class", NameFlaw.RESERVED),
        ("a.py", "old", NameFlaw.UNCHANGED),
        ("a.py", "match", None),
        ("a.ts", "delete", None),
        ("a.c", "class", None),
        ("a.cpp", "class", NameFlaw.RESERVED),
        ("a.rs", "r#type", None),
        ("a.cs", "@class", None),
        ("a.go", "hello", None),
    ],
)
def test_a_new_name_is_refused_for_a_reason(path: str, new_name: str, found: NameFlaw | None) -> None:
    assert language(path).names.flaw(new_name, "old") is found


WORDS = st.text(st.sampled_from("ab1 .$"), max_size=12)


@given(WORDS, WORDS)
def test_a_name_is_whole_where_a_pattern_finds_it(text: str, name: str) -> None:
    names = Names(within="$", first="$")
    if not names.accepts(name):
        return
    pattern = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    assert list(names.places(text, name)) == [found.start() for found in re.finditer(pattern, text)]


@given(WORDS)
def test_runs_are_the_identifiers_that_a_pattern_finds(text: str) -> None:
    expected = [word for word in re.findall(r"[\w$]+", text) if not word[0].isdigit()]
    assert list(Names(within="$", first="$").runs(text)) == expected


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("a.go", "`Greet', ", ["Greet"]),
        ("a.rb", "@@x.valid? :sym", ["@@x", "valid?", "sym"]),
        ("a.rs", "crate::r#type 'a", ["crate", "r#type", "'a"]),
        ("a.rs", "'Greet' attr#type", ["Greet", "attr", "type"]),
        ("a.hs", "'x'' y'", ["x", "y'"]),
        ("a.css", "var(--main)", ["var", "--main"]),
        ("a.nix", "-a-b-", ["a-b"]),
        ("a.ts", "12 0x1F $1", ["$1"]),
    ],
)
def test_runs_keep_what_belongs_to_a_name(path: str, text: str, found: list[str]) -> None:
    assert list(language(path).names.runs(text)) == found


def test_a_predicate_is_no_part_of_its_stem_in_ruby() -> None:
    names = language("a.rb").names
    assert not list(names.places("valid?", "valid"))
    assert list(names.places("x.valid?(1)", "valid?")) == [2]
    assert list(names.places("@name", "name")) == [1]
    assert list(names.places("@name", "@name")) == [0]


@pytest.mark.parametrize(
    ("path", "text", "offset", "name"),
    [
        ("a.py", "foo bar", 0, "foo"),
        ("a.py", "foo bar", 2, "foo"),
        ("a.py", "foo bar", 3, "foo"),
        ("a.py", "foo bar", 4, "bar"),
        ("a.py", "foo bar", 7, "bar"),
        ("a.py", "a + b", 2, ""),
        ("a.py", "12", 1, ""),
        ("a.py", "", 0, ""),
        ("a.py", "größe", 3, "größe"),
        ("a.ts", "$el.x", 1, "$el"),
        ("a.rb", "@name.empty?", 2, "@name"),
        ("a.rb", "@name.empty?", 8, "empty?"),
        ("a.rs", "r#type", 4, "r#type"),
    ],
)
def test_the_name_at_a_place_is_the_one_it_is_in_or_behind(path: str, text: str, offset: int, name: str) -> None:
    assert language(path).names.at(text, offset) == name
