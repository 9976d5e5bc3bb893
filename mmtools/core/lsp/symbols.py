"""What a model means by a symbol, by a place, or by both; and where that stands in a text."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TypeAlias

from attrs import frozen

from mmtools.core.lsp.languages import Language
from mmtools.core.lsp.positions import Document, LineColumn, OutOfText

__all__ = ["MAX_TRIES", "NotFound", "Pointed", "Pointing", "find", "occurrences", "qualifiers", "symbol_and_name"]

#: How many occurrences are tried (ours).
MAX_TRIES = 25

#: Characters of what a model sent that are looked at: no identifier is longer.
_MAX_SENT = 1000

#: What is called, indexed or parametrised comes before these.
_GROUPS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|<[^<>]*>")
_OPEN_GROUP = re.compile(r"(?<=\w)[(\[{<].*", re.DOTALL)
_WORD_BREAKS = re.compile(r"[\s,;|=]+|\s*(?:→|⇒)\s*")
#: A blank before what leads to a member is none between words: it stands where a group was.
_MEMBER_SIGNS = (".", "::", "->", "#")
#: The receiver of a method in Go: `(*Person).Greet`.
_RECEIVER = re.compile(r"(?<!\w)\(\s*[*&]*\s*([\w.:]+)\s*\)(?=\s*(?:\.|::|->))")
_QUALIFIER = re.compile(r"([^\W\d][\w$]*)\s*(?:[?!]?\.|::?|->|#)\s*$")
_LOOSE_MEMBER = re.compile(r"\s+(?=(?:\.|::|->|#)\w)")


@frozen(kw_only=True)
class Pointed:
    """
    What a model said of a place; it must have said a name, or a line and a column.

    Args:
        symbol: An identifier; empty for none.
        line, column: 1-based, in characters; 0 for none.
        qualifiers: What led to the symbol: of `a.B.run` it is `a`, `B`.
    """

    symbol: str = ""
    line: int = 0
    column: int = 0
    qualifiers: tuple[str, ...] = ()


@frozen
class NotFound:
    """A symbol that is not there; and the lines, 1-based, where else it is, when one line was searched."""

    lines: tuple[int, ...] = ()


#: What a model's words come to: at least one offset, in the order to try them; or a reason. A closed union.
Pointing: TypeAlias = tuple[int, ...] | NotFound | OutOfText


def symbol_and_name(symbol: str, new_name: str, language: Language) -> tuple[str, str]:
    """
    Return the identifier that is meant, and what it is to be renamed to; each may be empty.

    Quotes and punctuation go, and so does what leads to the symbol: `person.Greet()`, `pkg::Greet`, and `p->Greet`
    all mean `Greet`. Of several words, the first that holds an identifier counts; without a new name, the last one is
    that (`Greet 1 12 Hello`).

    A new name is cleaned only of what surrounds it: `a-b` and `two words` stay, to be refused.
    """
    words = _words(symbol, language)
    named = words[0][1] if words else ""
    if new_name.strip():
        return named, _clean_name(new_name, language)
    return named, _clean_name(words[-1][0], language) if len(words) > 1 else ""


def qualifiers(symbol: str, language: Language) -> tuple[str, ...]:
    """Return what leads to the identifier that is meant: of `a.B.run(x)` it is `a`, `B`."""
    words = _words(_RECEIVER.sub(r"\1", symbol[:_MAX_SENT]), language)
    if not words:
        return ()
    word, name = words[0]
    before, found = word[: word.rfind(name)], []
    while match := _QUALIFIER.search(before):
        found.append(match[1])
        before = before[: match.start()]
    return tuple(reversed(found))


def find(document: Document, pointed: Pointed, language: Language, *, most: int = MAX_TRIES) -> Pointing:
    """
    Find what is meant.

    A place with the symbol at it, or without a symbol, is exact. A place beside the symbol is a miscount: then
    the symbol is looked for on that line, the closest first.

    Args:
        most: How many places there may be.
    """
    if pointed.line and pointed.column:
        return _at_place(document, pointed, language)
    if pointed.line:
        return _on_line(document, pointed, language)
    return occurrences(document.text, pointed.symbol, language, most=most) or NotFound()


def occurrences(
    text: str, symbol: str, language: Language, within: tuple[int, int] | None = None, *, most: int = MAX_TRIES
) -> tuple[int, ...]:
    """
    Return where a symbol stands, in the order to try it: in code first, in comments last, each in order of place.

    Args:
        symbol: An identifier; there are no places of an empty one.
        within: Offsets of the part that is searched; the whole text by default.

    Returns:
        Offsets, at most `most`.
    """
    start, end = within or (0, len(text))
    offsets = list(language.names.places(text, symbol, start, end)) if symbol else []
    if len(offsets) < 2:
        return tuple(offsets)
    comments = language.comments.spans(text[:end])

    def is_in_comment(offset: int) -> bool:
        before = bisect_left(comments, (offset,))
        return before > 0 and offset < comments[before - 1][1]

    return tuple(sorted(offsets, key=is_in_comment)[:most])


def _at_place(document: Document, pointed: Pointed, language: Language) -> Pointing:
    offset = document.offset_at(LineColumn(pointed.line, pointed.column))
    if not isinstance(offset, int):
        return offset
    symbol, names = pointed.symbol, language.names
    if not symbol or names.core(names.at(document.text, offset)) == names.core(symbol):
        return (offset,)
    found = _on_line(document, pointed, language)
    return tuple(sorted(found, key=lambda other: abs(other - offset))) if isinstance(found, tuple) else found


def _on_line(document: Document, pointed: Pointed, language: Language) -> Pointing:
    span = document.line_span(pointed.line)
    if not isinstance(span, tuple):
        return span
    if offsets := occurrences(document.text, pointed.symbol, language, span):
        return offsets
    elsewhere = occurrences(document.text, pointed.symbol, language)
    return NotFound(tuple(sorted({document.line_column(offset).line for offset in elsewhere})))


def _clean_name(sent: str, language: Language) -> str:
    """Return the one identifier that was sent, or else everything."""
    words = _words(sent, language)
    if len(words) == 1 and len(list(filter(_tells, _parted(sent)))) == 1:
        word, name = words[0]
        before, _, after = word.rpartition(name)
        if not _tells(after) and (not _tells(before) or before.endswith(_MEMBER_SIGNS)):
            return name
    return sent.strip()


def _words(sent: str, language: Language) -> list[tuple[str, str]]:
    """Return each word that holds an identifier, with its last one."""
    if sent.isidentifier() and len(sent) <= _MAX_SENT:
        # What is sent most of the time; the rest takes ten times as long.
        return [(sent, sent)]
    found = ((word, list(language.names.runs(word))) for word in _parted(sent))
    return [(word, names[-1]) for word, names in found if names]


def _parted(sent: str) -> list[str]:
    return [_OPEN_GROUP.sub("", word) for word in _WORD_BREAKS.split(_without_groups(sent[:_MAX_SENT]))]


def _tells(part: str) -> bool:
    """Whether there is more than punctuation."""
    return any(character.isalnum() or character == "_" for character in part)


def _without_groups(sent: str) -> str:
    """Leave out brackets and what is in them, unless nothing would be left."""
    rest, before = sent, ""
    while rest != before:
        rest, before = _GROUPS.sub(" ", rest), rest
    return _LOOSE_MEMBER.sub("", rest) if _tells(rest) else sent
