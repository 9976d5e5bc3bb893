"""Escape sequences in a stream, wherever it is cut."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.escapes import EscapeStripper, SequenceStripper, strip, without_controls

#: What takes part in sequences, and what does not.
SOUP = st.text(
    st.sampled_from("\x1b\x1b\x1b[]P_^X(\\;?013mHKhaz~@ /:\x07\x18\x1a\x9c\x9b\x00\x08\x7f\x85\n\r\tred é日😀"),
    max_size=60,
)
PLAIN = st.text(st.characters(exclude_categories=("Cc", "Cs")) | st.sampled_from("\n\r\t"))

#: Independent of the module: every control but tab, line feed, carriage return and NEL.
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")

#: One or more of each kind of sequence, none of which leaves anything.
SEQUENCES = [
    "\x1b[31m",
    "\x1b[m",
    "\x1b[1;38;2;255;0;0m",
    "\x1b[2J",
    "\x1b[?25l",
    "\x1b[>4;2m",
    "\x1b[ q",
    "\x1b[!p",
    "\x1b[200~",
    "\x1b]0;title\x07",
    "\x1b]0;title\x1b\\",
    "\x1b]0;title\x9c",
    "\x1b]8;;https://example.org/a?b=c\x1b\\",
    "\x1b]52;c;cm0gLXJm\x07",
    "\x1bP1$r0m\x1b\\",
    "\x1bPq#0;2;0;0;0~~\x1b\\",
    "\x1b_Gf=24;AAAA\x1b\\",
    "\x1b^private\x1b\\",
    "\x1bXstring\x1b\\",
    "\x1b(B",
    "\x1b#8",
    "\x1b%G",
    "\x1b7",
    "\x1b8",
    "\x1bc",
    "\x1b=",
    "\x1bM",
    "\x1bN",
    "\x1b]0;given up\x18",
]


def in_pieces(text: str, cuts: list[int]) -> str:
    stripper = EscapeStripper()
    edges = [0, *sorted(cut % (len(text) + 1) for cut in cuts), len(text)]
    pieces = [stripper.feed(text[start:end]) for start, end in pairwise(edges)]
    return "".join(pieces) + stripper.flush()


@given(SOUP, st.lists(st.integers(0, 100), max_size=10))
def test_where_a_stream_is_cut_does_not_matter(text: str, cuts: list[int]) -> None:
    assert in_pieces(text, cuts) == strip(text)


@given(SOUP)
def test_a_stream_of_single_characters_gives_the_same(text: str) -> None:
    assert in_pieces(text, list(range(len(text)))) == strip(text)


@given(SOUP)
def test_no_escape_and_no_control_survives(text: str) -> None:
    assert not CONTROLS.search(strip(text))


@given(PLAIN, st.lists(st.integers(0, 100), max_size=5))
def test_plain_text_is_untouched(text: str, cuts: list[int]) -> None:
    assert in_pieces(text, cuts) == text


@given(SOUP)
def test_stripping_twice_changes_nothing_more(text: str) -> None:
    assert strip(strip(text)) == strip(text)


@given(st.lists(st.tuples(PLAIN, st.sampled_from(SEQUENCES)), max_size=6), st.lists(st.integers(0, 500), max_size=6))
def test_text_between_sequences_stays(pairs: list[tuple[str, str]], cuts: list[int]) -> None:
    text = "".join(plain + sequence for plain, sequence in pairs)
    assert in_pieces(text, cuts) == "".join(plain for plain, _ in pairs)


@given(SOUP)
def test_what_is_removed_are_parts_of_sequences_and_controls(text: str) -> None:
    left = iter(text)
    assert all(char in left for char in strip(text)), "the result is a subsequence of the text"


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_each_kind_of_sequence_goes_whole(sequence: str) -> None:
    assert strip(f"a{sequence}b") == "ab"


def test_carriage_returns_tabs_and_crlf_stay() -> None:
    assert strip("10%\r50%\r100%\r\n\tx\x85y") == "10%\r50%\r100%\r\n\tx\x85y"


@pytest.mark.parametrize(
    ("text", "stripped"),
    [
        ("\x1b]0;never ended\nnext line\n", "\nnext line\n"),
        ("\x1b[31\nred", "\nred"),
        ("\x1b[31é", "é"),
        ("\x1bénormal", "énormal"),
        ("\x1b\x1b[1mbold", "bold"),
        ("\x1b]0;a\x1b[1mb", "b"),
    ],
)
def test_a_broken_sequence_hides_at_most_the_rest_of_its_line(text: str, stripped: str) -> None:
    assert strip(text) == stripped


@pytest.mark.parametrize("text", ["\x1b", "\x1b[", "\x1b[38;5", "\x1b]0;title", "\x1bP1;2", "\x1b("])
def test_a_sequence_that_the_end_breaks_off_is_gone(text: str) -> None:
    assert strip(f"a{text}") == "a"


def test_an_endless_sequence_is_not_kept_in_memory() -> None:
    stripper = SequenceStripper()
    stripper.feed("\x1b]0;")
    for _ in range(1_000):
        assert stripper.feed("x" * 1_000) == ""
    assert len(stripper._open) == 2
    assert stripper.feed("\x07done") == "done"


def test_controls_can_be_taken_out_alone() -> None:
    assert without_controls("a\x00b\x08c\x7fd\x9be\n") == "abcde\n"
    assert SequenceStripper().feed("a\x00\x1b[1mb") == "a\x00b"


def test_colours_of_megabytes_go_in_linear_time() -> None:
    coloured = "\x1b[31mred\x1b[0m\n" * 200_000
    assert strip(coloured) == "red\n" * 200_000
    assert strip("\x1b[" * 500_000) == ""
    assert strip("\x1b]" * 500_000) == ""
