"""Replacements are resolved against the original, all or nothing, and change nothing but what they match."""

from __future__ import annotations

from itertools import permutations, zip_longest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.edits import (
    Ambiguous,
    Applied,
    Empty,
    NoReplacements,
    NotFound,
    NotText,
    Overlapping,
    Refused,
    Replacement,
    Span,
    Unchanging,
    Unencodable,
    resolve,
    resolve_legacy,
    splice,
)
from mmtools.core.text import LegacyText, Text, decode, view
from mmtools.testing.conformance.edits import expected_result
from mmtools.testing.strategies import Edits, applicable_edits, edit_lists, refused_edits, texts

CASES = texts().flatmap(lambda text: st.tuples(st.just(text), edit_lists(text)))


def replacements(edits: Edits) -> list[Replacement]:
    return [Replacement(old, new) for old, new in edits]


def outcome(text: str, edits: Edits) -> str | Refused:
    found = resolve(text, replacements(edits))
    return found.text if isinstance(found, Applied) else found


def written(data: bytes, *edits: tuple[str, str], encodings: tuple[str, ...] = ()) -> bytes | Refused | NotText:
    """Do what a tool does with a file's bytes."""
    decoded = decode(data, encodings)
    match decoded:
        case Text(content, encoding):
            found: Applied | Refused | NotText = resolve(content, replacements(list(edits)), encoding=encoding)
        case LegacyText():
            found = resolve_legacy(decoded, replacements(list(edits)))
        case _:
            raise AssertionError(decoded)
    return splice(data, decoded, found) if isinstance(found, Applied) else found


# Against an oracle that shares no code with us.


@given(CASES | applicable_edits() | refused_edits())
def test_the_result_is_that_of_the_plain_rules(case: tuple[str, Edits]) -> None:
    text, edits = case
    expected = expected_result(text, edits, newlines="view")
    changes = all(old != new and expected_result(text, [(old, new)], newlines="view") != text for old, new in edits)
    if isinstance(expected, str) and edits and changes:
        assert outcome(text, edits) == expected
    else:
        assert isinstance(outcome(text, edits), Refused)


@given(applicable_edits())
def test_edits_that_must_apply_do_in_any_order(case: tuple[str, Edits]) -> None:
    text, edits = case
    results = {outcome(text, list(order)) for order in permutations(edits[:4])}
    assert len(results) == 1
    assert isinstance(results.pop(), str)


@given(refused_edits())
def test_one_bad_edit_refuses_all_in_any_order(case: tuple[str, Edits]) -> None:
    text, edits = case
    for order in (edits, edits[::-1]):
        found = resolve(text, replacements(order))
        assert isinstance(found, Refused)
        assert len(found.refusals) >= 1


@given(applicable_edits())
def test_characters_outside_the_spans_stay(case: tuple[str, Edits]) -> None:
    text, edits = case
    found = resolve(text, replacements(edits))
    assert isinstance(found, Applied)
    assert found.spans
    assert sorted(span.index for span in found.spans) == list(range(len(edits)))
    rest, at, kept = found.text, 0, ""
    for span in found.spans:
        assert at <= span.start <= span.end <= len(text)
        piece = text[at : span.start]
        assert rest.startswith(piece + span.new)
        rest, kept, at = rest[len(piece + span.new) :], kept + piece, span.end
    assert rest == text[at:]


@given(applicable_edits(), st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "gb18030", "utf-7"]))
def test_the_spliced_bytes_are_those_of_the_new_text(case: tuple[str, Edits], encoding: str) -> None:
    text, edits = case
    data = text.removeprefix("\ufeff").encode(encoding)
    decoded = decode(data, ["gb18030"])
    if not isinstance(decoded, Text):
        return
    found = resolve(decoded.content, replacements(edits), encoding=decoded.encoding)
    if isinstance(found, Applied):
        assert splice(data, decoded, found) == decoded.encode(found.text)


