"""The catalogue's lines, and what a name means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core import skills


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\ndescription: Use when: x\n---\n# Title\n", "Use when: x"),
        ("---\ndescription: >\n  Two\n  lines.\n---\n", "Two lines."),
        ("---\ndescription: [a, b]\n---\n", "a, b"),
        ("---\nname: x\n---\n\n## The title ##\ntext\n", "The title"),
        ("---\ndescription:\n---\nFirst line.\nSecond.\n", "First line."),
        ("# C#\n", "C#"),
        ("#hashtag\n", "#hashtag"),
        ("####### seven\n", "seven"),
        ("#\n\n***\n  plain  text \n", "plain text"),
        ("---\n\nAfter a rule\n", "After a rule"),
        ("Title\n=====\n", "Title"),
        ("\ufeff# With a mark\r\n", "With a mark"),
        ("---\nname: unclosed\ndescription: x\n", ""),
        ("", ""),
        ("\n \n", ""),
        ('---\ndescription: "a\\u001b[31m b\\n\\u0007c"\n---\n', "a [31m b c"),
    ],
)
def test_a_description_is_one_line(text: str, expected: str) -> None:
    assert skills.description(text) == expected


@given(st.text(st.characters()))
def test_a_description_is_short_and_has_no_line_break(text: str) -> None:
    for told in (skills.description(text), skills.description(f"---\ndescription: {text}\n---\n")):
        assert len(told) <= skills.MAX_DESCRIPTION
        assert told == " ".join(told.split())


def test_a_long_description_is_cut_with_an_ellipsis() -> None:
    assert skills.description("x" * 240) == "x" * 240
    assert skills.description("x" * 241) == "x" * 239 + "…"
    assert skills.description("x" * 238 + " yy") == "x" * 238 + "…"


def test_a_row_names_the_skill_and_says_what_it_is_for() -> None:
    assert skills.row("deploy", "# How to deploy\n") == "  deploy — How to deploy"
    assert skills.row("deploy", "") == "  deploy"
    assert skills.row("deploy", None) == "  deploy"
    assert skills.row("two\nlines", None) == "  two lines"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("k", "k"),
        ("../../k", "k"),
        ("..\\..\\k", "k"),
        ("/etc/k", "k"),
        ("C:\\x\\k.md", "k.md"),
        ("k/", "k"),
        ("", ""),
        (".", ""),
        ("..", ""),
        ("a/..", ""),
        ("/", ""),
        ("...", "..."),
    ],
)
def test_only_the_base_name_counts(name: str, expected: str) -> None:
    assert skills.base_name(name) == expected


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("deploy", "deploy"),
        ("deploy.md", "deploy"),
        ("DEPLOY", "deploy"),
        ("Deploy.MD", "deploy"),
        (" deploy ", "deploy"),
        ("skills/deploy", "deploy"),
        ("Strasse", "straße"),
        ("notes.md", "notes.md"),
        ("notes", "notes"),
        ("a", "a"),
        ("A", "A"),
        ("b", None),
        ("depl", None),
        ("", None),
        ("..", None),
        ("deploy*", None),
    ],
)
def test_a_name_is_found_exactly_or_when_only_one_can_be_meant(wanted: str, found: str | None) -> None:
    assert skills.find(["A", "B.md", "B", "a", "deploy", "notes", "notes.md", "straße"], wanted) == found


@given(st.lists(st.text(st.sampled_from("aA.md/\\ "), max_size=6)), st.text(st.sampled_from("aA.md/\\ "), max_size=9))
def test_what_is_found_is_one_of_the_names(names: list[str], wanted: str) -> None:
    found = skills.find(names, wanted)
    assert found is None or found in names
    base = skills.base_name(wanted)
    if base and base in names:
        assert found == base
