"""
What two texts look like: the same, when only blanks, case or characters that resemble one another differ.

For hints alone. Nothing is ever matched or changed by looks.
"""

from __future__ import annotations

import unicodedata

__all__ = ["fold", "stable"]

#: What is read for what. NFKC leaves these apart; what cannot be seen is read for nothing.
_READ_FOR = {
    "'": "‘’‚‛′´`‹›",
    '"': "“”„‟″«»",
    "-": "‐‑‒–—―−﹣",
    "/": "⁄∕",
    "": "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad\ufe0e\ufe0f",
}
#: Cyrillic and Greek letters, and the Latin ones that they look like.
_FOREIGN = "аеорсухіјѕһԁԛԝАВЕКМНОРСТХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧο"
_LATIN = "aeopcyxijshdqwABEKMHOPCTXIJSABEZHIKMNOPTYXo"
_MARKS = {ord(char): plain for plain, twins in _READ_FOR.items() for char in twins}
_TABLE = {**_MARKS, **{ord(char): plain for char, plain in zip(_FOREIGN, _LATIN, strict=True)}}


def fold(text: str) -> str:
    """Return what all texts that look like this one have in common; no blanks, no line breaks."""
    if not text.isascii():
        plain = unicodedata.normalize("NFC", text).translate(_TABLE)
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", plain).casefold()).translate(_TABLE)
    return "".join(text.lower().replace("`", "'").split())


def stable(text: str) -> str:
    """
    Return a text with a space for every character that may well stand there as another one.

    The words left are likely to be in every text that looks the same. Offsets stay, if `text` is composed (NFC).
    """
    if text.isascii():
        return text.replace("`", " ")
    return "".join(
        " " if ord(char) in _MARKS or unicodedata.decomposition(char) else char
        for char in unicodedata.normalize("NFC", text)
    )
