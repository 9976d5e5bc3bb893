"""What a model means by a symbol, and where that stands in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from mmtools.core.lsp.languages import Language
from mmtools.core.lsp.names import is_whole, runs

__all__ = ["MAX_TRIES", "SymbolAndName", "clean", "occurrences", "symbol_and_name"]

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
_LOOSE_MEMBER = re.compile(r"\s+(?=(?:\.|::|->|#)\w)")


@frozen
class SymbolAndName:
    """
    What a rename is about.

    Args:
        symbol: Empty when nothing that was sent is an identifier.
        new_name: Empty when none was sent; perhaps no identifier.
    """

    symbol: str
    new_name: str


def clean(sent: str, language: Language) -> str:
    """
    Return the identifier that is meant; empty when there is none.

    Quotes and punctuation go, and so does what leads to it: `person.Greet()`, `pkg::Greet`, and `p->Greet` all
    mean `Greet`. Of several words, the first that holds an identifier counts.
    """
    words = _words(sent, language)
    return words[0][1] if words else ""


def symbol_and_name(symbol: str, new_name: str, language: Language) -> SymbolAndName:
    """
    Return what is renamed, and to what. Without a new name, several words in the symbol hold both: the first
    identifier and the last (`Greet 1 12 Hello`).

    A new name is cleaned only of what surrounds it: `a-b` and `two words` stay, to be refused.
    """
    words = _words(symbol, language)
    named = words[0][1] if words else ""
    if new_name.strip():
        return SymbolAndName(named, _clean_name(new_name, language))
    return SymbolAndName(named, _clean_name(words[-1][0], language) if len(words) > 1 else "")


def occurrences(text: str, symbol: str, language: Language, within: tuple[int, int] | None = None) -> tuple[int, ...]:
    """
    Return where a symbol stands, in the order to try it: in code first, in comments last, each in order of place.

    Args:
        symbol: An identifier; there are no places of an empty one.
        within: Offsets of the part that is searched; the whole text by default.

    Returns:
        Offsets, at most `MAX_TRIES`.
    """
    if not symbol:
        return ()
    in_code: list[int] = []
    in_comments: list[int] = []
    for offset in _places(text, symbol, language, within or (0, len(text))):
        (in_comments if language.comments.cover(text, offset) else in_code).append(offset)
        if len(in_code) == MAX_TRIES:
            break
    return tuple([*in_code, *in_comments][:MAX_TRIES])


def _places(text: str, symbol: str, language: Language, within: tuple[int, int]) -> Iterator[int]:
    start, end = within
    at = text.find(symbol, start, end)
    while at >= 0:
        if is_whole(text, at, at + len(symbol), language.names):
            yield at
        at = text.find(symbol, at + 1, end)


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
    found = ((word, list(runs(word, language.names))) for word in _parted(sent))
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
