"""
A line of bash cut into the simple commands that it may run, wherever they stand: lists, groups, functions, substitutions,
here-documents, subscripts.

It finds too much rather than too little: the body of a function counts although nobody calls it. What it cannot follow
to the end is said, never passed over.
"""

from __future__ import annotations

import re

from attrs import define, field, frozen

from mmtools.core.shell.cursor import Cursor, Lost, Trouble, Why
from mmtools.core.shell.word_reader import Parts, WordReader
from mmtools.core.shell.words import Command, Word

__all__ = ["Reading", "read"]

#: 64 KiB: longer than any person writes.
_MOST_CHARS = 65_536

_OPERATOR = re.compile(r";;&|;;|;&|;|&&|&(?!>)|\|\||\|&|\|")
_REDIRECTION = re.compile(
    r"(?:\d+|\{[A-Za-z_]\w*(?:\[[^]\s]*\])?\})?(?P<how>&>>?|<<<|<<-?|<>|>>|>\||>&|<&|<(?!\()|>(?!\())"
)

#: Reserved words after which a command may begin.
_BEFORE_COMMANDS = frozenset({"!", "{", "}", "do", "done", "elif", "else", "fi", "if", "then", "until", "while"})

#: With which a compound command begins.
_COMPOUND = re.compile(r"(?:\{|\[\[|if|while|until|for|case|select)(?=[\s;])|\(")

_PARENTHESES = re.compile(r"[ \t]*\([ \t]*\)")
_TIME_OPTION = re.compile(r"-p(?=\s)|--(?=\s)")
_IN = re.compile(r"in(?=[\s;])")
_ESAC = re.compile(r"esac(?![^\s;&|()<>])")


@frozen
class Reading:
    """
    What a line may run.

    Args:
        commands: Every simple command that was found, in no order that matters.
        trouble: Given, there may be more commands than these.
    """

    commands: tuple[Command, ...]
    trouble: Trouble | None = None


def read(line: str) -> Reading:
    """Find every simple command that bash may run for a line; total, whatever the line."""
    if len(line) > _MOST_CHARS:
        return Reading((), Trouble(Why.TOO_LONG))
    found: list[Command] = []
    try:
        _Reader(line, found).list("")
    except Lost as lost:
        return Reading(tuple(found), lost.trouble)
    return Reading(tuple(found))


@define(eq=False)
class _Building:
    """A simple command as far as it was read."""

    words: list[Word] = field(factory=list)
    assignments: list[Word] = field(factory=list)
    input: Word | None = None
    ended: Command | None = None

    def end(self) -> Command | None:
        """Return the command; None when nothing stands in it."""
        if self.words or self.assignments:
            self.ended = Command(words=tuple(self.words), assignments=tuple(self.assignments), input=self.input)
        return self.ended


@frozen(eq=False)
class _HereDocument:
    """A here-document whose text stands after the next line break."""

    delimiter: str
    literal: bool
    strips_tabs: bool
    building: _Building


