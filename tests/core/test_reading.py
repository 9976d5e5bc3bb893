"""Windows of files in every encoding, against an oracle that holds the whole file."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core import reading
from mmtools.core.forms import Form
from mmtools.core.lines import PastEnd, Window
from mmtools.core.reading import Converted, Found, NotText, Shown, TooWide
from mmtools.core.text import LegacyText, Text, decode

EVERYTHING = 10**6
ALL_LINES = Window()

texts = st.text(st.sampled_from("ab\n\r\n é漢😀\ufeff\u2028"), max_size=40)


def find(data: bytes, window: Window = ALL_LINES, *, max_chars: int = EVERYTHING) -> reading.Reading:
    return reading.find(io.BytesIO(data).read, window, max_chars=max_chars)


def text_of(data: bytes, window: Window = ALL_LINES) -> str:
    found = find(data, window)
    if found == PastEnd(0):
        return ""
    assert isinstance(found, Found)
    return reading.shown(found.excerpt.data).text


@given(texts, st.sampled_from(["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"]))
def test_a_whole_file_is_read_as_it_is_decoded(text: str, encoding: str) -> None:
    bom = "\ufeff" if encoding.startswith("utf-16") else ""
    data = (bom + text).encode(encoding)
    decoded = decode(data)
    assert isinstance(decoded, Text)
    assert text_of(data) == decoded.content


@given(texts.filter(lambda text: text.count("\n") > 1), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_every_line_is_read_as_it_stands_in_the_whole(text: str, encoding: str) -> None:
    data = text.encode(encoding)
    decoded = decode(data)
    assert isinstance(decoded, Text)
    every = decoded.content.split("\n")
    for number, line in enumerate(every[:-1], 1):
        assert text_of(data, Window(number, number)) == line + "\n"


@given(st.lists(st.binary(min_size=1, max_size=6).map(lambda line: line.translate(None, b"\0\n")), min_size=2))
def test_every_line_of_a_legacy_file_is_read_as_it_stands_in_the_whole(every: list[bytes]) -> None:
    data = b"#\n" + b"\n".join(every) + b"\n"
    whole = decode(data)
    undecodable = 0
    for number, line in enumerate(every, 2):
        found = find(data, Window(number, number))
        assert isinstance(found, Found)
        assert found.excerpt.data == line + b"\n"
        shown = reading.shown(found.excerpt.data)
        undecodable += shown.undecodable
        if isinstance(whole, LegacyText):
            assert shown.text == whole.shown().split("\n")[number - 1] + "\n"
    assert undecodable == (whole.undecodable if isinstance(whole, LegacyText) else 0)


def test_only_the_first_mark_of_a_file_is_its_bom() -> None:
    data = b"\xef\xbb\xbf\xef\xbb\xbfa\n\xef\xbb\xbfb\n"
    assert text_of(data) == "\ufeffa\n\ufeffb\n"
    assert text_of(data, Window(2)) == "\ufeffb\n"


def test_marks_of_utf16_inside_a_legacy_file_are_bytes_like_others() -> None:
    assert reading.shown(b"\xff\xfea\n") == Shown("\ufffd\ufffda\n", 2, encoding=None)
    assert reading.shown(b"\xef\xbb\xbf\xe9\n") == Shown("\ufeff\ufffd\n", 1, encoding=None)


def test_a_named_encoding_is_tried_where_utf8_fails() -> None:
    assert reading.shown(b"caf\xe9\n", ["cp1252"]) == Shown("café\n", encoding="cp1252")
    assert reading.shown("café\n".encode(), ["cp1252"]) == Shown("café\n")
    assert reading.shown(b"\x81\n", ["cp1252"]) == Shown("\ufffd\n", 1, encoding=None)


def test_what_holds_a_nul_cannot_be_shown() -> None:
    with pytest.raises(ValueError, match="NUL"):
        reading.shown(b"\xe9\0")


@pytest.mark.parametrize("before", [0, 10, 70_000, 1_000_000])
def test_a_nul_in_what_is_read_makes_a_file_binary(before: int) -> None:
    data = b"%PDF-1.7\n" + b"x" * 50 + b"\n" * before + b"\0" + b"\n" * 10
    assert find(data) == NotText(data[:264])
    assert find(data, Window(before + 2)) == NotText(data[:264])


def test_utf16_without_an_end_is_no_utf16() -> None:
    found = find(b"\xff\xfea\nb\nc", Window(2))
    assert isinstance(found, Found)
    assert (found.excerpt.data, found.converted) == (b"b\nc", None)


def test_utf16_with_a_nul_is_binary() -> None:
    assert isinstance(find("a\0b".encode("utf-16")), NotText)


def test_utf16_is_converted_up_to_a_limit() -> None:
    unit = "\n".encode("utf-16-le")
    largest = b"\xff\xfe" + unit * (reading.MAX_CONVERTED // 2 - 1)
    found = find(largest, Window(3, 4))
    assert isinstance(found, Found)
    assert found.excerpt.data == b"\n\n"
    form = Form(encoding="utf-16-le", bom=True)
    assert found.converted == Converted(reading.MAX_CONVERTED // 2 - 1, form)
    assert find(largest + unit) == TooWide()


class Counting(io.BytesIO):
    """A stream that counts the bytes that are read."""

    taken = 0

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self.taken += len(data)
        return data


@pytest.mark.parametrize(("window", "at_most"), [(Window(1, 10), 100_000), (Window(), 500_000), (Window(2), 500_000)])
def test_no_more_is_read_than_an_answer_needs(window: Window, at_most: int) -> None:
    file = Counting(b"0123456789\n" * 1_000_000)
    reading.find(file.read, window, max_chars=30_000)
    assert file.taken <= at_most


def test_where_the_lines_stand_in_the_file_is_known() -> None:
    data = b"\xef\xbb\xbfone\ntwo\nthree\n"
    found = find(data, Window(3))
    assert isinstance(found, Found)
    assert data[found.begins + found.excerpt.offset :] == b"three\n"
