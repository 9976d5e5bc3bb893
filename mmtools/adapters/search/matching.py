r"""
Which lines of a file match, by Python's `re`.

A line is what stands before a LF, without a CR before that. Each is searched by itself, as text; what is not UTF-8
in it no regular expression matches, and a lone CR neither: `^` and `$` match at it. A file in UTF-16 with a byte
order mark is read as text, of UTF-8 the mark is dropped.

To look at each line is slow, so the whole text is searched first, and a line only where that finds something. It
finds every line that matches, and some that do not (`[^a]` also takes a line break), unless the expression looks
around itself or gives nothing back: then each line is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import AnyStr, NamedTuple

__all__ = ["LineMatch", "LineMatcher", "PatternRefused", "needed_texts"]

#: What makes an expression say more about a whole text than about each line: looking around, the ends of the text,
#: atomic groups and possessive repeats, conditions.
_NEEDS_LINES = re.compile(r"\(\?(?:[=!>(]|<[=!])|\\[AZz]|[*+?}]\+")
_LINE_BREAK = re.compile(r"(?s)\\(?P<escaped>n|r|x0[aAdD]|u000[aAdD]|U0000000[aAdD]|01[25])|\\.|(?P<raw>[\n\r])")
_TOKEN = re.compile(
    r"(?s)(?P<choice>[|()]|\\[\dNUux])|\\(?P<escaped>[^\w\s])|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[*+?.^$]|\{[\d,]*\}|(?P<plain>.)"
)
_REPEAT = re.compile(r"(?P<some>\+)|[*?]|\{")
_UNDECODED = re.compile("[\udc80-\udcff]")
#: What may need to know where a line ends.
_LOOKS_AHEAD = re.compile(r"\$|\\[Zz]|\(\?[=!]")
#: A class, or an escape that a line break is among.
_MATCHES_BREAKS = re.compile(
    r"(?s)\\(?P<escape>[sWD])|\\.|\[(?P<negation>\^?)(?P<bracket>\]?)(?P<inner>(?:\\.|[^\]\\])*)\]"
)
_WITHOUT_BREAKS = {"s": r"[^\S\n]", "W": r"[^\w\n]", "D": r"[^\d\n]"}
_CLASS_OF_BREAKS = re.compile(r"(?s)\[\]?[^\^\]](?:[^\]\\]|\\[^sWD])*\\[sWD]|\[\\[sWD]")
#: An expression longer than this is not looked into.
_LONG_REGEX = 1000
#: When so many finds cross a line end, each line is looked at for the rest of the text.
_MOST_CROSSINGS = 32


class PatternRefused(Exception):
    """The refusal of an expression that cannot be searched for, and why."""


class LineMatch(NamedTuple):
    """
    One line that matches.

    Args:
        line: From 1.
        column: From 1, in bytes of the line in UTF-8.
        text: In UTF-8, without its line end.
    """

    line: int
    column: int
    text: bytes


class LineMatcher:
    """
    The search for one expression.

    Raises:
        PatternRefused: It is not one, or asks for a line break.
    """

    def __init__(self, regex: str, *, ignore_case: bool) -> None:
        flags = re.MULTILINE | (re.IGNORECASE if ignore_case else re.NOFLAG)
        try:
            self._of_text = re.compile(regex, flags)
        except (re.error, RecursionError, OverflowError, MemoryError, ValueError) as problem:
            raise PatternRefused(f"regex parse error:\nerror: {_one_line(problem)}") from problem
        _refuse_line_breaks(regex, self._of_text)
        may_cross = self._of_text.flags & re.DOTALL or _CLASS_OF_BREAKS.search(regex)
        regex = _within_lines(regex)
        self._of_text = re.compile(regex, flags)
        self._of_ascii = _ascii_twin(regex, flags)
        self._by_line = bool(may_cross) or _NEEDS_LINES.search(regex) is not None
        self._looks_ahead = _LOOKS_AHEAD.search(regex) is not None
        loose = self._of_text.flags & (re.IGNORECASE | re.VERBOSE) or len(regex) > _LONG_REGEX
        self._needed = [] if loose else [text.encode() for text in needed_texts(regex)]

    def may_match(self, data: bytes) -> bool:
        """Whether a text holds what every match does; quick."""
        return all(text in data for text in self._needed)

    def lines(self, data: bytes) -> Iterator[LineMatch]:
        """Yield the lines of a text that match."""
        if not self.may_match(data):
            return
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n")
        if self._of_ascii is not None and b"\r" not in data and data.isascii():
            pattern = self._of_ascii
            yield from self._scan(data, data, b"\n", pattern, lambda line: _start(pattern.search(line)))
            return
        text = data.decode("utf-8", "surrogateescape")
        if "\r" in text:
            yield from self._scan(text, text.replace("\r", "\n"), "\n", self._of_text, self._search_line)
        elif _UNDECODED.search(text):
            yield from self._scan(text, text, "\n", self._of_text, self._search_line)
        else:
            yield from self._scan(text, text, "\n", self._of_text, lambda line: _start(self._of_text.search(line)))

    def _scan(
        self,
        text: AnyStr,
        broken: AnyStr,
        line_break: AnyStr,
        pattern: re.Pattern[AnyStr],
        search: Callable[[AnyStr], int],
    ) -> Iterator[LineMatch]:
        """
        Search the whole text, and confirm what is found by its line.

        Args:
            broken: The text with a line end wherever `^` and `$` may match.
        """
        if self._by_line:
            yield from self._scan_lines(text.split(line_break), search)
            return
        at = number = counted = crossings = 0
        while at < len(text) and (found := pattern.search(broken, at)):
            start = text.rfind(line_break, 0, found.start()) + 1
            if start == len(text):
                return
            end = text.find(line_break, found.start())
            end = len(text) if end < 0 else end
            number += text.count(line_break, counted, start)
            counted = start
            line = text[start:end]
            column = search(line)
            if column >= 0:
                yield LineMatch(number + 1, _size(line[:column]) + 1, _raw(line))
            at = end + 1
            crossings += found.end() > end
            if crossings > _MOST_CROSSINGS:
                for rest in self._scan_lines(text[at:].split(line_break), search):
                    yield rest._replace(line=rest.line + number + 1)
                return

    def _scan_lines(self, lines: list[AnyStr], search: Callable[[AnyStr], int]) -> Iterator[LineMatch]:
        if not lines[-1]:
            lines.pop()
        for number, line in enumerate(lines, start=1):
            column = search(line)
            if column >= 0:
                yield LineMatch(number, _size(line[:column]) + 1, _raw(line))

    def _search_line(self, line: str) -> int:
        """Search a line that may hold a CR, or what is not UTF-8; returns where the match begins, or -1."""
        start = 0
        for part in line.split("\r"):
            column = self._search_part(part)
            if column >= 0:
                return start + column
            start += len(part) + 1
        return -1

    def _search_part(self, part: str) -> int:
        start = 0
        for hole in _UNDECODED.finditer(part):
            found = self._of_text.search(part, start, hole.start())
            if found and self._looks_ahead and found.end() == hole.start():
                found = self._of_text.search(part, start, hole.end())
                if found and found.end() > hole.start():
                    found = None
            if found:
                return found.start()
            start = hole.end()
        return _start(self._of_text.search(part, start))


def _start(found: re.Match[str] | re.Match[bytes] | None) -> int:
    return found.start() if found else -1


def _size(text: str | bytes) -> int:
    if isinstance(text, bytes) or text.isascii():
        return len(text)
    return len(text.encode("utf-8", "surrogateescape"))


def _raw(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")


def _one_line(problem: Exception) -> str:
    return " ".join(str(problem).split()) or type(problem).__name__


def _ascii_twin(regex: str, flags: int) -> re.Pattern[bytes] | None:
    """Compile what finds the same in a text that is all ASCII, and faster."""
    if not regex.isascii() or len(regex) > _LONG_REGEX:
        return None
    try:
        return re.compile(regex.encode(), flags)
    except (re.error, ValueError):
        return None


def _refuse_line_breaks(regex: str, pattern: re.Pattern[str]) -> None:
    """Refuse what no line can match, rather than find nothing; in a class a line break is only never met."""
    for found in _LINE_BREAK.finditer(_without_classes(regex)):
        if found["escaped"] or (found["raw"] and not pattern.flags & re.VERBOSE):
            name = "\\n" if (found["escaped"] or found["raw"])[-1] in "naA2\n" else "\\r"
            raise PatternRefused(f'the literal "{name}" is not allowed in a regex: each line is searched by itself')


def _within_lines(regex: str) -> str:
    """Keep what matches a line break from doing so: it would run on to the end of the text from each place."""

    def put(found: re.Match[str]) -> str:
        if found["escape"]:
            return _WITHOUT_BREAKS[found["escape"]]
        if found["negation"]:
            return "[^\\n" + "\\]" * bool(found["bracket"]) + found["inner"] + "]"
        return found[0]

    return _MATCHES_BREAKS.sub(put, regex)


def _without_classes(regex: str) -> str:
    return re.sub(r"(?s)\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", lambda found: found[0] if found[0][0] == "\\" else "[]", regex)


def needed_texts(regex: str) -> list[str]:
    """Return texts that are in whatever matches, as far as that is plain to see: without choices and groups."""
    runs = [""]
    at = 0
    for token in _TOKEN.finditer(regex):
        if token["choice"]:
            return []
        plain = token["plain"] or token["escaped"] or ""
        repeated = _REPEAT.match(regex, token.end())
        if not plain or repeated:
            runs += [plain if repeated and repeated["some"] else "", ""]
        else:
            runs[-1] += plain
        at = token.end()
    return [run for run in runs if run] if at == len(regex) else []
