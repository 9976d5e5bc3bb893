"""What is said about arguments is short, printable, and true about how much is not said."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from mmtools.arguments import validation_messages
from mmtools.arguments.validation_messages import MAX_CHARS, Complaints
from mmtools.testing import payloads


@given(payloads.hostile_payloads())
def test_any_value_is_described_in_a_few_printable_characters(value: Any) -> None:
    text = validation_messages.described(value)
    assert text.isprintable()
    assert 0 < len(text) < 350


@given(payloads.odd_strings())
def test_a_short_string_is_described_without_loss(text: str) -> None:
    described = validation_messages.described(text).removeprefix("the string ")
    assert json.loads(described) == (text if len(text) <= 40 else text[:40] + "…")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5, "the number 5"),
        (-0.5, "the number -0.5"),
        (True, "true"),
        (None, "null"),
        (10**5000, "a number of 16610 bits"),
        ({}, "an object"),
        ((), "a list"),
        (b"", "a value of type bytes"),
        ('a"b', 'the string "a\\"b"'),
        ("é\u2028", 'the string "\\u00e9\\u2028"'),
        ("é", 'the string "é"'),
    ],
    ids=lambda value: str(type(value)),
)
def test_a_value_is_described_in_the_words_of_json(value: object, text: str) -> None:
    assert validation_messages.described(value) == text


@given(payloads.odd_strings())
def test_one_line_is_one_line(text: str) -> None:
    line = validation_messages.one_line(text)
    assert line.isprintable()
    assert len(line) == min(len(text), MAX_CHARS)


@pytest.mark.parametrize(("count", "said"), [(0, 0), (1, 1), (7, 7), (8, 7), (9, 7), (1_000, 7)])
def test_more_is_said_to_follow_exactly_when_something_was_left_out(count: int, said: int) -> None:
    gathered = Complaints()
    for n in range(count):
        gathered.add(f"c{n}")
    shown = [f"c{n}" for n in range(said)] + (["and more"] if count > said else [])
    assert gathered.line() == "; ".join(shown)


@pytest.mark.parametrize(
    ("parent", "key", "place"),
    [
        ("", "path", "path"),
        ("edits[0]", "old", "edits[0].old"),
        ("env", "a b", 'env."a b"'),
        ("env", "x" * 40, "env." + "x" * 40),
        ("env", "x" * 41, 'env."' + "x" * 40 + '…"'),
        ("", "\n", '"\\n"'),
        ("", 5, "5"),
        ("", (1, 2), "(tuple)"),
        ("", 10**5000, "(int)"),
    ],
    ids=range(9),
)
def test_a_place_names_any_key(parent: str, key: object, place: str) -> None:
    assert validation_messages.place(parent, key) == place


def test_a_list_of_names_ends_when_it_grows_long() -> None:
    assert validation_messages.listed(["b", 1, None]) == '"b", 1, null'
    assert validation_messages.listed(range(13)) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …"
