"""Bodies as text: what is right by construction, and what must never fail."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.web.charsets import codec, decode
from mmtools.core.web.media_types import Form

TEXT, HTML, XML = Form.TEXT, Form.HTML, Form.XML

#: Label → characters that it has, decoded as they were encoded.
ENCODED = {
    "utf-8": "añ日😀", "gbk": "中文简体", "gb18030": "中文😀", "big5": "繁體中文", "shift_jis": "日本語カタカナ", "euc-jp": "日本語",
    "euc-kr": "한국어", "koi8-r": "привет", "windows-1251": "Привет", "iso-8859-2": "žluťoučký", "windows-1252": "café “x”",
    "iso-8859-7": "αβγ", "windows-1255": "שלום", "tis-620": "ไทย", "iso-8859-9": "ışğ", "iso-2022-jp": "日本",
}  # fmt: skip

CODEC = {"windows-1251": "cp1251", "tis-620": "cp874", "shift_jis": "cp932", "iso-8859-9": "cp1254"}


@given(st.sampled_from(sorted(ENCODED)), st.data())
def test_a_label_brings_the_text_back(label: str, data: st.DataObject) -> None:
    text = data.draw(st.text(ENCODED[label] + "abc <>\n", max_size=60))
    body = text.encode(CODEC.get(label, label))
    assert decode(body, label.upper(), TEXT).text == text
    assert decode(body, label, HTML).undecodable == 0


@given(
    st.binary(max_size=300),
    st.one_of(st.none(), st.text(max_size=10), st.sampled_from(sorted(ENCODED))),
    st.sampled_from(Form),
)
def test_nothing_fails(body: bytes, label: str | None, form: Form) -> None:
    decoded = decode(body, label, form)
    assert decoded.undecodable >= 0
    assert "\ufffd" in decoded.text or decoded.undecodable == 0 or not decoded.text.isascii()


@given(
    st.text(min_size=1, max_size=80),
    st.sampled_from(["utf-8-sig", "utf-16", "utf-32"]),
    st.sampled_from(["gbk", None, "x"]),
)
def test_a_byte_order_mark_counts_most(text: str, codec: str, label: str | None) -> None:
    text = text.encode("utf-8", "ignore").decode().lstrip("\0\ufeff")
    assert decode(text.encode(codec), label, TEXT).text == text


def test_the_four_that_went_wrong_elsewhere() -> None:
    assert decode(b"\xd6\xd0\xce\xc4", "gbk", TEXT).text == "中文"
    assert "日本語" in decode(b'<meta charset="shift_jis"><p>\x93\xfa\x96{\x8c\xea</p>', None, HTML).text
    assert decode(b"caf\xe9 \x93x\x94", "iso-8859-1", TEXT).text == "café “x”"
    assert decode("é".encode(), "nonsense", TEXT).text == "é"


@pytest.mark.parametrize(
    "declaration",
    [
        b'<meta charset="gbk">', b"<META CHARSET=gbk>", b"<meta\ncharset='GBK'/>", b'<?xml version="1.0" encoding="gbk"?>',
        b'<meta http-equiv="Content-Type" content="text/html; charset=gbk">', b"<!-- <meta charset=utf-8> --><meta charset=gbk>",
        b"<meta name=x><meta charset=nonsense><meta charset=gbk>",
    ],
)  # fmt: skip
def test_a_page_declares_its_own_characters(declaration: bytes) -> None:
    body = declaration + b"<p>\xd6\xd0\xce\xc4"
    assert decode(body, None, HTML).text.endswith("中文")
    assert decode(body, "utf-8", HTML).codec == "utf-8"
    assert decode(body, "nonsense", HTML).text.endswith("中文")
    assert not decode(body, None, TEXT).text.endswith("中文")


def test_xml_declares_its_own_characters() -> None:
    assert decode(b'<?xml version="1.0" encoding="windows-1251"?><a>\xcf</a>', None, XML).text.endswith("<a>П</a>")
    assert decode("<meta charset=utf-16>é".encode(), None, HTML).text.endswith("é")


def test_without_any_word_utf8_is_tried_and_then_what_windows_has() -> None:
    assert decode("é日".encode(), None, TEXT).codec == "utf-8"
    assert decode(b"caf\xe9", None, TEXT).text == "café"
    assert decode(b"caf\xe9", "nonsense", TEXT).text == "caf\ufffd"
    slip = decode("日本語の長い文章".encode() + b"\xff", None, TEXT)
    assert (slip.codec, slip.undecodable) == ("utf-8", 1)


def test_a_body_that_is_not_whole_may_end_within_a_character() -> None:
    assert decode("日本語".encode()[:-1], None, TEXT, whole=False).text == "日本"
    assert decode("日本語".encode()[:-1], "utf-8", TEXT, whole=False).undecodable == 0
    assert decode("日本".encode("cp932")[:-1], "shift_jis", TEXT, whole=False).text == "日"
    assert decode("日本語".encode()[:-1], "utf-8", TEXT).undecodable == 1


def test_utf16_without_its_mark_is_known_by_its_zeros() -> None:
    for name in ("utf-16-le", "utf-16-be"):
        assert decode("plain words".encode(name), None, TEXT).text == "plain words"


# Labels


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("utf8", "utf-8"), ("UTF-8", "utf-8"), ("latin1", "cp1252"), ("ISO-8859-1", "cp1252"), ("ascii", "cp1252"),
        ("us-ascii", "cp1252"), ("iso-8859-9", "cp1254"), ("tis-620", "cp874"), ("gb2312", "gb18030"), ("gbk", "gb18030"),
        ("shift_jis", "cp932"), ("x-sjis", "cp932"), ("euc-kr", "cp949"), ("ks_c_5601-1987", "cp949"), ("big5", "big5hkscs"),
        ("utf-16", "utf-16-le"), (" koi8-r\n", "koi8-r"), ('"windows-1251"', "cp1251"), ("iso-8859-15", "iso8859-15"),
        ("euc-jp", "euc_jp"), ("iso-2022-jp", "iso2022_jp"), ("macintosh", "mac-roman"), ("hebrew", "iso8859-8"),
    ],
)  # fmt: skip
def test_labels(label: str, name: str) -> None:
    assert codec(label) == name
    assert codecs.lookup(name)


@pytest.mark.parametrize("label", ["", "nonsense", "rot13", "base64", "zlib", "idna", "utf-7", "unicode_escape"])
def test_no_label_leads_to_a_codec_of_something_else(label: str) -> None:
    assert codec(label) is None


@given(st.text(max_size=20))
def test_whatever_a_label_says_its_codec_decodes(label: str) -> None:
    name = codec(label)
    assert name is None or isinstance(b"abcd".decode(name, "replace"), str)
