"""Records, cut into pieces anywhere, against the matches that they were written from."""

from __future__ import annotations

import itertools
import tracemalloc
from collections.abc import Iterable, Iterator

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.search.records import GrepRecords, to_match
from mmtools.ports.search import EngineFailed, Match

SENTENCE = b': binary file matches (found "\\0" byte around offset 7)\n'


@frozen
class Line:
    path: bytes
    number: int
    column: int | None
    text: bytes
    end: bytes

    def written(self) -> bytes:
        column = b"" if self.column is None else b"%d\0" % (self.column + 1)
        return b"./%b\0%d\0%b%b%b" % (self.path, self.number, column, self.text, self.end)


NAMES = st.one_of(
    st.sampled_from(
        [
            b"a",
            b"a/b",
            b"a\nb",
            b"a:1:b",
            b"rg: .",
            b"./x",
            b"\xff",
            b"1",
            b"s" + SENTENCE + b"./b",
            b"s" + SENTENCE + b"b",
            SENTENCE,
        ]
    ),
    st.binary(min_size=1, max_size=8).map(lambda name: name.replace(b"\0", b"-")),
)
TEXTS = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_characters="\0\n\r")).map(str.encode),
    st.binary(max_size=40).map(lambda text: bytes(byte for byte in text if byte not in b"\0\n\r")),
    st.tuples(st.sampled_from(["é", "a", "😀", "\udcff"]), st.integers(0, 2_500)).map(
        lambda pair: (pair[0] * pair[1]).encode("utf-8", "surrogateescape")
    ),
    st.just(b"\r"),
    st.just(b"12"),
)
LINES = st.builds(
    lambda path, number, at, text, end: Line(path, number, None if at is None else at % (len(text) + 1), text, end),
    NAMES,
    st.integers(1, 10**12),
    st.none() | st.integers(0, 10_000),
    TEXTS,
    st.sampled_from([b"\n", b"\r\n"]),
).filter(lambda line: not line.text.endswith(b"\r") or line.end == b"\r\n")
WRITTEN = st.lists(LINES | NAMES, max_size=8)


def pieces(data: bytes, cuts: Iterable[int]) -> Iterator[bytes]:
    marks = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    for low, high in itertools.pairwise(marks):
        yield data[low:high]


def reader(written: Iterable[Line | bytes] = (), *, skip: int = 0, limit: int = 1_000) -> GrepRecords:
    names = {each.path if isinstance(each, Line) else each for each in written}
    sentences = {each for each in written if isinstance(each, bytes)}
    return GrepRecords(
        skip=skip,
        limit=limit,
        wanted=lambda path: not path.endswith(b"1"),
        exists=names.__contains__,
        is_text=lambda path: path not in sentences,
    )


def by_file(written: list[Line | bytes]) -> list[Line | bytes]:
    """Put each file's lines together, and its sentence after them."""
    files: dict[bytes, list[Line | bytes]] = {}
    for each in written:
        files.setdefault(each.path if isinstance(each, Line) else each, []).append(each)
    return [each for file in files.values() for each in sorted(file, key=lambda each: isinstance(each, bytes))]


@given(written=WRITTEN, cuts=st.lists(st.integers(0, 10**6)), skip=st.integers(0, 3), limit=st.integers(1, 8))
def test_records_are_read_back_wherever_they_are_cut(
    written: list[Line | bytes], cuts: list[int], skip: int, limit: int
) -> None:
    written = by_file(written)
    data = b"".join(each.written() if isinstance(each, Line) else b"./" + each + SENTENCE for each in written)
    found = reader(written, skip=skip, limit=limit)
    wants_more = True
    for piece in pieces(data, cuts):
        if wants_more:
            wants_more = found.feed(piece)
    found.end()
    wanted = [each for each in written if not (each.path if isinstance(each, Line) else each).endswith(b"1")]
    sentences = {each for each in wanted if isinstance(each, bytes)}
    places = [index for index, each in enumerate(wanted) if isinstance(each, Line) and each.path not in sentences]
    lines = [each for each in wanted if isinstance(each, Line) and each.path not in sentences]
    shown = lines[skip : skip + limit]
    assert found.full is (len(lines) > skip + limit) is not wants_more
    assert [(each.path, each.line, each.size) for each in found.matches] == [
        (line.path, line.number, len(line.text)) for line in shown
    ]
    until = places[skip + limit] if found.full else len(wanted)
    assert set(found.binary) == {each for each in wanted[:until] if isinstance(each, bytes)}
    for record, line in zip(found.matches, shown, strict=True):
        assert to_match(record, "p") == plainly_cut(line)


