r"""
What ignore files exclude, read the way ripgrep reads them, but for a line that says nothing: to ripgrep a `!` alone takes
everything back, to git and to us it means nothing.

pathspec knows git's patterns. ripgrep reads more into a line, so a line is put into git's words first: braces
become several patterns, a class that holds a slash becomes a choice. What
ripgrep cannot read it leaves out, and so do we: a line with a broken class range or an unclosed brace, and every
line from the first one on that is not UTF-8.

Most rules are a name (`build/`), a path (`/docs/api`) or an ending (`*.pyc`): those are looked up in a table.
pathspec takes longer to import than a small tree to search: it is imported when a line says more.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from typing import NamedTuple

__all__ = ["IgnoreRules", "PathspecMissing", "parse_rules"]

#: What Unicode calls white space; `str.rstrip` alone takes four control characters more.
_WHITE = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
#: Characters that make a line more than a name or a path.
_SPECIAL = re.compile(r"[*?\[\]{}\\]")
#: What no ending may hold that can be looked up: it is what follows the last dot.
_ENDS_ENDING = re.compile(r"[*?\[\]{}\\./]")
#: Patterns that the braces of one line may stand for.
_MOST_ALTERNATIVES = 4096


class PathspecMissing(Exception):
    """A rule that needs pathspec, which is not installed."""


class _Unreadable(Exception):
    """A line that ripgrep cannot read."""


class _Rule(NamedTuple):
    """
    One line.

    Args:
        number: The later line decides.
        excludes: False when the line begins with `!`.
    """

    number: int
    excludes: bool
    directories_only: bool


class IgnoreRules:
    """The rules of one file. Paths are relative to its directory, raw, without a slash at the end."""

    def __init__(self) -> None:
        self._names: dict[bytes, list[_Rule]] = {}
        self._paths: dict[bytes, list[_Rule]] = {}
        self._endings: dict[bytes, list[_Rule]] = {}
        self._patterns: list[tuple[_Rule, Callable[[bytes], object]]] = []

    def __bool__(self) -> bool:
        return bool(self._names or self._paths or self._endings or self._patterns)

    def excludes(self, path: bytes, name: bytes, *, is_directory: bool) -> bool | None:
        """Say whether the last rule about this path excludes it; None when there is none."""
        last: _Rule | None = None
        for rule in self._names.get(name, ()):
            if is_directory or not rule.directories_only:
                last = rule
        for table, key in ((self._paths, path), (self._endings, name[name.rfind(b".") :])):
            for rule in table.get(key, ()) if table else ():
                if (is_directory or not rule.directories_only) and (last is None or rule.number > last.number):
                    last = rule
        if self._patterns:
            # A dot does not match a line break, and a dollar stands before one: no pattern holds either.
            path = path.replace(b"\n", b"\0")
            for rule, matches in reversed(self._patterns):
                if last is not None and rule.number < last.number:
                    break
                if (is_directory or not rule.directories_only) and matches(path):
                    last = rule
                    break
        return None if last is None else last.excludes

    def add(self, line: str, number: int) -> None:
        """Take one line, without its line end."""
        if line.startswith("#"):
            return
        if not line.endswith("\\ "):
            line = line.rstrip(_WHITE)
        if not line:
            return
        excludes = anchored = False
        if line.startswith(("\\!", "\\#")):
            line, excludes = line[1:], True
        else:
            excludes = not line.startswith("!")
            line = line.removeprefix("!")
            anchored = line.startswith("/")
            line = line.removeprefix("/")
        directories_only = line.endswith("/")
        if directories_only:
            line = line[:-1].removesuffix("\\")
        if not line:
            return
        rule = _Rule(number, excludes, directories_only)
        if not _SPECIAL.search(line):
            table = self._paths if anchored or "/" in line else self._names
            table.setdefault(line.encode(), []).append(rule)
        elif not anchored and line[:2] == "*." and not _ENDS_ENDING.search(line, 2):
            self._endings.setdefault(line[1:].encode(), []).append(rule)
        else:
            self._add_patterns(line, rule, anchored=anchored or "/" in line)

    def _add_patterns(self, line: str, rule: _Rule, *, anchored: bool) -> None:
        try:
            alternatives = list(dict.fromkeys(_alternatives(line)))
        except _Unreadable:
            return
        for alternative in alternatives:
            if alternative and not alternative.endswith("/"):
                deep = f"{alternative}/*" if alternative.endswith("/**") else alternative
                prefix = "/" if anchored or deep == "**" else "/**/"
                self._patterns.append((rule, _matcher(f"{prefix}{deep}")))


def parse_rules(data: bytes) -> IgnoreRules:
    """
    Read an ignore file.

    Raises:
        PathspecMissing: A line needs it.
    """
    rules = IgnoreRules()
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n")):
        try:
            rules.add(raw.removesuffix(b"\r").decode(), number)
        except UnicodeDecodeError:
            break
    return rules


def _anything(_path: bytes) -> object:
    return True


def _matcher(pattern: str) -> Callable[[bytes], object]:
    """Let pathspec read a pattern in git's words."""
    try:
        from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern
    except ImportError as error:
        raise PathspecMissing from error
    regex, _ = GitIgnoreSpecPattern.pattern_to_regex(pattern.encode("latin-1"))
    if regex is None or regex == b".":
        return _anything
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return re.compile(regex).fullmatch