@given(applicable_edits())
def test_bytes_outside_the_spans_stay_even_if_no_byte_would_come_out_of_them(case: tuple[str, Edits]) -> None:
    text, edits = case
    text = text.removeprefix("\ufeff")
    found = resolve(text, replacements(edits))
    if isinstance(found, Applied) and "\0" not in text:
        data = text.encode()
        start = len(text[: found.spans[0].start].encode())
        end = len(text[found.spans[-1].end :].encode())
        new = splice(data, decode_text(data), found)
        assert new[:start] == data[:start]
        assert new[len(new) - end :] == data[len(data) - end :]


def test_bytes_outside_the_spans_are_not_taken_from_the_text() -> None:
    found = resolve("a\u00e9b", [Replacement("b", "c")])
    assert isinstance(found, Applied)
    assert splice("a\u00e9b".encode(), Text("a\u00e9b"), Applied("", found.spans)) == "a\u00e9c".encode()


def decode_text(data: bytes) -> Text:
    decoded = decode(data)
    assert isinstance(decoded, Text)
    return decoded


@st.composite
def edited_lines(draw: st.DrawFn) -> tuple[str, Edits]:
    """Generate lines, each with a sign of its own, and edits that apply, which may leave their first lines as they are."""
    signs = "0123456789"[: draw(st.integers(2, 10))]
    lines = [draw(st.sampled_from(("{}\n", "{}\r\n", "{} \n"))).format(sign) for sign in signs]
    text = draw(st.sampled_from(("", "\n", "\r\n"))) + "".join(lines)
    if draw(st.booleans()):
        text = text.rstrip()
    seen = view(text)
    size, at = len(seen), 0
    edits: Edits = []
    while (start := at + draw(st.integers(0, 6))) < size and len(edits) < 3:
        at = draw(st.integers(start + 1, min(start + 7, size)))
        old = seen[start:at]
        left = draw(st.integers(0, len(old) - 1))
        if set(old) & set(signs):
            edits.append((old, old[:left] + draw(st.text("x\n", max_size=3)) + "!"))
    return text, draw(st.permutations(edits or [(signs[0], "!")]))


@given(applicable_edits() | edited_lines())
def test_the_first_changed_line_is_that_of_the_first_span(case: tuple[str, Edits]) -> None:
    text, edits = case
    found = resolve(text, replacements(edits))
    assert isinstance(found, Applied)
    assert found.first_line == len(view(text[: found.spans[0].start]).split("\n"))


@given(edited_lines())
def test_the_first_changed_line_is_where_old_and_new_first_differ(case: tuple[str, Edits]) -> None:
    text, edits = case
    found = resolve(text, replacements(edits))
    assert isinstance(found, Applied)
    seen = view(text)
    first = min(
        seen.index(old) + next(at for at, (one, other) in enumerate(zip_longest(old, new)) if one != other)
        for old, new in edits
    )
    assert found.first_line == seen[:first].count("\n") + 1
    before = found.first_line - 1
    assert text.split("\n")[:before] == found.text.split("\n")[:before]


ODD = st.text(alphabet="ab\r\n\0\ufeff\ud83d\ude00\udcff", max_size=6)


@given(ODD, st.lists(st.tuples(ODD, ODD), max_size=3), st.sampled_from(["utf-8", "ascii", "cp1252"]))
def test_there_is_an_answer_to_everything(text: str, edits: Edits, encoding: str) -> None:
    found = resolve(text, replacements(edits), encoding=encoding)
    if isinstance(found, Applied):
        for span in found.spans:
            span.new.encode(encoding)
    else:
        assert found.refusals


# Which bytes change.


