"""What `grep` and `glob` say beside what they found: why nothing, what is missing, how to go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mmtools.core import search_answers
from mmtools.ports.search import Ended, RegexDialect, Unreadable

__all__ = [
    "binary",
    "dialect",
    "late",
    "no_files",
    "passed_over",
    "quoted",
    "repeated_base",
    "too_late",
    "unreadable",
]

#: Names in a note; the others are counted.
_MOST_NAMED = 5
#: Characters of a pattern that are repeated; it can be megabytes long.
_MAX_QUOTED = 200

_DIALECTS = {
    RegexDialect.RUST: "Rust syntax, no look-around",
    RegexDialect.PYTHON: "Python syntax",
}


def dialect(search_dialect: RegexDialect) -> str:
    """Say in a few words which regular expressions are read."""
    return _DIALECTS[search_dialect]


def passed_over(what: str, found: Sequence[str], ended: Ended) -> str:
    """
    Say what is in ignored and hidden files, where nobody looked at first.

    Args:
        what: "match" or "file".
        found: The path of each.
    """
    if found:
        count = f"{'' if ended is Ended.ALL else 'at least '}{len(found):,} {_plural(what, len(found))}"
        example = search_answers.quoted(found[0], reserved=";: ")
        return f"; {count} in ignored or hidden files, e.g. {example}: send include_ignored=true"
    if ended is Ended.ALL:
        return "; nor in ignored or hidden files"
    return "; there was no time to look into all ignored and hidden files: include_ignored=true does"


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


def late(timeout_s: float, advice: str) -> str:
    """Say that an answer is not all there is, because the time was over."""
    return f"[… stopped after {timeout_s:g} s: what was found until then; {advice}]"


def too_late(timeout_s: float, advice: str) -> str:
    """Say that nothing was found before the time was over."""
    return f"[error: {timeout_s:g}s timeout exceeded; nothing was found until then: {advice}]"


def unreadable(some: Sequence[Unreadable], path: Callable[[str], str]) -> list[str]:
    """
    Name what could not be read, if anything.

    Args:
        path: Makes the path to show of a relative one.
    """
    if not some:
        return []
    named = [
        f"{search_answers.quoted(path(each.path), reserved=',()[]: ')} ({each.reason})" for each in some[:_MOST_NAMED]
    ]
    if len(some) > _MOST_NAMED:
        named.append(f"and {len(some) - _MOST_NAMED:,} more")
    return [f"[{len(some):,} {_plural('path', len(some))} could not be read: {', '.join(named)}]"]


def binary(some: Sequence[str], path: Callable[[str], str]) -> list[str]:
    """
    Name the files that match and are not text, if any.

    Args:
        path: As for `unreadable`.
    """
    if not some:
        return []
    named = search_answers.listed(map(path, some), most=_MOST_NAMED)
    verb = "matches but is" if len(some) == 1 else "match but are"
    return [f"[{len(some):,} {_plural('file', len(some))} {verb} not text; use a command to look inside: {named}]"]


def quoted(text: str) -> str:
    """Repeat what was sent, cut where it is long, with what cannot be seen spelled out."""
    short = text if len(text) <= _MAX_QUOTED else f"{text[:_MAX_QUOTED]}…"
    return f"`{''.join(char if char.isprintable() else _escape(char) for char in short)}`"


def _escape(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode()


def _plural(word: str, count: int) -> str:
    if count == 1:
        return word
    return f"{word}es" if word.endswith("ch") else f"{word}s"
