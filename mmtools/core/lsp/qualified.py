"""
Which places of a name a qualified one means: `B.run` is the `run` that is declared inside `B`, or written `B.run`.

What is told apart here by letters only orders the places, or leaves out those that a rename must not touch; what they
mean the server says.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from enum import IntEnum

from mmtools.core.lsp import symbols
from mmtools.core.lsp.languages import Language
from mmtools.core.lsp.outlines import Declared
from mmtools.core.lsp.symbols import Pointed

__all__ = ["Nearness", "nearness"]

#: Characters before a name in which what leads to it is looked for.
_MAX_BEFORE = 300
_GROUP = r"(?:\s*(?:\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>))*"
_MEMBER = r"\s*(?:[?!]?\.|::|->|#)\s*"
_ENDS_IN_MEMBER = re.compile(r"(?:\.|::|->|#)\s*\Z")
_PACKAGE = re.compile(r"^[ \t]*(?:package|namespace|module)\s+([\w.:\\]+)", re.MULTILINE)


class Nearness(IntEnum):
    """How close a place is to what a qualified name says; the smaller, the closer."""

    DECLARED = 0
    #: An attribute that a method of it declares: `self.name = …`.
    ATTRIBUTE = 1
    WRITTEN = 2
    PARTLY_WRITTEN = 3
    UNRELATED = 4


def nearness(
    text: str, path: str, pointed: Pointed, offsets: Iterable[int], declared: Iterable[Declared], language: Language
) -> dict[int, Nearness]:
    """
    Say of each place how close it is to what a qualified name says.

    Args:
        path: Of the file; its name may be what leads to the symbol.
        pointed: With a symbol and qualifiers.
        offsets: Where the symbol stands.
        declared: What the server knows to be declared in the file.
    """
    found = {offset: _written(text, offset, pointed.qualifiers) for offset in offsets}
    places = sorted(found)
    modules = _modules(text, path)
    for one in declared:
        if symbols.symbol_and_name(one.name, "", language)[0] != pointed.symbol:
            continue
        at = bisect_left(places, one.at)
        if at == len(places) or places[at] >= max(one.end, one.at + 1):
            continue
        levels = [frozenset(language.names.runs(name)) for name in one.outer]
        levels += [frozenset({name}) for name in symbols.qualifiers(one.name, language)]
        close = _declared(text, places[at], pointed.qualifiers, levels, modules)
        found[places[at]] = min(found[places[at]], close)
    return found


def _declared(
    text: str, offset: int, qualifiers: Sequence[str], levels: Sequence[frozenset[str]], modules: frozenset[str]
) -> Nearness:
    if _encloses(qualifiers, levels, modules):
        return Nearness.DECLARED
    outer = (levels[:end] for end in range(len(levels) - 1, 0, -1))
    if _ENDS_IN_MEMBER.search(text, max(offset - 10, 0), offset) and any(
        _encloses(qualifiers, some, modules) for some in outer
    ):
        return Nearness.ATTRIBUTE
    return Nearness.UNRELATED


def _encloses(qualifiers: Sequence[str], levels: Sequence[frozenset[str]], modules: frozenset[str]) -> bool:
    """Whether what leads to a name is what directly encloses it; before the outermost stands its module, if anything."""
    rest, left = list(qualifiers), list(levels)
    inner: frozenset[str] = frozenset()
    while rest:
        if rest[-1] in inner:
            inner -= {rest.pop()}
        elif left and rest[-1] in left[-1]:
            inner = left.pop() - {rest.pop()}
        else:
            break
    return not rest or (not left and (rest[-1] in modules or ".".join(rest[-2:]) in modules))


def _modules(text: str, path: str) -> frozenset[str]:
    """Return the names by which other files may call what a file declares at the top."""
    folder, name = posixpath.split(path)
    stem = name.partition(".")[0]
    package = _PACKAGE.search(text)
    parts = re.split(r"[.:\\]+", package[1]) if package else []
    return frozenset({name, stem, posixpath.basename(folder), *parts})


def _written(text: str, offset: int, qualifiers: Sequence[str]) -> Nearness:
    start = max(offset - _MAX_BEFORE, 0)
    for close, some in ((Nearness.WRITTEN, qualifiers), (Nearness.PARTLY_WRITTEN, qualifiers[-1:])):
        led = "".join(f"{re.escape(name)}{_GROUP}{_MEMBER}" for name in some)
        if re.search(rf"(?<![\w$]){led}\Z", text[start:offset]):
            return close
    return Nearness.UNRELATED