@pytest.mark.parametrize(
    ("data", "edits", "result"),
    [
        (b"unit A;\r\nx := 1;\r\nend.\r\n", [("x := 1;", "x := 2;")], b"unit A;\r\nx := 2;\r\nend.\r\n"),
        (b"[a]\nk=1\r\nk=2\r\n[b]\n", [("k=1\nk=2", "k=1\nk=3\nk=4")], b"[a]\nk=1\r\nk=3\r\nk=4\r\n[b]\n"),
        (b"[a]\nx\ny\r\n", [("[a]\nx", "[a]\nX")], b"[a]\nX\ny\r\n"),
        (b"one\r\ntwo\r\n", [("one\n", "one\n1.5\n")], b"one\r\n1.5\r\ntwo\r\n"),
        (b"one\r\ntwo\r\n", [("two\n", "")], b"one\r\n"),
        (b"one\r\ntwo", [("two", "two\nthree")], b"one\r\ntwo\r\nthree"),
        (b"one", [("one", "one\ntwo")], b"one\ntwo"),
        (b"one\r\ntwo\r\n", [("one\r\ntwo", "1\n2")], b"1\n2\r\n"),
        (b"a\rb\n", [("a\rb", "a\nb")], b"a\nb\n"),
        (b"a\r\n", [("a", "b\r\nc")], b"b\r\nc\r\n"),
        (b"\xef\xbb\xbfhello\nw\xc3\xb6rld\n", [("hello", "hi")], b"\xef\xbb\xbfhi\nw\xc3\xb6rld\n"),
        (b"\xef\xbb\xbfhello\nw\xc3\xb6rld\n", [("hello\nw\u00f6rld", "x")], b"\xef\xbb\xbfx\n"),
        (b"\xff\xfea\x00\r\x00\n\x00", [("a", "b\n\u00e9")], b"\xff\xfeb\x00\r\x00\n\x00\xe9\x00\r\x00\n\x00"),
        (b"abc\n", [("abc\n", "")], b""),
        (b"abc", [("abc", "abd")], b"abd"),
        (b'echo "done"\n', [("done", "pid=$$ all=$& \\1")], b'echo "pid=$$ all=$& \\1"\n'),
        (b"a = 1\nb = 2\n", [("a = 1", "a = b"), ("b", "c")], b"a = b\nc = 2\n"),
        (b"a b\n", [("a", "b"), ("b", "a")], b"b a\n"),
        (b"abcdef\n", [("def", "Y"), ("abc", "X")], b"XY\n"),
        (b"ab", [("b", "Yb"), ("a", "aX")], b"aXYb"),
    ],
)
def test_only_the_bytes_that_an_edit_changes_change(data: bytes, edits: Edits, result: bytes) -> None:
    assert written(data, *edits) == result


def test_spans_hold_what_differs_in_raw_offsets() -> None:
    found = resolve("one\r\ntwo\r\nthree\r\n", [Replacement("three", "3"), Replacement("one\ntwo", "one\n2\n")])
    assert isinstance(found, Applied)
    assert found.spans == (Span(5, 8, "2\r\n", 1), Span(10, 15, "3", 0))
    assert found.text == "one\r\n2\r\n\r\n3\r\n"
    assert found.first_line == 2


# Why edits are refused.


