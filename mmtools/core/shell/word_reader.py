"""A word of a line as bash reads it: quotes taken away, expansions noted, and the commands in them handed over."""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import define, field, frozen

from mmtools.core.shell import quoting
from mmtools.core.shell.cursor import Cursor, Findings, Lost, Why
from mmtools.core.shell.words import Word

__all__ = ["Parts", "WordReader"]

_ENDS = frozenset(" \t\n;&|)")
_PARAMETER = re.compile(r"[A-Za-z_]\w*|[0-9@*#?$!-]")
_ANSI_C = re.compile(r"\$'(?P<text>(?:[^'\\]|\\.)*)'", re.DOTALL)
_BACKQUOTED = re.compile(r"`(?P<text>(?:[^`\\]|\\.)*)`", re.DOTALL)
_ARRAY = re.compile(r"[A-Za-z_]\w*(?:\[[^]]*\])?\+?=")
_NAME = re.compile(r"[A-Za-z_]\w*")
_NOTHING = re.compile("")
_CASE = re.compile(r"\bcase\s")
_AS_A_PROMPT = re.compile(r"@P\}\Z")
_NUMBER = re.compile(r"\d+|\{[A-Za-z_]\w*(?:\[[^]\s]*\])?\}")


@define
class Parts:
    """A word as far as it was read: its literal text, and what only the shell can know."""

    literal: list[str] = field(factory=list)
    known: bool = True
    splits: bool = False
    since: int = 0
    _braces_from: int = -1
    _expands_braces: bool = False

    def expand(self, *, splits: bool) -> None:
        """Take note of something that only the shell can know."""
        self.known, self.splits, self.since = False, self.splits or splits, len(self.literal)

    def expands_braces(self, text: str, begin: int, end: int) -> bool:
        """Whether the shell may expand braces of a word that begins and has closed one so far; no part is searched twice."""
        if self._braces_from < 0:
            self._braces_from = text.find("{", begin, end)
        if self._braces_from >= 0 and not self._expands_braces:
            since = text[self._braces_from : end]
            self._expands_braces = "," in since or ".." in since
            # The last character may be the first of two dots.
            self._braces_from = end - 1
        return self._expands_braces

    def word(self, raw: str) -> Word:
        """Return the word."""
        text = "".join(self.literal)
        return Word(raw, text) if self.known else Word(raw, None, self.splits, "".join(self.literal[self.since :]))


