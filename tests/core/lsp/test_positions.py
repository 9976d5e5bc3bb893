"""Places in three notations, against an oracle that splits and encodes the text before each place."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mmtools.core.lsp.positions import Document, LineColumn, NoSuchColumn, NoSuchLine, Position, Units
from mmtools.testing.strategies import texts

TEXTS = texts() | st.text("ab\r\n\n\U0001f600é", max_size=14)
CODECS = {Units.UTF8: ("utf-8", 1), Units.UTF16: ("utf-16-le", 2), Units.UTF32: ("utf-32-le", 4)}
UNITS = st.sampled_from(Units)
PLACES = st.integers(0, 10**6)
#: What a server may say.
NUMBERS = st.integers(-3, 20) | st.integers()


def parts_pair(text: str, offset: int) -> bool:
    return text[offset - 1 : offset + 1] == "\r\n" if offset else False


def wire_place(text: str, offset: int, units: Units) -> tuple[int, int]:
    """By the protocol's words alone."""
    before = re.split("\r\n|\r|\n", text[: offset - parts_pair(text, offset)])
    codec, size = CODECS[units]
    return len(before) - 1, len(before[-1].encode(codec)) // size


@given(TEXTS, PLACES, UNITS)
def test_a_wire_place_counts_line_breaks_and_code_units_before_it(text: str, place: int, units: Units) -> None:
    offset = place % (len(text) + 1)
    position = Document(text, units).position(offset)
    assert (position.line, position.character) == wire_place(text, offset, units)


@given(TEXTS, NUMBERS, NUMBERS, UNITS)
def test_a_servers_place_is_the_closest_there_is_before_it(text: str, line: int, character: int, units: Units) -> None:
    whole = [offset for offset in range(len(text) + 1) if not parts_pair(text, offset)]
    places = {offset: wire_place(text, offset, units) for offset in whole}
    on_line = [offset for offset in whole if places[offset][0] == line]
    if on_line:
        expected = max([o for o in on_line if places[o][1] <= character], default=min(on_line))
    else:
        expected = 0 if line < 0 else len(text)
    assert Document(text, units).offset(Position(line, character)) == expected


@given(TEXTS, PLACES, UNITS)
def test_a_place_survives_the_way_over_the_wire(text: str, place: int, units: Units) -> None:
    offset = place % (len(text) + 1)
    assume(not parts_pair(text, offset))
    document = Document(text, units)
    assert document.offset(document.position(offset)) == offset


@given(TEXTS, PLACES)
def test_a_models_place_counts_lines_by_line_feeds_and_columns_by_characters(text: str, place: int) -> None:
    offset = place % (len(text) + 1)
    before = text[: offset - parts_pair(text, offset)].split("\n")
    document = Document(text)
    assert document.line_column(offset) == LineColumn(len(before), len(before[-1]) + 1)
    if offset < len(text):
        assert document.offset_at(document.line_column(offset)) == offset - parts_pair(text, offset)


def lines_of(text: str) -> list[str]:
    *ended, rest = text.split("\n")
    return [line.removesuffix("\r") for line in ended] + ([rest] if rest else [])


@given(TEXTS, st.integers(-2, 9), st.integers(-2, 9))
def test_a_models_place_is_exact_or_refused_with_the_count(text: str, line: int, column: int) -> None:
    document, lines = Document(text), lines_of(text)
    found = document.offset_at(LineColumn(line, column))
    if not 1 <= line <= len(lines):
        assert found == NoSuchLine(len(lines))
    elif not 1 <= column <= len(lines[line - 1]) + 1:
        assert found == NoSuchColumn(len(lines[line - 1]))
    else:
        assert isinstance(found, int)
        assert document.line_column(found) == LineColumn(line, column)


@given(TEXTS)
def test_lines_are_shown_without_their_line_break(text: str) -> None:
    document, lines = Document(text), lines_of(text)
    assert document.lines == len(lines)
    assert document.wire_lines == len(re.split("\r\n|\r|\n", text))
    assert [document.line_text(number) for number in range(1, document.lines + 1)] == lines
    assert document.line_text(0) == document.line_text(len(lines) + 1) == ""


@pytest.mark.parametrize(
    ("text", "place", "position"),
    [
        ('s = "\U0001f600"; foo = foo + 1\n', (1, 10), (0, 10)),
        ('s = "\U0001f600"; foo = foo + 1\n', (1, 16), (0, 16)),
        ("\U0001f60b\U0001f60bx", (1, 3), (0, 4)),
        ("\U0001f60b\U0001f60bx", (1, 2), (0, 2)),
        ("a\rb\rc\nd", (1, 5), (2, 0)),
        ("a\rb\rc\nd", (2, 1), (3, 0)),
        ("e\u0301\u0301x", (1, 4), (0, 3)),
    ],
)
def test_known_places_in_both_notations(text: str, place: tuple[int, int], position: tuple[int, int]) -> None:
    """C49, and lone returns, which only the wire counts."""
    document = Document(text)
    offset = document.offset_at(LineColumn(*place))
    assert isinstance(offset, int)
    assert document.position(offset) == Position(*position)
    assert document.line_column(document.offset(Position(*position))) == LineColumn(*place)


def test_the_middle_of_an_emoji_is_its_start() -> None:
    assert Document("\U0001f60b\U0001f60bx").offset(Position(0, 3)) == 1
    assert Document("a\u00e9x", Units.UTF8).offset(Position(0, 2)) == 1


CHARACTERS = st.text(st.sampled_from("ab é漢\u0301\U0001f600\U0001d518"), max_size=12)


def size(part: str, units: Units) -> int:
    codec, bytes_each = CODECS[units]
    return len(part.encode(codec)) // bytes_each


@given(CHARACTERS, UNITS)
def test_a_width_is_the_encoded_length(part: str, units: Units) -> None:
    assert units.width(part) == size(part, units)


@given(CHARACTERS, st.integers(0, 60) | st.integers(0), UNITS)
def test_as_many_whole_characters_fit_as_can(line: str, most: int, units: Units) -> None:
    assert units.fitting(line, most) == max(
        count for count in range(len(line) + 1) if size(line[:count], units) <= most
    )


@pytest.mark.parametrize("units", Units)
@given(st.text(st.characters(), max_size=12), st.integers(0, 60))
def test_half_a_character_in_the_text_is_no_trouble(units: Units, line: str, most: int) -> None:
    count = units.fitting(line, most)
    assert units.width(line[:count]) <= most or count == 0