@pytest.mark.parametrize(
    ("text", "edits", "refusals"),
    [
        ("abc", [], [NoReplacements()]),
        ("", [("", "X")], [Empty(0)]),
        ("abc", [("", "")], [Empty(0)]),
        ("abc", [("a", "a")], [Unchanging(0)]),
        ("aba", [("a", "a"), ("x", "x")], [Unchanging(0), Unchanging(1)]),
        ("a\r\nb\r\n", [("a\nb", "a\r\nb")], [Unchanging(0)]),
        ("abc", [("x", "y")], [NotFound(0)]),
        ("a\r\nb", [("a\rb", "y")], [NotFound(0)]),
        ("a\rb", [("a\nb", "y")], [NotFound(0)]),
        ("a\u2028b", [("a\nb", "y")], [NotFound(0)]),
        ("cafe\u0301", [("caf\u00e9", "y")], [NotFound(0)]),
        ("aaa", [("aa", "b")], [Ambiguous(0, 2, (1, 1))]),
        ("x\ny\nx\r\ny\nx\n", [("x\ny", "z")], [Ambiguous(0, 2, (1, 3))]),
        ("red\n", [("red", "green"), ("green", "blue")], [NotFound(1)]),
        ("abcdef", [("abc", "X"), ("cde", "Y")], [Overlapping(1, other=0)]),
        ("abcdef", [("abcdef", "X"), ("cd", "Y")], [Overlapping(1, other=0)]),
        ("abcdef", [("ab", "X"), ("ab", "Y")], [Overlapping(1, other=0)]),
        ("abcdef", [("ab", "X"), ("ab", "X")], [Overlapping(1, other=0)]),
        ("abcdef", [("bcd", "Xd"), ("abc", "Y")], [Overlapping(1, other=0)]),
        ("a\r\nb", [("a\r", "X"), ("\nb", "Y")], [Overlapping(1, other=0)]),
        ("abcd", [("cd", "X"), ("ab", "Y"), ("bc", "Z")], [Overlapping(2, other=0), Overlapping(2, other=1)]),
        ("abcd", [("abcd", "X"), ("b", "Y"), ("d", "Z")], [Overlapping(1, other=0), Overlapping(2, other=0)]),
        ("abc", [("abc", "X"), ("bc", "Y"), ("c", "Z")], [Overlapping(1, other=0), Overlapping(2, other=0)]),
        ("a" * 10_001, [("a", "b")], [Ambiguous(0, 10_000, (1,) * 10, more=True)]),
        ("ab", [("a", "b\ud83d")], [Unencodable(0, 1)]),
        ("ab", [("\ud83d", "b")], [NotFound(0)]),
    ],
)
def test_each_reason_is_named(text: str, edits: Edits, refusals: list[object]) -> None:
    found = resolve(text, replacements(edits))
    assert isinstance(found, Refused)
    assert sorted(found.refusals, key=repr) == sorted(refusals, key=repr)


def test_every_bad_edit_is_reported_at_once_in_order() -> None:
    edits = [("ab", "X"), ("", "y"), ("q", "y"), ("bc", "Y"), ("z", "y"), ("d", "d"), ("e", "\udc00"), ("f", "F")]
    found = resolve("abcdefzz", replacements(edits))
    assert found == Refused(
        (
            Empty(1),
            NotFound(2),
            Overlapping(3, other=0),
            Ambiguous(4, 2, (1, 1)),
            Unchanging(5),
            Unencodable(6, 0),
        )
    )


def test_touching_matches_are_no_overlap_whatever_is_left_of_them() -> None:
    assert outcome("abcd", [("ab", "abX"), ("cd", "Ycd")]) == "abXYcd"


def test_a_character_that_the_files_encoding_lacks_is_refused() -> None:
    assert written(b"caf\xe9", ("caf", "\u2192"), encodings=("latin-1",)) == Refused((Unencodable(0, 0),))
    assert written(b"caf\xe9", ("caf", "th\u00e9, caf"), encodings=("latin-1",)) == b"th\xe9, caf\xe9"


@given(st.lists(st.integers(0, 9), min_size=2, max_size=8))
def test_every_edit_that_overlaps_an_earlier_one_is_named(starts: list[int]) -> None:
    text = "abcdefghijkl"
    edits = [(text[start : start + 3], f"<{number}>") for number, start in enumerate(starts)]
    clashing = {
        number
        for number, start in enumerate(starts)
        for other, earlier in enumerate(starts)
        if number != other and abs(start - earlier) < 3
    }
    found = resolve(text, replacements(edits))
    if clashing:
        assert isinstance(found, Refused)
        named = [(refusal.index, refusal.other) for refusal in found.refusals if isinstance(refusal, Overlapping)]
        assert len(named) == len(found.refusals)
        assert {number for pair in named for number in pair} == clashing
        assert all(abs(starts[index] - starts[other]) < 3 and other < index for index, other in named)
    else:
        assert isinstance(found, Applied)


# Every place of a text.


def everywhere(text: str, *edits: tuple[str, str]) -> str | Refused:
    found = resolve(text, [Replacement(old, new, everywhere=True) for old, new in edits])
    return found.text if isinstance(found, Applied) else found


#: Few letters, so that texts recur and overlap with themselves.
RECURRING = st.text("ab\n", max_size=24)


