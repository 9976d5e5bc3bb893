"""How texts differ, in words: which blanks, which characters, in which line and column."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby

from mmtools.core.differences import Difference
from mmtools.tools.wording import phrases

__all__ = ["differences", "named", "quoted"]

#: Differences that are told; more help nobody.
_MOST = 5
#: Characters that are named one by one; longer texts are quoted.
_MOST_NAMED = 4
#: Lines that are named one by one.
_MOST_LINES = 10
#: Characters of a quoted text.
_LONGEST = 80
_BLANKS = {" ": "space", "\t": "tab", "\n": "line break", "\r": "carriage return"}


def differences(found: Sequence[Difference], *, sent: str) -> list[str]:
    """
    Say what the file has where a text that was sent has something else, one line each, alike ones together.

    Args:
        sent: The argument's name.
    """
    groups = [list(group) for _, group in groupby(found, key=lambda one: (one.column, one.found, one.sent))]
    told = [
        f"- {_place(group)}: the file has {named(group[0].found)}, {sent} has {named(group[0].sent)}"
        for group in groups
    ]
    more = sum(map(len, groups[_MOST:]))
    return [*told[:_MOST], f"- and {more} more"] if more else told


def named(text: str) -> str:
    """Name what cannot be seen or be told apart; quote the rest."""
    if not text:
        return "nothing"
    if all(char in _BLANKS for char in text):
        return " and ".join(_counted(char, len(list(run))) for char, run in groupby(text))
    if len(text) > 1 and len(set(text)) == 1 and not text.isascii():
        return f"{len(text)} times {_character(text[0])}"
    if len(text) <= _MOST_NAMED and not text.isascii():
        return " + ".join(map(_character, text))
    return quoted(text)


def quoted(text: str) -> str:
    """Quote a text as JSON would, at most 80 characters of it; what cannot be seen is escaped."""
    short = text if len(text) <= _LONGEST else text[:_LONGEST]
    return f'"{"".join(_escaped(short))}"{"" if short is text else "…"}'


def _escaped(text: str) -> Iterator[str]:
    for char in text:
        visible = char.isprintable() and not unicodedata.combining(char)
        yield json.dumps(char, ensure_ascii=not visible)[1:-1]


def _counted(char: str, count: int) -> str:
    return phrases.counted(count, _BLANKS[char])


def _character(char: str) -> str:
    if char.isascii():
        return quoted(char)
    name = unicodedata.name(char, "").lower()
    return f"U+{ord(char):04X}" + (f" ({name})" if name else "")


def _place(group: Sequence[Difference]) -> str:
    lines, column = list(dict.fromkeys(one.line for one in group)), group[0].column
    if lines[-1] - lines[0] == len(lines) - 1:
        return f"{phrases.line_range(lines[0], lines[-1])}, column {column}"
    return f"{phrases.numbers('line', lines, most=_MOST_LINES)}, column {column}"
