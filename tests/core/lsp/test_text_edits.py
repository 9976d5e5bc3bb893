"""Edits land where the protocol says, against an oracle that splices arrays of UTF-16 code units."""

from __future__ import annotations

import re
from itertools import pairwise, permutations
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.edits import Applied, NotText, Overlapping, Unencodable, splice
from mmtools.core.lsp.positions import Document, Position, Range, Units
from mmtools.core.lsp.text_edits import Placed, StartsOutside, place
from mmtools.core.lsp.workspace_edits import TextEdit
from mmtools.core.text import LegacyText, Text, decode
from mmtools.testing.strategies import texts

#: Line and character of a start and an end, and the new text.
Asked: TypeAlias = tuple[int, int, int, int, str]


def edits_of(*asked: Asked) -> list[TextEdit]:
    return [TextEdit(Range(Position(a, b), Position(c, d)), new) for a, b, c, d, new in asked]


def outcome(text: str, edits: list[TextEdit]) -> object:
    """The new text, or what was said instead."""
    placed = place(Text(text), edits)
    if not isinstance(placed, Placed):
        return placed
    applied = placed.applied()
    return applied.text if applied else text


def written(data: bytes, *asked: Asked, encodings: tuple[str, ...] = ()) -> object:
    """Do what a tool does with a file's bytes."""
    decoded = decode(data, encodings)
    assert isinstance(decoded, Text | LegacyText)
    placed = place(decoded, edits_of(*asked))
    if not isinstance(placed, Placed):
        return placed
    applied = placed.applied()
    return splice(data, decoded, applied) if applied else data


# The oracle.


def units(text: str) -> list[bytes]:
    data = text.encode("utf-16-le")
    return [data[at : at + 2] for at in range(0, len(data), 2)]


def is_low(unit: bytes) -> bool:
    return 0xDC <= unit[1] <= 0xDF


def spliced(text: str, asked: list[Asked]) -> str:
    """Replace from the last edit to the first, in an array of code units."""
    array = units(text)
    bounds = [(0, 0)]
    for line in re.finditer("\r\n|\r|\n", text):
        bounds[-1] = (bounds[-1][0], len(units(text[: line.start()])))
        bounds.append((len(units(text[: line.end()])), 0))
    bounds[-1] = (bounds[-1][0], len(array))

    def index(line: int, character: int) -> int:
        if line >= len(bounds):
            return len(array)
        start, end = bounds[line]
        at = min(start + character, end)
        return at - 1 if start < at < len(array) and is_low(array[at]) else at

    places = [(index(a, b), index(c, d), number, new) for number, (a, b, c, d, new) in enumerate(asked)]
    for start, end, _, new in sorted(places, reverse=True):
        array[start:end] = units(new)
    return b"".join(array).decode("utf-16-le")


# Properties.

LETTERS = "ab \U0001f600é"


@st.composite
def cases(draw: st.DrawFn, text: st.SearchStrategy[str], new: str) -> tuple[str, list[Asked]]:
    """A text and edits of it that do not overlap, their ends perhaps written past the end of a line."""
    content = draw(text)
    document = Document(content)
    cuts = sorted(draw(st.lists(st.integers(0, len(content)), max_size=6)))
    found: list[Asked] = []
    for start, end in pairwise(cuts):
        if draw(st.booleans()):
            first, last = document.position(start), document.position(end)
            ends_line = document.offset(Position(last.line, 10**9)) == document.offset(last)
            extra = draw(st.integers(0, 3)) if ends_line else 0
            found.append(
                (first.line, first.character, last.line, last.character + extra, draw(st.text(new, max_size=4)))
            )
    return content, draw(st.permutations(found)) if _starts_differ(found) else found


def _starts_differ(asked: list[Asked]) -> bool:
    """Whether the order sent means nothing."""
    return len({each[:2] for each in asked}) == len(asked)


@given(cases(st.text(LETTERS + "\n", max_size=14), LETTERS + "\n"))
def test_edits_are_spliced_where_they_say(case: tuple[str, list[Asked]]) -> None:
    text, asked = case
    assert outcome(text, edits_of(*asked)) == spliced(text, asked)


@given(cases(texts(), "ab\U0001f600"))
def test_edits_are_spliced_where_they_say_in_any_text(case: tuple[str, list[Asked]]) -> None:
    text, asked = case
    assert outcome(text, edits_of(*asked)) == spliced(text, asked)


@given(cases(st.text(LETTERS + "\n", max_size=14), LETTERS + "\n"))
def test_in_a_file_of_crlf_new_line_breaks_are_so_too(case: tuple[str, list[Asked]]) -> None:
    text, asked = case
    crlf = text.replace("\n", "\r\n")
    expected = spliced(text, asked).replace("\n", "\r\n")
    if "\n" in text:
        assert outcome(crlf, edits_of(*asked)) == expected
        sent_so = [(a, b, c, d, new.replace("\n", "\r\n")) for a, b, c, d, new in asked]
        assert outcome(crlf, edits_of(*sent_so)) == expected


