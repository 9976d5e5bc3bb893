"""What a body is: by what its server says, else by its first bytes."""

from __future__ import annotations

import re
from enum import StrEnum

from attrs import frozen

__all__ = ["Form", "MediaType", "form", "parse", "sniff"]

_TOKEN = re.compile(r"[a-z0-9!#$&^_.+-]{1,100}/[a-z0-9!#$&^_.+-]{1,100}")
_CHARSET = re.compile(r";\s*charset\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s;,\"']+))", re.IGNORECASE)

#: Text under another name than text/*.
_TEXTUAL_APPLICATIONS = (
    "ecmascript graphql javascript json jsonlines json5 jsonl ld+json ndjson pgp-keys rtf sql toml trig typescript "
    "xml xml-dtd yaml x-www-form-urlencoded n-triples x-httpd-php x-javascript x-json x-latex x-ndjson x-perl x-php "
    "x-python x-ruby x-sh x-shellscript x-sql x-subrip x-tex x-texinfo x-toml x-yaml vnd.apple.mpegurl"
)
_TEXTUAL = {f"application/{name}" for name in _TEXTUAL_APPLICATIONS.split()} | {"message/http", "message/rfc822"}

_HTML = frozenset({"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"})

#: How HTML begins, after spaces and comments. Source: WHATWG MIME Sniffing, shortened.
_HTML_START = re.compile(
    rb"(?>\s|<!--.{0,2000}?-->|<\?xml[^>]{0,200}>)*+"
    rb"<(?:!doctype\s+html|html|head|body|title|meta|script|style|div|table|h1|p|a|br|iframe|font|b)[\s>/]",
    re.IGNORECASE | re.DOTALL,
)
_XML_START = re.compile(rb"\s*<\?xml\s")
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_BINARY_BYTES = bytes(code for code in range(32) if code not in b"\t\n\x0c\r\x1b")


class Form(StrEnum):
    """How a body is to be read."""

    HTML = "HTML"
    XML = "XML"
    TEXT = "text"
    BINARY = "binary"


@frozen
class MediaType:
    """
    What a Content-Type header says.

    Args:
        essence: "text/html", lower case; "" when the header is missing or no type.
        charset: The label as it was sent; None without one.
    """

    essence: str = ""
    charset: str | None = None


def parse(header: str | None) -> MediaType:
    """Read a Content-Type header; of several types in one header the last counts."""
    essence, charset = "", None
    for piece in _types(header or ""):
        named = _TOKEN.fullmatch(piece.partition(";")[0].strip().lower())
        if named and named[0] != "*/*":
            label = _CHARSET.search(piece)
            essence = named[0]
            charset = None if label is None else (label[1] or label[2] or label[3] or "").strip() or None
    return MediaType(essence, charset)


def form(media_type: str, body: bytes) -> Form:
    """
    Say how a body is to be read.

    Args:
        media_type: The essence; "" lets the first bytes speak.
    """
    if not media_type:
        return sniff(body)
    if media_type in _HTML:
        return Form.HTML
    if media_type.endswith(("/xml", "+xml")):
        return Form.XML
    if media_type.startswith("text/") or media_type in _TEXTUAL or media_type.endswith(("+json", "+yaml", "json-seq")):
        return Form.TEXT
    return Form.BINARY


def sniff(body: bytes) -> Form:
    """Say what a body is that nobody named."""
    head = body[:4096]
    marked = head.startswith(_MARKS)
    start = head.removeprefix(b"\xef\xbb\xbf")
    if _HTML_START.match(start):
        return Form.HTML
    if _XML_START.match(start):
        return Form.XML
    return Form.BINARY if not marked and head.translate(None, _BINARY_BYTES) != head else Form.TEXT


def _types(header: str) -> list[str]:
    """Part the types of one header at its commas; those within quotes part nothing."""
    return re.findall(r'(?:"[^"]*"?|[^,"])+', header)