def _alternatives(glob: str) -> list[str]:
    """
    Put a line into git's words: one pattern for each choice that its braces offer.

    Raises:
        _Unreadable: It is not a glob, or stands for too many.
    """
    open_braces: list[tuple[list[str], list[str]]] = []
    finished: list[str] = []
    current = [""]
    at = 0
    while at < len(glob):
        pieces, after = _piece(glob, at)
        match glob[at]:
            case "{":
                open_braces.append((finished, current))
                finished, current = [], [""]
            case "," if open_braces:
                finished += current
                current = [""]
            case "}":
                if not open_braces:
                    raise _Unreadable
                # An empty choice is none, unless there is no other.
                inner = [choice for choice in finished + current if choice] or [""]
                finished, before = open_braces.pop()
                current = _products(before, inner)
            case _:
                current = _products(current, pieces)
        at = after
    if open_braces:
        raise _Unreadable
    return current


def _products(before: list[str], after: list[str]) -> list[str]:
    if len(before) * len(after) > _MOST_ALTERNATIVES:
        raise _Unreadable
    return [first + second for first in before for second in after]


def _piece(glob: str, at: int) -> tuple[list[str], int]:
    """Read one character, escape or class: what it is in git's words, and where the next begins."""
    character = glob[at]
    if character == "\\":
        if at + 1 == len(glob):
            raise _Unreadable
        return [_literal(glob[at + 1])], at + 2
    if character == "[":
        return _class(glob, at)
    return [character if character in "*?" else _literal(character)], at + 1


def _literal(character: str) -> str:
    if character in "\\*?[":
        return f"\\{character}"
    # pathspec strips from the end what is white space in Latin-1, be it half a character.
    return "".join(f"[{byte}]" if byte.isspace() else byte for byte in _bytes(character))


def _bytes(text: str) -> str:
    """Let each character stand for one byte of the text in UTF-8: that is what `?` and a class match."""
    return text.encode().decode("latin-1")


def _class(glob: str, at: int) -> tuple[list[str], int]:
    """Read a class; one that is never closed is a bracket."""
    start = at + 1
    negated = glob[start : start + 1] in ("!", "^") and start < len(glob)
    start += negated
    end = glob.find("]", start + 1)
    if end < 0:
        return [_literal("[")], at + 1
    ranges = list(_ranges(glob[start:end]))
    slash = any(low == "/" == high for low, high in ranges)
    kept = [_bytes(low if low == high else f"{low}-{high}") for low, high in ranges if not low == "/" == high]
    pieces = [f"[{'!' * negated}{''.join(kept)}]"] if kept else ["?"] if negated else []
    return pieces + ["/"] * (slash and not negated), end + 1


def _ranges(inner: str) -> Iterator[tuple[str, str]]:
    """Read what stands between the brackets; a range that goes on (`a-c-e`) is one."""
    ranges: list[tuple[str, str]] = []
    in_range = False
    for character in inner:
        if character == "-" and ranges and not in_range:
            in_range = True
        elif in_range:
            low = ranges[-1][0]
            if character < low:
                raise _Unreadable
            ranges[-1] = (low, character)
            in_range = False
        else:
            ranges.append((character, character))
    if in_range:
        ranges.append(("-", "-"))
    return iter(ranges)
