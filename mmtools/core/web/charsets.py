"""The bytes of a body as text, whatever they are: a byte order mark counts most, then the header, then the page itself."""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

from attrs import field, frozen

from mmtools.core.web.media_types import Form

__all__ = ["Decoded", "codec", "decode"]

#: Python's codec → the labels that mean it on the web, often not what they say. Source: WHATWG Encoding, "names and
#: labels", with the codecs that decode the same bytes.
_LABELS = {
    "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
    "cp866": "866 cp866 csibm866 ibm866",
    "iso8859-2": "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2",
    "iso8859-3": "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3",
    "iso8859-4": "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4",
    "iso8859-5": "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988",
    "iso8859-6": (
        "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i "
        "iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987"
    ),
    "iso8859-7": (
        "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 "
        "iso_8859-7:1987 sun_eu_greek"
    ),
    "iso8859-8": (
        "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 "
        "iso_8859-8:1988 visual csiso88598i iso-8859-8-i logical"
    ),
    "iso8859-10": "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6",
    "iso8859-13": "iso-8859-13 iso8859-13 iso885913",
    "iso8859-14": "iso-8859-14 iso8859-14 iso885914",
    "iso8859-15": "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9",
    "iso8859-16": "iso-8859-16",
    "koi8-r": "cskoi8r koi koi8 koi8-r koi8_r",
    "koi8-u": "koi8-ru koi8-u",
    "mac-roman": "csmacintosh mac macintosh x-mac-roman",
    "cp874": "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874",
    "cp1250": "cp1250 windows-1250 x-cp1250",
    "cp1251": "cp1251 windows-1251 x-cp1251",
    "cp1252": (
        "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 "
        "iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252 x-user-defined"
    ),
    "cp1253": "cp1253 windows-1253 x-cp1253",
    "cp1254": (
        "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 "
        "windows-1254 x-cp1254"
    ),
    "cp1255": "cp1255 windows-1255 x-cp1255",
    "cp1256": "cp1256 windows-1256 x-cp1256",
    "cp1257": "cp1257 windows-1257 x-cp1257",
    "cp1258": "cp1258 windows-1258 x-cp1258",
    "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "gb18030": "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk gb18030",
    "big5hkscs": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "euc_jp": "cseucpkdfmtjapanese euc-jp x-euc-jp",
    "iso2022_jp": "csiso2022jp iso-2022-jp",
    "cp932": "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis",
    "cp949": (
        "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949"
    ),
    "hz": "hz-gb-2312",
    "iso2022_kr": "csiso2022kr iso-2022-kr",
    "utf-16-be": "unicodefffe utf-16be",
    "utf-16-le": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le",
}

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
    named = codec(label) if label else None
    declared = named or _declared(body[:_DECLARED_WITHIN], form) or _zeros(body[:_DECLARED_WITHIN])
    if declared:
        return _decoded(body, declared, whole=whole)
    guessed = _decoded(body, "utf-8", whole=whole)
    if not guessed.undecodable or label or _mostly_utf8(body, guessed):
        return guessed
    return _decoded(body, "cp1252", whole=whole)


def codec(label: str) -> str | None:
    """Name Python's codec for a label, whatever its case and the spaces around it; None for an unknown one."""
    return _codecs().get(label.strip(" \t\n\f\r\"'").lower())


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
    known = (codec(label.decode("ascii")) for label in labels)
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


@lru_cache(maxsize=1)
def _codecs() -> dict[str, str]:
    return {label: name for name, labels in _LABELS.items() for label in labels.split()}
