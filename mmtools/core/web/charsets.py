"""The bytes of a body as text, whatever they are: a byte order mark counts most, then the header, then the page itself."""

from __future__ import annotations

import codecs
import re

from attrs import field, frozen

from mmtools.core.web import charset_labels
from mmtools.core.web.media_types import Form

__all__ = ["Decoded", "decode"]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

#: How far into a page its own declaration is looked for: browsers stop at 1,024 bytes, some pages are late.
_DECLARED_WITHIN = 4_096

_XML = re.compile(rb"\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._:-]{1,40})[\"']")
_META = re.compile(rb"<!--.*?(?:-->|\Z)|<meta[\s/]([^>]*)>?", re.IGNORECASE | re.DOTALL)
_META_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([A-Za-z0-9._:-]{1,40})", re.IGNORECASE)
_HIGH = bytes(range(0x80, 0x100))


@frozen
class Decoded:
    """
    A body as text.

    Args:
        codec: Python's name of what the bytes were taken for.
        undecodable: How many places became U+FFFD.
    """

    text: str = field(repr=False)
    codec: str
    undecodable: int = 0


def decode(body: bytes, label: str | None, form: Form, *, whole: bool = True) -> Decoded:
    """
    Decode a body; never fails.

    Args:
        label: The header's charset. One that nobody knows means UTF-8, unless the page knows better.
        form: Where the page itself may declare its characters.
        whole: Whether the body is all there; else it may end within a character.
    """
    for mark, name in _MARKS:
        if body.startswith(mark):
            return _decoded(body[len(mark) :], name, whole=whole)
    named = charset_labels.codec(label) if label else None
    declared = named or _declared(body[:_DECLARED_WITHIN], form) or _zeros(body[:_DECLARED_WITHIN])
    if declared:
        return _decoded(body, declared, whole=whole)
    guessed = _decoded(body, "utf-8", whole=whole)
    if not guessed.undecodable or label or _mostly_utf8(body, guessed):
        return guessed
    return _decoded(body, "cp1252", whole=whole)


def _decoded(body: bytes, name: str, *, whole: bool) -> Decoded:
    decoder = codecs.getincrementaldecoder(name)
    try:
        return Decoded(decoder("strict").decode(body, whole), name)
    except UnicodeError:
        text = decoder("replace").decode(body, whole)
    return Decoded(text, name, max(1, text.count("\ufffd") - body.count("\ufffd".encode())))


def _declared(head: bytes, form: Form) -> str | None:
    """Find what a page says about its own bytes. They can be read as ASCII, so UTF-16 is a mistake for UTF-8."""
    if form not in (Form.HTML, Form.XML):
        return None
    labels = [found[1] for found in [_XML.match(head)] if found]
    if form is Form.HTML:
        metas = (found[1] for found in _META.finditer(head) if found[1])
        labels = [found[1] for meta in metas for found in [_META_CHARSET.search(meta)] if found] + labels
    known = (charset_labels.codec(label.decode("ascii")) for label in labels)
    name = next((name for name in known if name), None)
    return "utf-8" if name and name.startswith("utf-16") else name


def _zeros(head: bytes) -> str | None:
    """Know UTF-16 without its mark by the zeros beside Latin letters."""
    if len(head) < 4 or b"\0" not in head:
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if odd > half * 0.7 and even < half * 0.05:
        return "utf-16-le"
    return "utf-16-be" if even > half * 0.7 and odd < half * 0.05 else None


def _mostly_utf8(body: bytes, guessed: Decoded) -> bool:
    """Whether more characters are good UTF-8 beyond ASCII than places are not: a page with one slip stays readable."""
    beyond = sum(char > "\x7f" for char in guessed.text) - guessed.text.count("\ufffd")
    return beyond > guessed.undecodable and len(body.translate(None, _HIGH)) < len(body)