@frozen(eq=False)
class WordReader:
    """
    A reader of words at a place of a text.

    Args:
        cursor: The place; moved on.
        findings: The commands so far.
        read_list: Reads the commands up to a closing parenthesis.
        read_text: Reads another text for the commands in it.
        read_quoted: Reads another text for what is expanded in it, as between double quotes.
        breaks: Passes over blanks, comments and line breaks.
    """

    cursor: Cursor
    findings: Findings
    read_list: Callable[[str], None]
    read_text: Callable[[str], None]
    read_quoted: Callable[[str], object]
    breaks: Callable[[], None]

    def word(self, *, subscript: re.Pattern[str] | None = None) -> Word:
        """
        Read the word that stands here.

        Args:
            subscript: What an opening bracket comes after when all up to the closing one belongs to the word.

        Raises:
            Lost: None does, or it has no end.
        """
        begin, text = self.cursor.at, Parts()
        while (char := self.cursor.char) and char not in _ENDS:
            if char == "[" and subscript and subscript.fullmatch(self._joined(begin)):
                self.cursor.at += 1
                self._balanced("[", "]")
                text.expand(splits=True)
            elif not self._piece(char, begin, text):
                break
        if self.cursor.at == begin:
            raise self.cursor.lost(Why.UNEXPECTED if self.cursor.char else Why.UNCLOSED, begin)
        return text.word(self.cursor.text[begin : self.cursor.at])

    def first_word(self) -> Word:
        """Read the word that stands where a variable may be set."""
        return self.word(subscript=_NAME)

    def _piece(self, char: str, begin: int, text: Parts) -> bool:
        """Read a character, or a quoted or expanded part; false at the end of the word."""
        if char in "<>(":
            return self._parenthesized(char, begin, text)
        if char == "\\":
            text.literal.append(self._escape())
        elif char == "'":
            text.literal.append(self._single_quoted())
        elif char == '"':
            self.cursor.at += 1
            self.expanding(text, '"')
        elif char in "$`":
            self._expansion(text, quoted=False)
        else:
            self.cursor.at += 1
            text.literal.append(char)
            self._pattern(char, begin, text)
        return True

    def _parenthesized(self, char: str, begin: int, text: Parts) -> bool:
        """Read a process substitution or the elements of an array; false when the word ends before it."""
        if char == "(":
            if not _ARRAY.fullmatch(self._joined(begin)):
                return False
            self.cursor.at += 1
            self._array()
        elif self.cursor.after == "(":
            self.cursor.at += 2
            self.read_list(")")
        else:
            continued = "\\\n" in self.cursor.text[begin : self.cursor.at]
            if continued and _NUMBER.fullmatch(self._joined(begin)):
                raise self.cursor.lost(Why.UNEXPECTED, begin)
            return False
        text.expand(splits=False)
        return True

    def _joined(self, begin: int) -> str:
        """Return the word so far as bash looks at it: it joins continued lines first."""
        return self.cursor.text[begin : self.cursor.at].replace("\\\n", "")

    def _escape(self) -> str:
        text = self.cursor.after
        self.cursor.at += 2
        return text.strip("\n")

    def _pattern(self, char: str, begin: int, text: Parts) -> None:
        """Take note of a character outside quotes that the shell may replace: patterns, braces, a home directory."""
        if char in "*?" or (char == "]" and "[" in self.cursor.text[begin : self.cursor.at]):
            text.expand(splits=True)
        elif char == "~" and self.cursor.at - begin == 1:
            text.expand(splits=False)
        elif char == "}" and text.expands_braces(self.cursor.text, begin, self.cursor.at):
            text.expand(splits=True)

    def _array(self) -> None:
        self.cursor.enter()
        self.breaks()
        while not self.cursor.begins(")"):
            self.word(subscript=_NOTHING)
            self.breaks()
        self.cursor.at += 1
        self.cursor.leave()

    def _single_quoted(self) -> str:
        end = self.cursor.text.find("'", self.cursor.at + 1)
        if end < 0:
            raise self.cursor.lost(Why.UNCLOSED)
        quoted = self.cursor.text[self.cursor.at + 1 : end]
        self.cursor.at = end + 1
        return quoted

    def expanding(self, text: Parts, closer: str) -> None:
        """Read text in which only expansions count, up to a closing quote; "" is the end, and quotes are letters."""
        begin = self.cursor.at
        while char := self.cursor.char:
            if char == closer:
                self.cursor.at += 1
                return
            if char == "\\":
                text.literal.append(quoting.double_quoted(self.cursor.text[self.cursor.at : self.cursor.at + 2]))
                self.cursor.at += 2
            elif char in "$`":
                self._expansion(text, quoted=True)
            else:
                text.literal.append(char)
                self.cursor.at += 1
        if closer:
            raise self.cursor.lost(Why.UNCLOSED, begin - 1)

    def _expansion(self, text: Parts, *, quoted: bool) -> None:
        following = self.cursor.after
        if self.cursor.char == "`":
            self._backquotes(quoted=quoted)
            text.expand(splits=not quoted)
        elif following == "'" and not quoted:
            text.literal.append(self._ansi_c())
        elif following == '"' and not quoted:
            self.cursor.at += 2
            self.expanding(text, '"')
        elif following == "{":
            raw = self._braced(quoted=quoted)
            text.expand(splits=not quoted or "@" in raw)
        elif following in ("(", "["):
            self._substitution(following)
            text.expand(splits=not quoted)
        elif parameter := _PARAMETER.match(self.cursor.text, self.cursor.at + 1):
            self.cursor.at = parameter.end()
            text.expand(splits=not quoted or parameter[0] == "@")
        elif self.cursor.begins("$\\\n"):
            raise self.cursor.lost(Why.UNEXPECTED)
        else:
            self.cursor.at += 1
            text.literal.append("$")

    def _ansi_c(self) -> str:
        ansi_c = self.cursor.take(_ANSI_C)
        if ansi_c is None:
            raise self.cursor.lost(Why.UNCLOSED)
        return quoting.ansi_c(ansi_c["text"])

    def _substitution(self, opener: str) -> None:
        begin = self.cursor.at
        if opener == "[":
            self.cursor.enter()
            self.cursor.at += 2
            self._balanced("[", "]")
            self.cursor.leave()
        elif not (self.cursor.begins("$((") and self.arithmetic(begin + 1)):
            self.cursor.at = begin + 2
            self.read_list(")")

    def _backquotes(self, *, quoted: bool) -> None:
        backquoted = self.cursor.take(_BACKQUOTED)
        if backquoted is None:
            raise self.cursor.lost(Why.UNCLOSED)
        inner = backquoted["text"]
        self.read_text(quoting.backquoted(inner))
        if quoted and '\\"' in inner:
            # Between double quotes the backslash goes, in a here-document it stays.
            self.read_text(quoting.backquoted(inner.replace('\\"', '"')))

    def _braced(self, *, quoted: bool) -> str:
        """Read a parameter expansion; returns it."""
        begin = self.cursor.at
        self.cursor.enter()
        self.cursor.at += 2
        if self.cursor.char in ("|", " ", "\t", "\n"):
            # Newer shells run what stands there.
            raise self.cursor.lost(Why.UNEXPECTED, begin)
        while self.cursor.char != "}":
            self._braced_piece(begin, quoted=quoted)
        self.cursor.at += 1
        self.cursor.leave()
        raw = self.cursor.text[begin : self.cursor.at]
        if _AS_A_PROMPT.search(raw):
            raise Lost(Why.EVALUATED, raw)
        return raw

    def _braced_piece(self, begin: int, *, quoted: bool) -> None:
        char = self.cursor.char
        if not char or (char == "'" and quoted):
            # Whether a single quote quotes here depends on the operator before it.
            raise self.cursor.lost(Why.UNEXPECTED if char else Why.UNCLOSED, begin)
        if char in "$`":
            self._expansion(Parts(), quoted=quoted)
        elif char in "<>" and self.cursor.after == "(" and not quoted:
            self.cursor.at += 2
            self.read_list(")")
        else:
            self._quoted_or_letter(char)

    def _quoted_or_letter(self, char: str) -> None:
        """Pass over a character, or what is quoted; what stands in single quotes may be expanded as arithmetic."""
        if char == "\\":
            self.cursor.at += 2
        elif char == "'":
            self._expand_quoted(self._single_quoted())
        elif char == '"':
            self.cursor.at += 1
            self.expanding(Parts(), '"')
        else:
            self.cursor.at += 1

    def _expand_quoted(self, quoted: str) -> None:
        try:
            self.read_quoted(quoted)
        except Lost as lost:
            # Elsewhere it would be no more than letters.
            raise Lost(Why.EVALUATED, quoted) from lost

    def _balanced(self, opener: str, closer: str) -> None:
        """Read arithmetic up to the closer that balances."""
        begin, level = self.cursor.at, 1
        while char := self.cursor.char:
            if char in "$`":
                self._expansion(Parts(), quoted=False)
                continue
            self._quoted_or_letter(char)
            level += (char == opener) - (char == closer)
            if not level:
                return
        raise self.cursor.lost(Why.UNCLOSED, begin)

    def arithmetic(self, begin: int) -> bool:
        """
        Read `((…))`; false, and nothing is passed over, when it is two groups of commands.

        Raises:
            Lost: It stands too deep, or too much was read to find out.
        """
        before, level = len(self.findings.commands), self.cursor.level
        self.findings.read_twice(0)
        self.cursor.enter()
        self.cursor.at = begin + 2
        try:
            self._balanced("(", ")")
        except Lost as lost:
            if lost.trouble.why in (Why.TOO_DEEP, Why.TOO_LONG, Why.EVALUATED):
                raise
        else:
            if self.cursor.begins(")"):
                self.cursor.at += 1
                self.cursor.leave()
                if _CASE.search(self.cursor.text, begin, self.cursor.at):
                    # bash writes its patterns anew without their first parenthesis, and then finds no arithmetic.
                    raise self.cursor.lost(Why.EVALUATED, begin)
                return True
        self.findings.read_twice(self.cursor.at - begin)
        self.cursor.at, self.cursor.level = begin, level
        del self.findings.commands[before:]
        return False
