"""Content types as servers send them, and bodies that nobody named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.web.media_types import Form, MediaType, form, parse, sniff


@pytest.mark.parametrize(
    ("header", "essence", "charset"),
    [
        (None, "", None), ("", "", None), ("text/html", "text/html", None), ("Text/HTML; Charset=UTF-8", "text/html", "UTF-8"),
        ('text/html;charset="gbk"', "text/html", "gbk"), ("text/html; charset='gbk'", "text/html", "gbk"),
        ("text/html;charset=", "text/html", None), ("text/html; a=b; charset = x ; c=d", "text/html", "x"),
        ("nonsense", "", None), ("*/*", "", None), ("text/plain, text/html; charset=x", "text/html", "x"),
        ('text/plain; x="a,b/c"; charset=y', "text/plain", "y"), ("; charset=x", "", None),
        ("text/html, nonsense", "text/html", None),
    ],
)  # fmt: skip
def test_headers(header: str | None, essence: str, charset: str | None) -> None:
    assert parse(header) == MediaType(essence, charset)


@given(st.text(max_size=60))
def test_every_header_is_read(header: str) -> None:
    read = parse(header)
    assert read.essence == read.essence.lower()
    assert read.essence.count("/") == (1 if read.essence else 0)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("text/html", Form.HTML), ("application/xhtml+xml", Form.HTML), ("text/xml", Form.XML),
        ("application/atom+xml", Form.XML), ("image/svg+xml", Form.XML), ("text/plain", Form.TEXT),
        ("text/x-anything", Form.TEXT), ("application/json", Form.TEXT), ("application/ld+json", Form.TEXT),
        ("application/javascript", Form.TEXT), ("application/x-ndjson", Form.TEXT), ("application/pdf", Form.BINARY),
        ("image/png", Form.BINARY), ("application/octet-stream", Form.BINARY), ("audio/mpeg", Form.BINARY),
    ],
)  # fmt: skip
def test_named_bodies(name: str, expected: Form) -> None:
    assert form(name, b"\0") is expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"<!DOCTYPE html><p>", Form.HTML), (b" \n<!-- a --><!-- b --><HTML>", Form.HTML), (b"\xef\xbb\xbf<p>x", Form.HTML),
        (b"<?xml version='1.0'?><rss/>", Form.XML), (b"<?xml version='1.0'?><html>", Form.HTML), (b"plain", Form.TEXT),
        (b"", Form.TEXT), (b"caf\xe9", Form.TEXT), (b"\xff\xfea\0", Form.TEXT), (b"\x89PNG\r\n\x1a\n\0", Form.BINARY),
        (b"a < b", Form.TEXT), (b"<pre", Form.TEXT), (b"%PDF-1.4\n\x01\x02", Form.BINARY),
    ],
)  # fmt: skip
def test_unnamed_bodies(body: bytes, expected: Form) -> None:
    assert form("", body) is sniff(body) is expected


def test_comments_made_to_hurt_do_not() -> None:
    assert sniff(b"<!---->" * 500 + b"x") is Form.TEXT
    assert sniff(b"<!--" + b"-->" * 1_000 + b"\0") is Form.BINARY
