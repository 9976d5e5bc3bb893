"""Labels and the codecs that they mean."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.web.charset_labels import codec


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