@given(cases(st.text(LETTERS + "\n", max_size=10), LETTERS), st.sampled_from(Units))
def test_each_server_counts_in_its_own_units(case: tuple[str, list[Asked]], counted: Units) -> None:
    text, asked = case
    document, other = Document(text), Document(text, counted)
    edits = edits_of(*asked)

    def translated(position: Position) -> Position:
        return other.position(document.offset(position))

    sent = [TextEdit(Range(translated(e.range.start), translated(e.range.end)), e.new_text) for e in edits]
    placed = place(Text(text), sent, counted)
    assert placed == place(Text(text), [TextEdit(e.range, e.new_text) for e in edits])


@given(texts(), st.lists(st.tuples(*[st.integers(-1, 4)] * 4, st.sampled_from(["", "x", "\n", "\ud83d"])), max_size=3))
def test_there_is_an_answer_to_everything(text: str, asked: list[Asked]) -> None:
    placed = place(Text(text), [e for e in edits_of(*asked) if e.range.start <= e.range.end])
    if isinstance(placed, Placed):
        reach = 0
        for piece in placed.pieces:
            assert reach <= piece.start <= piece.end <= len(text)
            reach = piece.end
        assert isinstance(placed.applied(), Applied | None)


MIXED = st.lists(st.sampled_from(["a = b", "b", "\U0001f600 a", "", "c.a(a)"]), max_size=5)
ENDS = st.lists(st.sampled_from(["\n", "\r\n", "\r"]), min_size=5, max_size=5)


@given(MIXED, ENDS, st.sampled_from([None, "\n", "\r\n"]))
def test_a_whole_file_sent_anew_changes_nothing_but_what_differs(
    lines: list[str], ends: list[str], sent_with: str | None
) -> None:
    """Line ends stay as they are, whatever the server makes of them."""
    text = "".join(line + end for line, end in zip(lines, ends, strict=False))
    renamed = "".join(re.sub("a", "total", line) + end for line, end in zip(lines, ends, strict=False))
    sent = renamed if sent_with is None else re.sub("\r\n|\r|\n", sent_with, renamed)
    assert outcome(text, edits_of((0, 0, 10**6, 0, sent))) == renamed


@given(MIXED, ENDS, st.sampled_from(["\n", "\r\n"]))
def test_a_whole_file_with_more_words_keeps_the_other_lines(lines: list[str], ends: list[str], sent_with: str) -> None:
    text = "".join(line + end for line, end in zip(lines, ends, strict=False))
    longer = "".join(re.sub("a", "a as b", line) + end for line, end in zip(lines, ends, strict=False))
    sent = re.sub("\r\n|\r|\n", sent_with, longer)
    assert outcome(text, edits_of((0, 0, 10**6, 0, sent))) == longer


# Known answers.


@pytest.mark.parametrize(
    "asked",
    [
        [(0, 0, 0, 1, "plugin"), (0, 8, 0, 9, "plugin"), (0, 13, 0, 14, "plugin")],
        [(0, 13, 0, 14, "plugin"), (0, 8, 0, 9, "plugin"), (0, 0, 0, 1, "plugin")],
        [(0, 0, 5, 0, "plugin.close(plugin.x, plugin)\n")],
        [(0, 0, 1, 0, "plugin.close(plugin.x, plugin)\n")],
        [(0, 0, 0, 99, "plugin.close(plugin.x, plugin)")],
        [(0, 0, 0, 1, "plu"), (0, 1, 0, 1, "gin"), (0, 8, 0, 14, "plugin.x, plugin")],
    ],
)
def test_several_edits_on_one_line_in_any_form(asked: list[Asked]) -> None:
    """C50."""
    assert written(b"a.close(a.x, a)\n", *asked) == b"plugin.close(plugin.x, plugin)\n"


@pytest.mark.parametrize(
    ("data", "asked", "result"),
    [
        (
            's = "\U0001f600"; foo = foo + 1\n'.encode(),
            [(0, 10, 0, 13, "total"), (0, 16, 0, 19, "total")],
            's = "\U0001f600"; total = total + 1\n'.encode(),
        ),
        (b"\xef\xbb\xbffoo\r\nfoo\r\n", [(0, 0, 0, 3, "x"), (1, 0, 1, 3, "y")], b"\xef\xbb\xbfx\r\ny\r\n"),
        (b"a\r\nb\n", [(0, 1, 0, 1, "\nc")], b"a\r\nc\r\nb\n"),
        (b"a\nb\r\n", [(1, 1, 1, 1, "\nc")], b"a\nb\r\nc\r\n"),
        (b"a\nb\nc\n", [(1, 0, 1, 1, "")], b"a\n\nc\n"),
        (b"a\nb", [(1, 1, 1, 1, "!")], b"a\nb!"),
        (b"a\n", [(1, 0, 1, 0, "b\n")], b"a\nb\n"),
        (b"a\n", [(2, 0, 2, 0, "b\n")], b"a\nb\n"),
        (b"a", [(1, 0, 1, 0, "\nb")], b"a\nb"),
        (b"", [(0, 0, 0, 0, "x")], b"x"),
        (b"a\rb\rc\n", [(1, 0, 1, 1, "x"), (2, 0, 2, 1, "y")], b"a\rx\ry\n"),
        (b"ab", [(0, 1, 0, 1, "1"), (0, 1, 0, 1, "2"), (0, 1, 0, 2, "3")], b"a123"),
        (b"ab", [(0, 1, 0, 2, "3"), (0, 1, 0, 1, "1"), (0, 1, 0, 1, "2")], b"a123"),
        (b"ab", [(0, 0, 0, 1, "x"), (0, 1, 0, 2, "y")], b"xy"),
        ("\U0001f60b\U0001f60bx".encode(), [(0, 4, 0, 5, "y")], "\U0001f60b\U0001f60by".encode()),
        ("\U0001f60b\U0001f60bx".encode(), [(0, 3, 0, 5, "y")], "\U0001f60by".encode()),
    ],
)
def test_only_the_bytes_that_an_edit_changes_change(data: bytes, asked: list[Asked], result: bytes) -> None:
    """C49 and the rules on ends, lone returns and insertions."""
    assert written(data, *asked) == result


