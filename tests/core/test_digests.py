"""Canonical JSON is total and canonical; digests and sizes are those of UTF-8."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from enum import Enum, IntEnum, StrEnum
from pathlib import PurePosixPath

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core import digests

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)
keys = st.text() | st.integers() | st.none() | st.floats() | st.booleans() | st.binary() | st.tuples(st.text())
anything = st.recursive(
    json_values | st.binary() | st.sets(st.text()) | st.decimals() | st.complex_numbers() | st.dates(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(keys, inner),
    max_leaves=15,
)


@given(json_values)
def test_json_is_written_sorted_and_without_spaces(value: object) -> None:
    text = digests.canonical_json(value)
    assert text == json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@given(json_values, json_values)
def test_rows_of_tokens_are_equal_exactly_when_the_json_is(first: object, second: object) -> None:
    for other in (second, json.loads(json.dumps(first))):
        equal = digests.canonical_json(first) == digests.canonical_json(other)
        assert (digests.tokens(first) == digests.tokens(other)) == equal


@given(json_values)
def test_a_value_beside_something_foreign_is_written_as_it_would_be_alone(value: object) -> None:
    text = digests.canonical_json([value, b"!"])
    assert text == f"[{digests.canonical_json(value)},\"b'!'\"]"


@given(anything)
def test_everything_can_be_written_and_read_as_json(value: object) -> None:
    text = digests.canonical_json(value)
    json.loads(text)
    assert len(digests.digest(text)) == 16


class Colour(Enum):
    RED = "red"


class Level(IntEnum):
    HIGH = 3


class Kind(StrEnum):
    READ = "read"


@frozen
class Attrs:
    path: str
    inner: object = None


@dataclasses.dataclass
class Data:
    b: int
    a: tuple[int, ...]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({7: "a", "b": 2, None: 3, True: 4, 1.5: 5}, '{"1.5":5,"7":"a","b":2,"null":3,"true":4}'),
        ({(1, 2): "x"}, '{"(1, 2)":"x"}'),
        ({"s": {"b", "a"}}, """{"s":"[\\"'a'\\", \\"'b'\\"]"}"""),
        (Attrs("f", [Attrs("g")]), '{"inner":[{"inner":null,"path":"g"}],"path":"f"}'),
        (Data(1, (2, 3)), '{"a":[2,3],"b":1}'),
        ([Level.HIGH, Kind.READ, Attrs(Kind.READ)], '[3,"read",{"inner":null,"path":"read"}]'),
        ([Colour.RED], "[\"<Colour.RED: 'red'>\"]"),
        (PurePosixPath("a"), "\"PurePosixPath('a')\""),
        ([Attrs], f'["{Attrs!r}"]'),
        ({"a": "é\udc00\n"}, '{"a":"é\udc00\\n"}'),
        ("\u2028", '"\u2028"'),
        (float("nan"), "NaN"),
    ],
)
def test_what_json_has_no_form_for_is_written_as_a_string(value: object, text: str) -> None:
    assert digests.canonical_json(value) == text


@pytest.mark.slow
def test_depth_knots_and_huge_numbers_are_no_obstacle() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert digests.canonical_json(deep) == "[" * 100_001 + "]" * 100_001
    knot: dict[str, object] = {"list": []}
    knot["self"] = knot
    assert digests.canonical_json(knot) == '{"list":[],"self":"<1 up>"}'
    assert digests.canonical_json(10**5_000) == f'"{10**5_000:#x}"'


def test_a_value_met_twice_is_no_knot() -> None:
    twice = [1]
    assert digests.canonical_json([twice, twice, b""]) == "[[1],[1],\"b''\"]"


@given(st.text(st.characters()))
def test_digest_and_size_are_those_of_utf8(text: str) -> None:
    encoded = text.encode("utf-8", "surrogatepass")
    assert digests.size(text) == len(encoded)
    assert digests.digest(text) == hashlib.sha256(encoded).hexdigest()[:16]


def test_the_digest_is_the_published_function() -> None:
    assert digests.digest("abc") == "ba7816bf8f01cfea"
    assert digests.digest("") == "e3b0c44298fc1c14"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_the_quick_way_lays_out_what_the_thorough_one_does(value: object) -> None:
    thorough = digests.tokens([value, 0.5])
    assert thorough[1:-2] == digests.tokens(value)
