"""
Bytes to text and back, without losing one; and the view of a text that a model sees.

A file's text is `raw`: line ends as found, the BOM taken off. Its *view* shows every `\\r\\n` as `\\n`.
A lone `\\r` stays visible, and nothing but `\\n` ends a line.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from typing import TypeAlias

from attrs import field, frozen

__all__ = ["Binary", "Decoded", "LegacyText", "Text", "decode", "raw_offset", "unencodable", "utf8_size", "view"]

#: Encodings that take a BOM to be believed.
_WIDE = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
#: Encodings in which a text's parts, encoded one by one, make up the whole: they keep no state.
_STATELESS = frozenset({"utf-8", "utf-16-le", "utf-16-be"})
#: What Python's `surrogateescape` makes of bytes that are not UTF-8.
_ESCAPED = re.compile("[\udc80-\udcff]")


@frozen
class Text:
    """
    A file whose text gives back its bytes.

    Args:
        content: Line ends as found, without the BOM.
        encoding: A codec's name: "utf-8", "utf-16-le", "utf-16-be", or one of the host's.
        bom: What stood before the content; empty for most.
    """

    content: str = field(repr=False)
    encoding: str = "utf-8"
    bom: bytes = b""

    @property
    def codec(self) -> str:
        """A codec's name that decodes the whole file and takes the BOM off."""
        if not self.bom:
            return self.encoding
        return {"utf-8": "utf-8-sig", "utf-16-le": "utf-16", "utf-16-be": "utf-16"}.get(self.encoding, self.encoding)

    def encode(self, content: str) -> bytes:
        """
        Return another content as this file's bytes would be, the BOM put back.

        Raises:
            UnicodeEncodeError: A character has no place in the encoding; `unencodable` tells before.
        """
        return self.bom + self.encode_part(content)

    def encode_part(self, part: str) -> bytes:
        """
        Return characters as they stand inside the file: without the BOM.

        Raises:
            UnicodeEncodeError: As `encode`.
        """
        return part.encode(self.encoding)

    def byte_offsets(self, offsets: Sequence[int]) -> list[int] | None:
        """
        Return where characters lie in the file's bytes.

        Args:
            offsets: Into `content`, ascending.

        Returns:
            None where the encoding keeps state: such a text can only be encoded whole.
        """
        if self.encoding not in _STATELESS:
            return None
        size = len(self.bom)
        if self.encoding == "utf-8" and self.content.isascii():
            return [size + offset for offset in offsets]
        found = []
        for before, offset in zip([0, *offsets], offsets, strict=False):
            size += len(self.encode_part(self.content[before:offset]))
            found.append(size)
        return found


@frozen
class LegacyText:
    """
    A file in some ASCII-compatible encoding that nobody named.

    Args:
        content: One character per byte (its Latin-1 image); what is below U+0080 means itself.
        undecodable: How many bytes are not UTF-8.
    """

    content: str = field(repr=False)
    undecodable: int

    def encode(self, content: str) -> bytes:
        """
        Return another image as bytes.

        Raises:
            UnicodeEncodeError: A character is above U+00FF.
        """
        return content.encode("latin-1")

    def encode_part(self, part: str) -> bytes:
        """
        Return characters of an image as bytes.

        Raises:
            UnicodeEncodeError: As `encode`.
        """
        return self.encode(part)

    def byte_offsets(self, offsets: Sequence[int]) -> list[int]:
        """Return where characters lie in the file's bytes: at the same offsets."""
        return list(offsets)

    def shown(self) -> str:
        """Return what can be read of it: UTF-8, with one U+FFFD for each of the `undecodable` bytes."""
        escaped = self.encode(self.content).decode("utf-8", "surrogateescape")
        return _ESCAPED.sub("\ufffd", escaped).removeprefix("\ufeff")


@frozen
class Binary:
    """
    A file that is not text.

    Args:
        size: In bytes.
    """

    size: int


#: What a file's bytes can be. A closed union.
Decoded: TypeAlias = Text | LegacyText | Binary


def decode(data: bytes, encodings: Sequence[str] = ()) -> Decoded:
    """
    Find out what a file's bytes are; never guess.

    UTF-16 needs its BOM. A NUL character makes a file binary in whichever encoding, so UTF-32 is
    binary too. What is not UTF-8 is tried in the host's encodings.

    Args:
        encodings: Codecs' names, tried in order; the first that gives back the bytes wins.

    Raises:
        LookupError: There is no such codec.
    """
    for bom, encoding in _WIDE:
        if data.startswith(bom):
            wide = _round_trip(data, encoding, bom)
            if wide is not None and "\0" not in wide.content:
                return wide
    if b"\0" in data:
        return Binary(len(data))
    bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    try:
        # Strict UTF-8 is one to one: there is nothing to check by encoding again.
        return Text(data[len(bom) :].decode("utf-8"), "utf-8", bom)
    except UnicodeDecodeError:
        return _decode_other(data, encodings)


def _decode_other(data: bytes, encodings: Sequence[str]) -> Text | LegacyText:
    for encoding in encodings:
        text = _round_trip(data, encoding, b"")
        if text is not None:
            return text
    known = data.decode("utf-8", "ignore").encode("utf-8")
    return LegacyText(data.decode("latin-1"), undecodable=len(data) - len(known))


def _round_trip(data: bytes, encoding: str, bom: bytes) -> Text | None:
    """Decode strictly; None unless encoding the result gives back the bytes."""
    try:
        content = data[len(bom) :].decode(encoding)
        if not bom and content.startswith("\ufeff"):
            bom, content = "\ufeff".encode(encoding), content[1:]
        text = Text(content, encoding, bom)
        return text if text.encode(content) == data else None
    except UnicodeError:
        return None


def utf8_size(text: str) -> int:
    """Count the bytes of a text's UTF-8; a lone surrogate counts three."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def unencodable(content: str, encoding: str = "utf-8") -> int | None:
    """
    Return the 0-based index of the first character that `encoding` cannot hold; None when it holds all.

    In UTF-8 and UTF-16 only a lone surrogate has no place: half an emoji, as JSON can spell it.
    """
    try:
        content.encode(encoding)
    except UnicodeEncodeError as error:
        return error.start
    return None


def view(content: str) -> str:
    """Return a text as a model sees it: every `\\r\\n` as `\\n`."""
    # Looking for one character first is ten times cheaper than a replacement that finds nothing.
    return content.replace("\r\n", "\n") if "\r" in content else content


def raw_offset(content: str, offset: int, start: int = 0) -> int:
    """
    Return where a place of the view lies in the raw text.

    Args:
        offset: Characters of the view, counted from `start`.
        start: A raw offset, not between a `\\r` and its `\\n`.

    Returns:
        Never between a `\\r` and its `\\n`.
    """
    counted, reached, pairs = start, start + offset, 0
    # Each pair passed moves the place by one, perhaps past more pairs; every round counts only what is new.
    while counted < reached:
        pairs += content.count("\r\n", counted, reached + 1)
        counted, reached = reached, start + offset + pairs
    return reached