@pytest.mark.parametrize(
    ("text", "asked", "refusal"),
    [
        ("abcd", [(0, 0, 0, 2, "x"), (0, 1, 0, 3, "y")], Overlapping(1, other=0)),
        ("abcd", [(0, 1, 0, 3, "y"), (0, 0, 0, 2, "x")], Overlapping(1, other=0)),
        ("abcd", [(0, 1, 0, 3, "y"), (0, 1, 0, 3, "y")], Overlapping(1, other=0)),
        ("abcd", [(0, 0, 0, 4, "x"), (0, 2, 0, 2, "y")], Overlapping(1, other=0)),
        ("abcd", [(0, 2, 0, 2, "y"), (0, 0, 0, 4, "x")], Overlapping(1, other=0)),
        ("a\n", [(0, 0, 0, 1, "x"), (3, 0, 3, 0, "y")], StartsOutside(1, 3, 2)),
        ("a\n", [(2, 1, 2, 1, "y")], StartsOutside(0, 2, 2)),
        ("a\n", [(-1, 0, 0, 1, "y")], StartsOutside(0, -1, 2)),
        ("a\n", [(0, -1, 0, 1, "y")], StartsOutside(0, 0, 2)),
        ("a\n", [(0, 0, 0, 1, "x\udc00")], Unencodable(0, 1)),
    ],
)
def test_what_cannot_be_meant_is_refused(text: str, asked: list[Asked], refusal: object) -> None:
    assert place(Text(text), edits_of(*asked)) == refusal


def test_insertions_keep_the_order_sent_whatever_stands_around() -> None:
    inserts = [(0, 2, 0, 2, letter) for letter in "123"]
    for order in permutations([(0, 0, 0, 2, "x"), (0, 2, 0, 4, "y"), *inserts]):
        sent = "".join(each[4] for each in order if each in inserts)
        assert outcome("abcd", edits_of(*order)) == f"x{sent}y"


def test_edits_that_leave_the_text_as_it_is_change_nothing() -> None:
    placed = place(Text("a\r\nb\r\n"), edits_of((0, 0, 9, 0, "a\nb\n"), (0, 0, 0, 0, "")))
    assert isinstance(placed, Placed)
    assert placed.applied() is None


def test_a_change_is_as_small_as_the_words_that_differ() -> None:
    placed = place(Text("x = foo(foo)\n"), edits_of((0, 0, 1, 0, "x = bar(bar)\n")))
    assert isinstance(placed, Placed)
    assert [(piece.start, piece.end, piece.new) for piece in placed.pieces] == [(4, 7, "bar"), (8, 11, "bar")]
    applied = placed.applied()
    assert isinstance(applied, Applied)
    assert [span.index for span in applied.spans] == [0, 0]


def test_a_character_that_the_files_encoding_lacks_is_refused() -> None:
    assert written(b"caf\xe9 x", (0, 5, 0, 6, "\u2192"), encodings=("latin-1",)) == Unencodable(0, 0)
    assert written(b"caf\xe9 x", (0, 5, 0, 6, "\xe0"), encodings=("latin-1",)) == b"caf\xe9 \xe0"


@pytest.mark.parametrize(
    ("data", "asked", "result"),
    [
        (b"foo # caf\xe9\nfoo\n", [(0, 0, 0, 3, "bar"), (1, 0, 1, 3, "bar")], b"bar # caf\xe9\nbar\n"),
        (b"'caf\xe9', foo\nfoo\n", [(0, 8, 0, 11, "bar"), (1, 0, 1, 3, "bar")], NotText((0,))),
        (b"# caf\xe9\nfoo\n", [(0, 0, 1, 3, "bar")], NotText((0,))),
        (b"# caf\xe9\nfoo\n", [(1, 0, 1, 3, "b\xe4r")], NotText((0,))),
        (b"# caf\xe9\nfoo\n", [(1, 0, 1, 3, "x"), (1, 1, 1, 2, "y")], Overlapping(1, other=0)),
    ],
)
def test_legacy_text_is_edited_where_every_encoding_agrees(data: bytes, asked: list[Asked], result: object) -> None:
    assert isinstance(decode(data), LegacyText)
    assert written(data, *asked) == result