@pytest.mark.parametrize("cut", [5, 9, 1_000])
def test_of_a_file_that_turns_out_to_be_no_text_nothing_is_kept(cut: int) -> None:
    lines = [Line(path, number, 0, b"x", b"\n") for path in (b"a", b"b", b"c") for number in (1, 2, 3)]
    written: list[Line | bytes] = [*lines[:6], b"b", *lines[6:]]
    data = b"".join(each.written() if isinstance(each, Line) else b"./" + each + SENTENCE for each in written)
    for skip, limit, shown in [
        (0, 9, "aaaccc"),
        (0, 4, "aaac"),
        (2, 2, "ac"),
        (4, 1, "c"),
        (3, 3, "ccc"),
        (1, 2, "aa"),
    ]:
        found = reader(written, skip=skip, limit=limit)
        for start in range(0, len(data), cut):
            if not found.feed(data[start : start + cut]):
                break
        found.end()
        assert "".join(each.path.decode() for each in found.matches) == shown
        assert found.full is (skip + limit < 6)
        assert set(found.binary) == {b"b"}


def plainly_cut(line: Line) -> Match:
    """Cut a line by its characters, with all of it at hand."""
    at = len(decoded(line.text[: line.column or 0]))
    before, after = decoded(line.text[: line.column or 0]), decoded(line.text[line.column or 0 :])
    whole = decoded(line.text)
    if len(whole) <= 500:
        return Match(path="p", line=line.number, text=legible(whole))
    start = max(0, min(at - 250, at + len(after) - 500))
    shown = (before + after)[start : start + 500]
    left = encoded((before + after)[:start])
    return Match(
        path="p",
        line=line.number,
        text=legible(shown),
        before=len(left),
        after=len(line.text) - len(left) - len(encoded(shown)),
    )


def decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def legible(text: str) -> str:
    return encoded(text).decode("utf-8", "replace")


@pytest.mark.parametrize("filling", ["a", "é", "😀", "\udcff"])
@pytest.mark.parametrize("place", [0, 3_000, 40_000, 1_000_000])
def test_a_line_too_long_to_be_kept_is_cut_like_any_other(filling: str, place: int) -> None:
    text = encoded(filling * 1_000_000)
    line = Line(b"p", 3, place * len(encoded(filling)), text, b"\r\n")
    found = reader([line])
    data = line.written() + b"./q\x001\x001\0x\n"
    for start in range(0, len(data), 70_001):
        found.feed(data[start : start + 70_001])
    first, second = found.matches
    assert to_match(first, "p") == plainly_cut(line)
    assert to_match(second, "q") == Match(path="q", line=1, text="x")


def test_memory_is_bounded_whatever_the_line() -> None:
    found = reader()
    found.feed(b"./p\x001\x0050000001\0")
    piece = b"x" * (1 << 18)
    tracemalloc.start()
    for _ in range(400):
        found.feed(piece)
    found.feed(b"\n")
    assert tracemalloc.get_traced_memory()[1] < 2 << 20
    tracemalloc.stop()
    (record,) = found.matches
    assert record.size == 400 << 18
    match = to_match(record, "p")
    assert (match.before, len(match.text), match.after) == (49_999_750, 500, (400 << 18) - 50_000_250)


def test_what_is_broken_off_is_dropped() -> None:
    whole = b"./a\x001\x001\0x\n"
    for end in range(len(whole)):
        found = reader()
        found.feed(whole + whole[:end])
        found.end()
        assert len(found.matches) == 1


def test_a_sentence_about_a_file_that_is_gone_is_one() -> None:
    found = reader()
    found.feed(b"./gone" + SENTENCE + b"./also" + SENTENCE + b"./a\x001\x001\0x\n./last" + SENTENCE)
    found.end()
    assert found.binary == [b"gone", b"also", b"last"]
    assert [each.path for each in found.matches] == [b"a"]


@pytest.mark.parametrize("data", [b"a\x001\x001\0x\n", b"./a\0x\0y\n", b"./a\0one\n", b"./a\x00" + b"9" * 70_000])
def test_other_output_is_no_engine(data: bytes) -> None:
    with pytest.raises(EngineFailed, match="unexpected output"):
        reader().feed(data)
