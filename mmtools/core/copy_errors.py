"""The habits with which a text is copied wrongly as a whole, each undone."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import pairwise, product

from mmtools.core.text import view

__all__ = ["CopyError", "undone"]


class CopyError(StrEnum):
    """The name of a habit."""

    LINE_ENDS = "line ends"
    NUMBERED = "line numbers"
    DIFF_SIGNS = "diff signs"
    FENCED = "fences"
    OUTER_NEWLINES = "outer newlines"
    ESCAPED = "escapes"
    UNESCAPED = "missing escapes"
    ENTITIES = "entities"
    NO_ENTITIES = "missing entities"


#: A line's number as read tools, cat -n, grep -n and our own diffs put it before the text.
_NUMBER = re.compile(r"[-+ ]?[ \t]*(\d{1,9})(?:[\t:|│→ ]|$)")
#: The same where a blank follows the sign.
_NUMBER_AND_BLANK = re.compile(r"[-+ ]?[ \t]*(\d{1,9})(?:[:|│→][ \t]|[:|│→]?$)")
#: What a single line must begin with: `3 apples` and `3: x` may well be a file's own text.
_FOR_SURE = re.compile(r"[-+ ]?[ \t]*\d{1,9}[\t|│→]")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})[^\n]*\n(.*?)\n?[ \t]*\1[ \t]*\n?", re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|[ntr\"'\\/])")
_CHARACTERS = {"n": "\n", "t": "\t", "r": "\r"}


def undone(old: str, habits: Collection[CopyError] = frozenset(CopyError)) -> Iterator[tuple[CopyError, str]]:
    """
    Yield what may have been meant, the likeliest first; each differs from `old`, none is blank.

    Args:
        habits: Those to think of.
    """
    seen = {old}
    for copy_error, guesses in _GUESSES.items():
        for meant in guesses(old) if copy_error in habits else ():
            if meant not in seen and meant.strip():
                seen.add(meant)
                yield copy_error, meant


def _without_numbers(old: str) -> Iterator[str]:
    """
    Take the numbers off, if every line has one and each is the next of the one before.

    A diff holds lines that are not in the file: the removed ones once it is made, else the added ones.
    """
    for sign, number in product(("", "-", "+"), (_NUMBER, _NUMBER_AND_BLANK)):
        lines = [line for line in old.split("\n") if not sign or not line.startswith(sign)]
        rest = [line for line in lines[-1:] if not line]
        found = [number.match(line) for line in lines[: len(lines) - len(rest)]]
        values = [int(match[1]) for match in found if match]
        if len(values) < len(found) or any(after != before + 1 for before, after in pairwise(values)):
            continue
        if len(values) > 1 or _FOR_SURE.match(old):
            yield "\n".join([*(match.string[match.end() :] for match in found if match), *rest])


def _without_signs(old: str) -> Iterator[str]:
    """Take the first column off, if it looks like that of a diff."""
    lines = old.split("\n")
    signs = {line[:1] for line in lines}
    if signs <= {"", " ", "-", "+"} and signs & {"-", "+"}:
        for sign in "-+":
            yield "\n".join(line[1:] for line in lines if not line.startswith(sign))


def _without_fences(old: str) -> Iterator[str]:
    if fenced := _FENCE.fullmatch(old):
        yield fenced[2]
    if len(old) > 2 and old[0] == old[-1] and old[0] in "`\"'":
        yield old[1:-1]


def _character(escape: re.Match[str]) -> str:
    name = escape[1]
    return chr(int(name[1:], 16)) if len(name) > 1 else _CHARACTERS.get(name, name)


#: What may have been meant, by habit; guesses may repeat one another, or what was sent.
_GUESSES: Mapping[CopyError, Callable[[str], Iterable[str]]] = {
    CopyError.LINE_ENDS: lambda old: (view(old), old.replace("\r", ""), view(old).replace("\r", "\n")),
    CopyError.NUMBERED: _without_numbers,
    CopyError.DIFF_SIGNS: _without_signs,
    CopyError.FENCED: _without_fences,
    CopyError.OUTER_NEWLINES: lambda old: (old.rstrip("\n"), old.strip("\n")),
    CopyError.ESCAPED: lambda old: (_ESCAPE.sub(_character, old), old.replace("\\\\", "\\")),
    CopyError.UNESCAPED: lambda old: (
        old.replace("\\", "\\\\"),
        old.replace('"', '\\"'),
        old.replace("\n", "\\n").replace("\t", "\\t"),
    ),
    CopyError.ENTITIES: lambda old: (html.unescape(old),),
    CopyError.NO_ENTITIES: lambda old: (old.replace("&", "&amp;"), html.escape(old, quote=False), html.escape(old)),
}
