"""Bytes to text and back: nothing is lost, nothing is guessed."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.text import Binary, LegacyText, Text, decode, raw_offset, unencodable, utf8_size, view
from mmtools.testing.strategies import file_bytes, texts

ENCODINGS = st.lists(st.sampled_from(["ascii", "cp932", "gbk", "cp1252", "big5", "iso2022_jp", "utf-7"]), max_size=3)
BOMS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@given(file_bytes() | st.binary(), ENCODINGS)
def test_what_is_text_gives_back_every_byte(data: bytes, encodings: list[str]) -> None:
    decoded = decode(data, encodings)
    if isinstance(decoded, Binary):
        assert decoded.size == len(data)
    else:
        assert decoded.encode(decoded.content) == data


@given(texts(), st.sampled_from(BOMS))
def test_a_bom_is_kept_and_not_shown(content: str, bom: bytes) -> None:
    content = content.replace("\0", "")
    encoding = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}[bom]
    data = bom + content.encode(encoding)
    decoded = decode(data)
    assert decoded == Text(content, encoding, bom)
    assert isinstance(decoded, Text)
    assert data.decode(decoded.codec) == content


@given(st.binary(), st.binary())
def test_a_nul_without_a_wide_bom_is_binary_whatever_the_host_allows(head: bytes, tail: bytes) -> None:
    data = head + b"\0" + tail
    decoded = decode(data, ["latin-1", "utf-16-le"])
    if not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        assert decoded == Binary(len(data))


@pytest.mark.parametrize(
    "data",
    [
        "plain text".encode("utf-16-le"),
        "plain text".encode("utf-16-be"),
        "plain text".encode("utf-32"),
        codecs.BOM_UTF32_BE + "plain text".encode("utf-32-be"),
        codecs.BOM_UTF16_LE + "cut off".encode("utf-16-le")[:-1],
        codecs.BOM_UTF16_LE + "a\0b".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + b"\xd8\x00\x00a",
        b"\x7fELF\x02\x01\x01\0",
        b"\0",
    ],
)
def test_wide_characters_without_a_bom_or_with_a_fault_are_binary(data: bytes) -> None:
    assert decode(data) == Binary(len(data))


@given(file_bytes())
def test_valid_utf8_is_never_taken_for_anything_else(data: bytes) -> None:
    try:
        content = data.decode("utf-8")
    except UnicodeDecodeError:
        return
    decoded = decode(data, ["cp1252", "gbk"])
    if "\0" not in content:
        assert isinstance(decoded, Text)
        assert decoded.encoding == "utf-8"
        assert decoded.content == content.removeprefix("\ufeff")


@pytest.mark.parametrize(
    ("encodings", "encoding"),
    [
        (["cp1252", "gbk"], "cp1252"),
        (["gbk", "cp1252"], "gbk"),
        (["ascii", "utf-8", "gbk"], "gbk"),
    ],
)
def test_the_hosts_encodings_are_tried_in_order(encodings: list[str], encoding: str) -> None:
    data = "中文".encode("gbk")
    assert decode(data, encodings) == Text(data.decode(encoding), encoding)


def test_an_encoding_that_would_not_give_back_the_bytes_is_passed_over() -> None:
    data = b"\x87\x90"
    assert data.decode("cp932").encode("cp932") != data
    assert isinstance(decode(data, ["cp932"]), LegacyText)
    assert decode(data, ["cp932", "latin-1"]) == Text("\x87\x90", "latin-1")


def test_a_bom_in_a_hosts_encoding_is_hidden_too() -> None:
    bom = "\ufeff".encode("gb18030")
    data = bom + "中".encode("gb18030")
    assert decode(data, ["gb18030"]) == Text("中", "gb18030", bom)


def test_an_unknown_encoding_is_the_hosts_bug() -> None:
    with pytest.raises(LookupError):
        decode(b"\xff", ["no-such-encoding"])


@given(file_bytes())
def test_legacy_text_shows_one_replacement_for_each_byte_it_cannot_decode(data: bytes) -> None:
    decoded = decode(data.replace(b"\0", b""))
    if isinstance(decoded, LegacyText):
        shown = decoded.shown()
        genuine = data.count("\ufffd".encode())
        assert decoded.undecodable == shown.count("\ufffd") - genuine > 0
        assert [c for c in shown if c.isascii()] == [c for c in decoded.content if c.isascii()]
        shown.encode("utf-8")


@pytest.mark.parametrize(
    ("data", "shown", "undecodable"),
    [
        (b"caf\xe9\n", "caf\ufffd\n", 1),
        (b"# \xd6\xd0\xce\xc4\n", "# \ufffd\ufffd\ufffd\ufffd\n", 4),
        ("é".encode() + b"\xe4\xb8", "é\ufffd\ufffd", 2),
        (codecs.BOM_UTF8 + b"a\xff", "a\ufffd", 1),
        (b"\xed\xa0\x80", "\ufffd\ufffd\ufffd", 3),
    ],
)
def test_legacy_text_is_shown_as_far_as_it_is_utf8(data: bytes, shown: str, undecodable: int) -> None:
    decoded = decode(data)
    assert isinstance(decoded, LegacyText)
    assert (decoded.shown(), decoded.undecodable) == (shown, undecodable)


@given(texts())
def test_the_view_differs_only_in_whole_line_breaks(content: str) -> None:
    assert view(content) == "".join(seen for seen, _ in cells(content))


@given(texts(), st.data())
def test_a_place_of_the_view_is_found_in_the_raw_text(content: str, data: st.DataObject) -> None:
    widths = [width for _, width in cells(content)]
    start = data.draw(st.integers(0, len(widths)))
    offset = data.draw(st.integers(0, len(widths) - start))
    assert raw_offset(content, offset, sum(widths[:start])) == sum(widths[: start + offset])


def test_a_place_far_behind_many_line_breaks_is_found() -> None:
    assert raw_offset("\r\n" * 100_000 + "x", 100_000) == 200_000


def cells(content: str) -> list[tuple[str, int]]:
    """Return each character of the view with its width in the raw text."""
    found: list[tuple[str, int]] = []
    for character in content:
        if character == "\n" and found and found[-1] == ("\r", 1):
            found[-1] = ("\n", 2)
        else:
            found.append((character, 1))
    return found


@pytest.mark.parametrize(
    ("content", "encoding", "index"),
    [
        ("a😀\n", "utf-8", None),
        ("a\ud83d", "utf-8", 1),
        ("\udc00", "utf-16-le", 0),
        ("caf\u00e9", "cp1252", None),
        ("a \u2192 b", "cp1252", 2),
        ("caf\u00e9", "ascii", 3),
    ],
)
def test_the_first_character_without_a_place_is_named(content: str, encoding: str, index: int | None) -> None:
    assert unencodable(content, encoding) == index
    if encoding == "utf-8":
        assert unencodable(content) == index


@given(st.text(st.characters(exclude_categories=[])))
def test_the_size_in_utf8_counts_three_bytes_for_a_lone_surrogate(content: str) -> None:
    assert utf8_size(content) == sum(1 + (c > "\x7f") + (c > "\u07ff") + (c > "\uffff") for c in content)


def test_a_place_counts_from_the_start_unless_another_is_given() -> None:
    assert raw_offset("\r\nab", 2) == 3


@given(file_bytes(), st.data())
def test_characters_are_found_in_the_bytes(data: bytes, drawn: st.DataObject) -> None:
    decoded = decode(data, ["gbk"])
    if isinstance(decoded, Binary):
        return
    offsets = sorted(drawn.draw(st.lists(st.integers(0, len(decoded.content)), max_size=4)))
    found = decoded.byte_offsets(offsets)
    if found is None:
        assert isinstance(decoded, Text)
        assert decoded.encoding == "gbk"
    else:
        assert found == [len(decoded.encode(decoded.content[:offset])) for offset in offsets]
