"""A name, a place, or both: what is meant is found where it is, and nowhere else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.lsp.languages import language
from mmtools.core.lsp.positions import BelowOne, Document, NoSuchColumn, NoSuchLine
from mmtools.core.lsp.spots import NotFound, Pointed, Pointing, Spots, find, name_at

PYTHON = language("a.py")
PIECES = ["foo", "fo", "bar", "x", " ", "(", ".", "\n", "\r\n", "# foo", '"\U0001f600"', "é"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
SYMBOLS = st.sampled_from(["foo", "fo", "x", "bar", "é", "qux"])


def whole(text: str, symbol: str) -> list[int]:
    """Where a name stands alone, by regular expression."""
    return [found.start() for found in re.finditer(rf"(?<!\w){symbol}(?!\w)", text)]


def line_of(text: str, offset: int) -> int:
    return 1 + text.count("\n", 0, offset)


@given(TEXTS, SYMBOLS)
def test_a_name_alone_is_found_wherever_it_stands_whole(text: str, symbol: str) -> None:
    found = find(Document(text), Pointed(symbol=symbol), PYTHON)
    expected = whole(text, symbol)
    assert sorted(found.offsets) == expected if isinstance(found, Spots) else expected == []


@given(TEXTS, SYMBOLS, st.integers(1, 9))
def test_a_line_restricts_to_itself_and_tells_the_other_lines(text: str, symbol: str, line: int) -> None:
    found = find(Document(text), Pointed(symbol=symbol, line=line), PYTHON)
    lines = text.count("\n") + (text != "" and not text.endswith("\n"))
    here = [offset for offset in whole(text, symbol) if line_of(text, offset) == line]
    expected: Pointing
    if line > lines:
        expected = NoSuchLine(lines)
    elif here:
        assert isinstance(found, Spots)
        assert sorted(found.offsets) == here
        return
    else:
        expected = NotFound(tuple(sorted({line_of(text, offset) for offset in whole(text, symbol)})))
    assert found == expected


@given(TEXTS, st.integers(1, 9), st.integers(1, 20))
def test_a_place_alone_is_exact_or_refused(text: str, line: int, column: int) -> None:
    found = find(Document(text), Pointed(line=line, column=column), PYTHON)
    lines = [each.removesuffix("\r") for each in text.split("\n")]
    if text.endswith("\n") or not text:
        lines.pop()
    if line > len(lines):
        assert found == NoSuchLine(len(lines))
    elif column > len(lines[line - 1]) + 1:
        assert found == NoSuchColumn(len(lines[line - 1]))
    else:
        assert isinstance(found, Spots)
        [offset] = found.offsets
        assert line_of(text, offset) == line
        assert offset - (text.rfind("\n", 0, offset) + 1) == column - 1


@given(TEXTS, SYMBOLS, st.integers(1, 9), st.integers(1, 20))
def test_with_a_name_a_place_never_means_another_name(text: str, symbol: str, line: int, column: int) -> None:
    document = Document(text)
    found = find(document, Pointed(symbol=symbol, line=line, column=column), PYTHON)
    exact = find(document, Pointed(line=line, column=column), PYTHON)
    if not isinstance(exact, Spots):
        assert found == exact
    elif isinstance(found, Spots):
        assert all(name_at(text, offset, PYTHON.names) == symbol for offset in found.offsets)
        assert {line_of(text, offset) for offset in found.offsets} == {line}
        distances = [abs(offset - exact.offsets[0]) for offset in found.offsets]
        assert distances == sorted(distances)
    else:
        assert not [offset for offset in whole(text, symbol) if line_of(text, offset) == line]


def test_zero_as_a_line_is_none_and_less_is_nowhere() -> None:
    assert find(Document("foo"), Pointed(symbol="foo", line=0, column=7), PYTHON) == Spots((0,))
    assert find(Document("foo"), Pointed(line=-1, column=1), PYTHON) == BelowOne()
    assert find(Document("foo"), Pointed(line=1, column=-1), PYTHON) == BelowOne()


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
    assert name_at(text, offset, language(path).names) == name
