"""What a search says beside what it found: why nothing, what is missing, how to go on."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from attrs import frozen

from mmtools.core import paths, search_answers
from mmtools.core.search_answers import Fitted
from mmtools.ports.search import (
    BadGlob,
    BadPattern,
    Ended,
    EngineFailed,
    Found,
    Listed,
    PatternTooLong,
    RegexDialect,
    SearchProblem,
    Unreadable,
)
from mmtools.tools.wording import phrases

__all__ = [
    "SearchTerms",
    "binary",
    "dialect",
    "files_cut",
    "matches_cut",
    "narrow",
    "no_files",
    "not_searched",
    "not_utf8",
    "passed_over",
    "place",
    "quoted",
    "repeated_base",
    "unreadable",
]

#: Names in a note; the others are counted.
_MOST_NAMED = 5
#: Characters of a pattern that are repeated or written out for the letter, and of an engine's reason: either can be
#: megabytes long.
_MAX_QUOTED, _MAX_REASON = 200, 400

#: What means something in a regular expression of either dialect, outside of brackets.
_SPECIAL = re.compile(r"[\\.+*?()|\[\]{}^$]")

_DIALECTS = {
    RegexDialect.RUST: "Rust syntax, no look-around",
    RegexDialect.PYTHON: "Python syntax",
}


@frozen(kw_only=True)
class SearchTerms:
    """
    The names of a dialect's contract for what an answer mentions.

    Args:
        tool: The tool's wire name.
        pattern, path, glob, offset: Wire names of arguments; empty for one that there is not.
        hidden: What to send to search hidden and ignored files too, value and all.
    """

    tool: str
    pattern: str
    path: str
    hidden: str
    glob: str = ""
    offset: str = ""


def dialect(search_dialect: RegexDialect) -> str:
    """Say in a few words which regular expressions are read."""
    return _DIALECTS[search_dialect]


def place(base: str) -> str:
    """
    Name the place of a search in a sentence.

    Args:
        base: "." for the working directory.
    """
    return "the working directory" if base == "." else search_answers.quoted(base, reserved="; ")


def narrow(terms: SearchTerms) -> str:
    """Say which arguments make a search smaller."""
    *first, last = filter(None, (terms.path, terms.glob, terms.pattern))
    return f"narrow {', '.join(first)} or {last}"


def passed_over(what: str, found: Sequence[str], ended: Ended, terms: SearchTerms) -> str:
    """
    Say what is in ignored and hidden files, where nobody looked at first.

    Args:
        what: "match" or "file".
        found: The path of each.
    """
    if found:
        count = f"{'' if ended is Ended.ALL else 'at least '}{len(found):,} {phrases.plural(what, len(found))}"
        example = search_answers.quoted(found[0], reserved=";: ")
        return f"; {count} in ignored or hidden files, e.g. {example}: send {terms.hidden}"
    if ended is Ended.ALL:
        return "; nor in ignored or hidden files"
    return f"; there was no time to look into all ignored and hidden files: {terms.hidden} does"


def no_files(glob: str, path: str) -> str:
    """
    Say that there was nothing to search.

    Args:
        path: As it was sent.
    """
    return (
        f"; no file in it has a path that matches the glob{repeated_base(path, glob)}" if glob else "; it has no files"
    )


def repeated_base(path: str, glob: str) -> str:
    """Say that a glob begins with the path below which it is looked for; empty when it does not."""
    base = path.removeprefix("./").rstrip("/")
    rest = glob.removeprefix("./").removeprefix(f"{base}/") if base else glob
    if len(rest) == len(glob.removeprefix("./")):
        return ""
    return f" (globs are held against paths below {search_answers.quoted(base)}: send {quoted(rest)})"


def not_utf8(found: Sequence[str]) -> list[str]:
    """
    Say how to reach files whose names are not UTF-8; nothing where all are.

    Args:
        found: Paths.
    """
    pattern = next(filter(None, map(paths.undecodable, found)), None)
    if pattern is None:
        return []
    return [f"[names with \\udc… are not UTF-8: only a command reaches them, by a pattern such as {pattern}]"]


def files_cut(listed: Listed, fitted: Fitted, terms: SearchTerms) -> list[str]:
    """Say how many files are shown, when there are more."""
    shown, known = len(fitted.lines), len(listed.paths)
    notes = [f"[… {fitted.cut:,} characters of this path are left out]"] if fitted.cut else []
    if shown == known and listed.ended is not Ended.LIMIT:
        return notes
    total = f" of {known:,}" if listed.ended is Ended.ALL else ""
    more = "" if total else ", there are more"
    first = f"first {shown:,}{total} files are" if shown > 1 else f"first{total} is"
    return [*notes, f"[… the {first} shown{more}; {narrow(terms)}]"]


def matches_cut(found: Found, fitted: Fitted, skipped: int, terms: SearchTerms) -> list[str]:
    """Say which matches are shown, when there are more."""
    last = skipped + len(fitted.lines)
    known = skipped + len(found.matches)
    notes = [f"[… {fitted.cut:,} characters of this line are left out]"] if fitted.cut else []
    if last == known and found.ended is not Ended.LIMIT:
        return notes
    shown = f"matches {skipped + 1}-{last}" if len(fitted.lines) > 1 else f"match {last}"
    onward = f"continue with {terms.offset}={last}"
    if found.ended is Ended.ALL:
        return [*notes, f"[… {shown} of {known} shown; {onward}]"]
    return [*notes, f"[… {shown} shown, there are more; {onward}, or {narrow(terms)}]"]


def unreadable(some: Sequence[Unreadable], base: str) -> list[str]:
    """Name what could not be read below a place, if anything."""
    if not some:
        return []
    named = [
        f"{search_answers.quoted(search_answers.joined(base, each.path), reserved=',()[]: ')} ({each.reason})"
        for each in some
    ]
    named = phrases.first(named, _MOST_NAMED, more="and {:,} more")
    return [f"[{len(some):,} path{'' if len(some) == 1 else 's'} could not be read: {', '.join(named)}]"]


def binary(some: Sequence[str], base: str) -> list[str]:
    """Name the files below a place that match and are not text, if any."""
    if not some:
        return []
    named = search_answers.listed((search_answers.joined(base, path) for path in some), most=_MOST_NAMED)
    verb = "matches but is" if len(some) == 1 else "match but are"
    return [
        f"[{len(some):,} {phrases.plural('file', len(some))} {verb} not text; use a command to look inside: {named}]"
    ]


def not_searched(problem: SearchProblem, tool: str, *, pattern: str = "", glob: str = "") -> str:
    """
    Say why an engine did not search, and what to do next.

    Args:
        pattern, glob: As they were sent.
    """
    reason = _shortened(problem.reason)
    because = f": {reason}" if reason else ""
    match problem:
        case PatternTooLong():
            return f"[{tool}: not searched{because}; send a shorter pattern]"
        case BadPattern():
            return f"[{tool}: {quoted(pattern)} is not a regular expression{because}]\n{_literally(pattern)}"
        case BadGlob():
            return f"[{tool}: {quoted(glob)} is not a glob{because or ': send names, *, **, ?, [abc] and {a,b}'}]"
        case EngineFailed():
            return f"[{tool}: the search broke down{because}; try again with a smaller path, or by a command]"
        case _:
            return f"[{tool}: not searched{because}; change the arguments]"


def quoted(text: str) -> str:
    """Repeat what was sent, cut where it is long, with what cannot be seen spelled out."""
    short = text if len(text) <= _MAX_QUOTED else f"{text[:_MAX_QUOTED]}…"
    return f"`{''.join(char if char.isprintable() else _escape(char) for char in short)}`"


def _literally(pattern: str) -> str:
    """Say how to write a pattern that is meant letter for letter."""
    if len(pattern) > _MAX_QUOTED:
        return "Send a shorter pattern; a backslash goes before each of \\ . + * ? ( ) | [ ] { } ^ $ that stands for itself"
    literal = _SPECIAL.sub(r"\\\g<0>", pattern)
    return f"If it is meant letter for letter, send {literal} (in JSON: {json.dumps(literal, ensure_ascii=False)})"


def _shortened(reason: str) -> str:
    """Keep the end of long reasons, where engines say what is wrong, on as few lines as there are."""
    reason = reason.strip()
    return reason if len(reason) <= _MAX_REASON else f"…{reason[-_MAX_REASON:]}"


def _escape(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode()