class _Reader:
    """
    The lists of commands in one text.

    Args:
        found: Takes every command.
        level: How deep the text itself stands in another.
    """

    def __init__(self, text: str, found: list[Command], level: int = 0) -> None:
        self._cursor = Cursor(text, level=level)
        self._found = found
        self._words = WordReader(self._cursor, found, self.list, self._read_text, self._breaks)
        self._documents: list[_HereDocument] = []

    def list(self, closer: str) -> None:
        """
        Read commands up to `closer`, which is passed over; "" is the end of the text.

        Raises:
            Lost: Something there cannot be followed.
        """
        cursor = self._cursor
        cursor.enter()
        building, open_groups, open_cases = _Building(), 0, 0
        while True:
            cursor.blanks()
            char = cursor.char
            if not char:
                if closer or open_groups:
                    raise cursor.lost(Why.UNCLOSED)
                self._end(building)
                self._read_documents()
                break
            if char == "#":
                cursor.comment()
            elif char == "\n":
                cursor.at += 1
                building = self._end(building)
                self._read_documents()
            elif redirection := cursor.take(_REDIRECTION):
                self._redirect(redirection["how"], building)
            elif operator := cursor.take(_OPERATOR):
                building = self._end(building)
                if operator[0] in (";;", ";&", ";;&") and open_cases:
                    open_cases -= self._patterns()
            elif char == ")":
                cursor.at += 1
                building = self._end(building)
                if not open_groups:
                    if closer != ")" or self._documents:
                        raise cursor.lost(Why.UNEXPECTED)
                    break
                open_groups -= 1
            elif char == "(":
                open_groups += self._parenthesis(building)
            else:
                word = self._words.word()
                if not building.words and word.raw == "case":
                    self._case()
                    open_cases += 1 - self._patterns()
                elif not building.words and word.raw == "esac":
                    open_cases -= open_cases > 0
                else:
                    self._take(word, building)
        cursor.leave()

    def _read_text(self, text: str) -> None:
        _Reader(text, self._found, self._cursor.level).list("")

    def _breaks(self) -> None:
        """Pass over blanks, line breaks and comments."""
        while True:
            self._cursor.blanks()
            if self._cursor.char == "#":
                self._cursor.comment()
            elif self._cursor.char == "\n":
                self._cursor.at += 1
                self._read_documents()
            else:
                return

    def _end(self, building: _Building) -> _Building:
        waits = any(document.building is building for document in self._documents)
        if (command := building.end()) and not waits:
            self._found.append(command)
        return _Building()

    def _take(self, word: Word, building: _Building) -> None:
        if building.words:
            building.words.append(word)
            return
        match word.raw:
            case "for" | "select":
                self._loop()
            case "function":
                self._cursor.blanks()
                self._words.word()
                self._cursor.take(_PARENTHESES)
            case "coproc":
                self._coprocess(building)
            case "[[":
                self._condition(word)
            case "time":
                self._cursor.blanks()
                self._cursor.take(_TIME_OPTION)
            case raw if raw in _BEFORE_COMMANDS:
                pass
            case _ if word.assigned:
                building.assignments.append(word)
            case _:
                building.words.append(word)

    def _parenthesis(self, building: _Building) -> int:
        """
        Read what an opening parenthesis begins.

        Returns:
            How many groups it opens: 1, or 0 after the name of a function and around arithmetic.
        """
        if not building.words:
            if self._cursor.begins("((") and self._words.arithmetic(self._cursor.at):
                return 0
            self._cursor.at += 1
            return 1
        if len(building.words) == 1 and self._cursor.take(_PARENTHESES):
            building.words.clear()
            return 0
        raise self._cursor.lost(Why.UNEXPECTED)

    def _loop(self) -> None:
        self._cursor.blanks()
        if self._cursor.begins("(("):
            if not self._words.arithmetic(self._cursor.at):
                raise self._cursor.lost(Why.UNEXPECTED)
            return
        self._words.word()
        self._breaks()
        if self._cursor.take(_IN):
            self._cursor.blanks()
            while self._cursor.char not in ("", ";", "\n", "#"):
                self._words.word()
                self._cursor.blanks()

    def _case(self) -> None:
        self._cursor.blanks()
        self._words.word()
        self._breaks()
        if not self._cursor.take(_IN):
            raise self._cursor.lost(Why.UNEXPECTED)

    def _patterns(self) -> bool:
        """Read the patterns of one case; returns whether there were none, for the cases ended."""
        self._breaks()
        if self._cursor.take(_ESAC):
            return True
        if self._cursor.char == "(":
            self._cursor.at += 1
        while True:
            self._cursor.blanks()
            self._words.word()
            self._cursor.blanks()
            char = self._cursor.char
            if char not in (")", "|"):
                raise self._cursor.lost(Why.UNEXPECTED)
            self._cursor.at += 1
            if char == ")":
                return False

    def _coprocess(self, building: _Building) -> None:
        self._cursor.blanks()
        if _COMPOUND.match(self._cursor.text, self._cursor.at):
            return
        word = self._words.word()
        self._cursor.blanks()
        if not _COMPOUND.match(self._cursor.text, self._cursor.at):
            self._take(word, building)

    def _condition(self, opening: Word) -> None:
        words = [opening]
        while words[-1].raw != "]]":
            self._breaks()
            char = self._cursor.char
            if not char or char == ";":
                raise self._cursor.lost(Why.UNCLOSED)
            if char in "()&|" or (char in "<>" and self._cursor.after != "("):
                self._cursor.at += 1
            else:
                words.append(self._words.word())
        self._found.append(Command(words=tuple(words)))

    def _redirect(self, how: str, building: _Building) -> None:
        self._cursor.blanks()
        target = self._words.word()
        if how in ("<<", "<<-"):
            literal = any(quote in target.raw for quote in "'\"\\")
            self._documents.append(_HereDocument(target.text, literal, how == "<<-", building))
        elif how == "<<<":
            building.input = target
        elif how.startswith("<"):
            building.input = None

    def _read_documents(self) -> None:
        documents, self._documents = self._documents, []
        for document in documents:
            document.building.input = self._document(document)
            if document.building.ended and (command := document.building.end()):
                self._found.append(command)

    def _document(self, document: _HereDocument) -> Word:
        lines: list[str] = []
        while self._cursor.char:
            begin = self._cursor.at
            self._cursor.comment()
            line = self._cursor.text[begin : self._cursor.at]
            self._cursor.at += 1
            line = line.lstrip("\t") if document.strips_tabs else line
            if line == document.delimiter:
                break
            lines.append(line)
        body = "".join(f"{line}\n" for line in lines)
        if document.literal:
            return Word(body, body)
        parts = Parts()
        _Reader(body, self._found, self._cursor.level).expand(parts)
        return parts.word(body)

    def expand(self, parts: Parts) -> None:
        """Read the whole text as the body of a here-document: only expansions count."""
        self._words.expanding(parts, "")
