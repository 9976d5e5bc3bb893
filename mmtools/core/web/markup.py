"""
HTML as a row of tags and pieces of text, in time that grows with its length and not faster, whatever it holds.

The standard library's parser takes quadratic time for pages made to hurt it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import TypeAlias

from attrs import frozen

__all__ = ["Closing", "Opening", "Piece", "Token", "attributes", "tokens", "unescape"]

#: Elements whose content is no markup.
_RAW = frozenset({"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"})
_ENDS = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in _RAW}

_NAME = r"([A-Za-z][^\s/>]*+)"
_INSIDE = r"""((?:[^>"'=]++|=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?+|["'])*+)"""
_TAG = re.compile(f"<(/?){_NAME}{_INSIDE}>")
_ATTRIBUTE = re.compile(r"""([^\s=/"'<>]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]*+)))?+""")
_LONG_REFERENCE = re.compile(r"&#(?:[xX][0-9a-fA-F]{9,}|[0-9]{9,});?")
#: How much of one tag is read; what follows is data for a program.
_MAX_INSIDE = 20_000

_CDATA = "<![CDATA["

#: Brackets that open no tag; the last one of a row may.
_BRACKETS = re.compile(r"<(?:<(?![A-Za-z/!?]))*+")


@frozen
class Opening:
    """
    A start tag.

    Args:
        name: Lower case.
        inside: What stands between the name and the bracket, as it is.
    """

    name: str
    inside: str = ""


@frozen
class Closing:
    """An end tag."""

    name: str


@frozen
class Piece:
    """
    Text between two tags.

    Args:
        text: Character references and all, as it stands.
        within: The element whose raw content it is, else "".
    """

    text: str
    within: str = ""


Token: TypeAlias = Opening | Closing | Piece


def tokens(page: str) -> Iterator[Token]:
    """Take a page apart in its order. A comment or tag that never ends hides what follows it, as in a browser."""
    place = 0
    while place < len(page):
        bracket = page.find("<", place)
        if bracket != place:
            yield Piece(page[place:bracket] if bracket > 0 else page[place:])
            if bracket < 0:
                return
        place = bracket
        found = _TAG.match(page, place)
        if found is None:
            follows = page[place + 1 : place + 3]
            if follows[:1] in ("!", "?") or (follows[:1] == "/" and not _starts_name(follows[1:])):
                place = _after_declaration(page, place)
                continue
            if follows[:1] == "/" or _starts_name(follows[:1]):
                return
            brackets = _BRACKETS.match(page, place)
            end = brackets.end() if brackets else place + 1
            yield Piece(page[place:end])
            place = end
            continue
        place = found.end()
        name = found[2].lower()
        if found[1]:
            yield Closing(name)
            continue
        yield Opening(name, found[3])
        if name in _RAW:
            ends = _ENDS[name].search(page, place)
            end = ends.start() if ends else len(page)
            yield Piece(page[place:end], name)
            place = end


def attributes(tag: Opening) -> dict[str, str]:
    """Read a start tag's attributes; of two with one name the first counts."""
    found: dict[str, str] = {}
    for each in _ATTRIBUTE.finditer(tag.inside[:_MAX_INSIDE]):
        found.setdefault(each[1].lower(), unescape(each[2] or each[3] or each[4] or ""))
    return found


def unescape(text: str) -> str:
    """Turn character references into what they stand for, also one with more digits than Python reads."""
    return html.unescape(_LONG_REFERENCE.sub("\ufffd", text)) if "&" in text else text


def _starts_name(char: str) -> bool:
    return char.isascii() and char.isalpha()


def _after_declaration(page: str, place: int) -> int:
    """Find the end of a comment, a doctype or what looks like one."""
    if page.startswith("<!--", place):
        if page.startswith((">", "->"), place + 4):
            return page.index(">", place) + 1
        end, length = page.find("-->", place + 4), 3
    elif page.startswith(_CDATA, place):
        end, length = page.find("]]>", place), 3
    else:
        end, length = page.find(">", place), 1
    return len(page) if end < 0 else end + length
