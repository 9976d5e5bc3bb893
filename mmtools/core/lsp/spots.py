"""Where a model points in a text: by a name, by a place, or by a name on a line."""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

from mmtools.core.lsp.languages import Language
from mmtools.core.lsp.names import Names
from mmtools.core.lsp.positions import Document, LineColumn, OutOfText
from mmtools.core.lsp.symbols import occurrences

__all__ = ["NotFound", "Pointed", "Pointing", "Spots", "find", "name_at"]


@frozen(kw_only=True)
class Pointed:
    """
    What a model said of a place; it must have said a name, or a line and a column.

    Args:
        symbol: An identifier; empty for none.
        line, column: 1-based, in characters; 0 for none.
    """

    symbol: str = ""
    line: int = 0
    column: int = 0


@frozen
class Spots:
    """
    The places that may be meant.

    Args:
        offsets: At least one, in the order to try them.
    """

    offsets: tuple[int, ...]


@frozen
class NotFound:
    """
    A symbol that is not there.

    Args:
        lines: 1-based, where else in the text it is, when one line was searched.
    """

    lines: tuple[int, ...] = ()


#: What a model's words come to. A closed union.
Pointing: TypeAlias = Spots | NotFound | OutOfText


def find(document: Document, pointed: Pointed, language: Language) -> Pointing:
    """
    Find what is meant.

    A place with the symbol at it, or without a symbol, is exact. A place beside the symbol is a miscount: then
    the symbol is looked for on that line, the closest first.
    """
    if pointed.line and pointed.column:
        return _at_place(document, pointed, language)
    if pointed.line:
        return _on_line(document, pointed, language)
    offsets = occurrences(document.text, pointed.symbol, language)
    return Spots(offsets) if offsets else NotFound()


def name_at(text: str, offset: int, names: Names) -> str:
    """Return the identifier that an offset is in, or right behind; empty when there is none."""
    start = end = offset
    while start and names.continues(text[start - 1]):
        start -= 1
    while end < len(text) and names.continues(text[end]):
        end += 1
    if start == end:
        return ""
    end += end < len(text) and text[end] in names.after
    before = next((prefix for prefix in names.before if text.endswith(prefix, 0, start)), "")
    name = text[start:end]
    return f"{before}{name}" if names.accepts(name) else ""


def _at_place(document: Document, pointed: Pointed, language: Language) -> Pointing:
    offset = document.offset_at(LineColumn(pointed.line, pointed.column))
    if not isinstance(offset, int):
        return offset
    symbol, names = pointed.symbol, language.names
    if not symbol or names.core(name_at(document.text, offset, names)) == names.core(symbol):
        return Spots((offset,))
    match _on_line(document, pointed, language):
        case Spots(offsets):
            return Spots(tuple(sorted(offsets, key=lambda other: abs(other - offset))))
        case other:
            return other


def _on_line(document: Document, pointed: Pointed, language: Language) -> Pointing:
    span = document.line_span(pointed.line)
    if not isinstance(span, tuple):
        return span
    offsets = occurrences(document.text, pointed.symbol, language, span)
    if offsets:
        return Spots(offsets)
    elsewhere = occurrences(document.text, pointed.symbol, language)
    return NotFound(tuple(sorted({document.line_column(offset).line for offset in elsewhere})))