@given(RECURRING, st.text("ab\n", min_size=1, max_size=3), st.text("abc\n", max_size=3))
def test_every_place_is_that_of_str_replace(text: str, old: str, new: str) -> None:
    replaced = text.replace(old, new)
    if old == new:
        assert everywhere(text, (old, new)) == Refused((Unchanging(0),))
    elif replaced == text:
        assert everywhere(text, (old, new)) == Refused((NotFound(0),))
    else:
        assert everywhere(text, (old, new)) == replaced


@given(
    st.lists(st.sampled_from(["a", "b", "\n", "\r\n"]), max_size=24).map("".join),
    st.text("ab\n", min_size=1, max_size=3),
    st.text("abc\n", max_size=3),
)
def test_every_place_of_the_view_is_that_of_str_replace(text: str, old: str, new: str) -> None:
    found = everywhere(text, (old, new))
    if isinstance(found, str):
        assert view(found) == view(text).replace(old, new)
    else:
        assert view(text).replace(old, new) == view(text)


@given(st.text("ab\r\n", max_size=24), st.text("ab\r\n", min_size=1, max_size=3), st.text("abc\r\n", max_size=3))
def test_every_place_of_a_text_that_is_there_once_is_that_one(text: str, old: str, new: str) -> None:
    once = resolve(text, [Replacement(old, new)])
    if isinstance(once, Applied) or not isinstance(once.refusals[0], Ambiguous):
        assert resolve(text, [Replacement(old, new, everywhere=True)]) == once


@given(st.text("ab\r\nc", max_size=24), st.text("ab", min_size=1, max_size=2))
def test_what_lies_between_the_places_stays(text: str, old: str) -> None:
    found = resolve(text, [Replacement(old, "<\n>", everywhere=True)])
    if not isinstance(found, Applied):
        assert old not in text
        return
    kept, at = [], 0
    for span in found.spans:
        assert (text[span.start : span.end], span.index) == (old, 0)
        kept.append(text[at : span.start])
        at = span.end
    assert [*kept, text[at:]] == text.split(old)


def test_edits_of_one_place_and_of_every_place_share_a_file() -> None:
    edits = [Replacement("x", "y", everywhere=True), Replacement("one", "1")]
    found = resolve("x one x\r\nx", edits)
    assert isinstance(found, Applied)
    assert found.text == "y 1 y\r\ny"
    assert [span.index for span in found.spans] == [0, 1, 0, 0]
    assert resolve("ax b", [Replacement("x", "y", everywhere=True), Replacement("ax", "b")]) == Refused(
        (Overlapping(1, other=0),)
    )
    assert resolve("xx yxxz", [Replacement("xx", "y", everywhere=True), Replacement("xz", "b")]) == Refused(
        (Overlapping(1, other=0),)
    )
    assert resolve("a", [Replacement("x", "y", everywhere=True), Replacement("q", "b")]) == Refused(
        (NotFound(0), NotFound(1))
    )


def test_a_place_that_has_the_new_ending_already_stays_and_still_is_matched() -> None:
    assert everywhere("a\r\nb\na\n", ("a\n", "a\r\n")) == "a\r\nb\na\r\n"
    assert everywhere("a\r\n", ("a\n", "a\r\n")) == Refused((Unchanging(0),))
    both = [Replacement("a\n", "a\r\n", everywhere=True), Replacement("a\nb", "c")]
    assert resolve("a\r\nb\na\n", both) == Refused((Overlapping(1, other=0),))


def test_legacy_text_is_edited_everywhere_or_nowhere() -> None:
    legacy = decode(b"x \xe9 x\n")
    assert isinstance(legacy, LegacyText)
    found = resolve_legacy(legacy, [Replacement("x", "y", everywhere=True)])
    assert isinstance(found, Applied)
    assert splice(b"x \xe9 x\n", legacy, found) == b"y \xe9 y\n"
    assert found.text == "y \u00e9 y\n"
    beside = decode(b"x \xe9x\n")
    assert isinstance(beside, LegacyText)
    assert resolve_legacy(beside, [Replacement("x", "y", everywhere=True)]) == NotText((0,))
