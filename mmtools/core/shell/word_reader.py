"""A word of a line as bash reads it: quotes taken away, expansions noted, and the commands in them handed over."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

from attrs import define, field, frozen

from mmtools.core.shell import quoting
from mmtools.core.shell.cursor import Cursor, Lost, Why
from mmtools.core.shell.words import Command, Word

__all__ = ["Parts", "WordReader"]

_PARAMETER = re.compile(r"[A-Za-z_]\w*|[0-9@*#?$!-]")
_ANSI_C = re.compile(r"\$'(?P<text>(?:[^'\\]|\\.)*)'", re.DOTALL)
_BACKQUOTED = re.compile(r"`(?P<text>(?:[^`\\]|\\.)*)`", re.DOTALL)
_ARRAY = re.compile(r"[A-Za-z_]\w*(?:\[[^]]*\])?\+?=")
_BRACES = re.compile(r"\{[^{}]*(?:,|\.\.)")


@define
class Parts:
    """A word as far as it was read: its literal text, and what only the shell can know."""

    literal: list[str] = field(factory=list)
    known: bool = True
    splits: bool = False
    since: int = 0

    def expand(self, *, splits: bool) -> None:
        """Take note of something that only the shell can know."""
        self.known, self.splits, self.since = False, self.splits or splits, len(self.literal)

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
        found: The commands so far.
        read_list: Reads the commands up to a closing parenthesis.
        read_text: Reads another text for the commands in it.
        breaks: Passes over blanks, comments and line breaks.
    """

    cursor: Cursor
    found: list[Command]
    read_list: Callable[[str], None]
    read_text: Callable[[str], None]
    breaks: Callable[[], None]

    def word(self) -> Word:
        """
        Read the word that stands here.

        Raises:
            Lost: None does, or it has no end.
        """
        begin, text = self.cursor.at, Parts()
        while char := self.cursor.char:
            if char in " \t\n;&|)":
                break
            if char in "<>":
                if self.cursor.after != "(":
                    break
                self.cursor.at += 2
                self.read_list(")")
                text.expand(splits=False)
            elif char == "(":
                if not _ARRAY.fullmatch(self.cursor.text, begin, self.cursor.at):
                    break
                self.cursor.at += 1
                self._array()
                text.expand(splits=False)
            elif char == "\\":
                text.literal.append(self.cursor.after.strip("\n"))
                self.cursor.at += 2
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
        if self.cursor.at == begin:
            raise self.cursor.lost(Why.UNEXPECTED if self.cursor.char else Why.UNCLOSED, begin)
        return text.word(self.cursor.text[begin : self.cursor.at])

    def _pattern(self, char: str, begin: int, text: Parts) -> None:
        """Take note of a character outside quotes that the shell may replace: patterns, braces, a home directory."""
        if char in "*?" or (char == "]" and "[" in self.cursor.text[begin : self.cursor.at]):
            text.expand(splits=True)
        elif char == "~" and self.cursor.at - begin == 1:
            text.expand(splits=False)
        elif char == "}" and _BRACES.search(self.cursor.text, begin, self.cursor.at):
            text.expand(splits=True)

    def _array(self) -> None:
        while True:
            self.breaks()
            if self.cursor.begins(")"):
                self.cursor.at += 1
                return
            self.word()

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
        if self.cursor.char == "`":
            self._backquotes(quoted=quoted)
            text.expand(splits=not quoted)
            return
        following = self.cursor.after
        if following == "'" and not quoted:
            ansi_c = self.cursor.take(_ANSI_C)
            if ansi_c is None:
                raise self.cursor.lost(Why.UNCLOSED)
            text.literal.append(quoting.ansi_c(ansi_c["text"]))
        elif following == '"' and not quoted:
            self.cursor.at += 2
            self.expanding(text, '"')
        elif following == "(":
            begin = self.cursor.at
            if not (self.cursor.text.startswith("$((", begin) and self.arithmetic(begin + 1)):
                self.cursor.at = begin + 2
                self.read_list(")")
            text.expand(splits=not quoted)
        elif following == "{":
            begin = self.cursor.at
            self.cursor.at += 2
            self._braced(quoted=quoted)
            raw = self.cursor.text[begin : self.cursor.at]
            if re.search(r"@P\}\Z", raw):
                raise Lost(Why.EVALUATED, raw)
            text.expand(splits=not quoted or "@" in raw)
        elif following == "[":
            self.cursor.at += 2
            self._balanced("[", "]")
            text.expand(splits=not quoted)
        elif parameter := _PARAMETER.match(self.cursor.text, self.cursor.at + 1):
            self.cursor.at = parameter.end()
            text.expand(splits=not quoted or parameter[0] == "@")
        else:
            self.cursor.at += 1
            text.literal.append("$")

    def _backquotes(self, *, quoted: bool) -> None:
        backquoted = self.cursor.take(_BACKQUOTED)
        if backquoted is None:
            raise self.cursor.lost(Why.UNCLOSED)
        inner = backquoted["text"].replace('\\"', '"') if quoted else backquoted["text"]
        self.read_text(quoting.backquoted(inner))

    def _braced(self, *, quoted: bool) -> None:
        """Read up to the brace that closes a parameter expansion."""
        self.cursor.enter()
        begin = self.cursor.at
        while char := self.cursor.char:
            if char == "}":
                self.cursor.at += 1
                self.cursor.leave()
                return
            if char == "\\":
                self.cursor.at += 2
            elif char == "'":
                if quoted:
                    # Whether it quotes here depends on the operator before it.
                    raise self.cursor.lost(Why.UNEXPECTED, begin - 2)
                self._single_quoted()
            elif char == '"':
                self.cursor.at += 1
                self.expanding(Parts(), '"')
            elif char in "$`":
                self._expansion(Parts(), quoted=quoted)
            elif char in "<>" and self.cursor.after == "(" and not quoted:
                self.cursor.at += 2
                self.read_list(")")
            else:
                self.cursor.at += 1
        raise self.cursor.lost(Why.UNCLOSED, begin - 2)

    def _balanced(self, opener: str, closer: str) -> None:
        """Read arithmetic up to the closer that balances."""
        begin, level = self.cursor.at, 1
        while char := self.cursor.char:
            if char in "$`":
                self._expansion(Parts(), quoted=False)
                continue
            if char == '"':
                self.cursor.at += 1
                self.expanding(Parts(), '"')
                continue
            if char == "'":
                self._single_quoted()
                continue
            self.cursor.at += 2 if char == "\\" else 1
            level += (char == opener) - (char == closer)
            if not level:
                return
        raise self.cursor.lost(Why.UNCLOSED, begin)

    def arithmetic(self, begin: int) -> bool:
        """
        Read `((…))`; false, and nothing is passed over, when it is two groups of commands.

        What stands in it is read as commands, too: bash itself may take it for either.
        """
        before, level = len(self.found), self.cursor.level
        self.cursor.at = begin + 2
        try:
            self._balanced("(", ")")
        except Lost:
            closes = False
        else:
            closes = self.cursor.begins(")")
        if not closes:
            self.cursor.at, self.cursor.level = begin, level
            del self.found[before:]
            return False
        inner = self.cursor.text[begin + 2 : self.cursor.at - 1]
        self.cursor.at += 1
        with suppress(Lost):
            self.read_text(inner)
        return True
