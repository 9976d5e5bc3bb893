"""
A line of bash cut into the simple commands that it may run, wherever they stand: lists, groups, functions, substitutions,
here-documents, subscripts.

It finds too much rather than too little: the body of a function counts although nobody calls it. What it cannot follow
to the end is said, never passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import define, field, frozen

from mmtools.core.shell.cursor import Cursor, Findings, Lost, Trouble, Why
from mmtools.core.shell.word_reader import Parts, WordReader
from mmtools.core.shell.words import Command, Word

__all__ = ["MOST_CHARS", "Reading", "expanded", "read"]

#: 64 KiB: longer than any person writes.
MOST_CHARS = 65_536

#: Groups that are open at once.
_MOST_GROUPS = 40

_OPERATOR = re.compile(r";;&|;;|;&|;|&&|&(?!>)|\|\||\|&|\|")
_REDIRECTION = re.compile(
    r"(?:\d+|\{[A-Za-z_]\w*(?:\[[^]\s]*\])?\})?(?P<how>&>>?|<<<|<<-?|<>|>>|>\||>&|<&|<(?!\()|>(?!\())"
)

#: Reserved words after which a command may begin.
_BEFORE_COMMANDS = frozenset({"!", "{", "}", "do", "done", "elif", "else", "fi", "if", "then", "until", "while"})

#: With which a compound command begins.
_COMPOUND = re.compile(r"(?:\{|\[\[|if|while|until|for|case|select)(?=[\s;])|\(")

_PARENTHESES = re.compile(r"[ \t]*\([ \t]*\)")
_TIME_OPTIONS = re.compile(r"(?:-p(?=\s)[ \t]*)?(?:--(?=\s))?")
_DASH = re.compile("-")
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
    return _read(line, lambda reader: reader.list(""))


def expanded(text: str) -> Reading:
    """Find every simple command that bash runs when it expands a text, as it does with what is between double quotes."""
    return _read(text, lambda reader: reader.expand())


def _read(text: str, how: Callable[[_Reader], object]) -> Reading:
    if len(text) > MOST_CHARS:
        return Reading((), Trouble(Why.TOO_LONG, text[:40]))
    findings = Findings()
    try:
        how(_Reader(text, findings))
    except Lost as lost:
        return Reading(tuple(findings.commands), lost.trouble)
    return Reading(tuple(findings.commands))


@define(eq=False)
class _Building:
    """A simple command as far as it was read."""

    words: list[Word] = field(factory=list)
    assignments: list[Word] = field(factory=list)
    input: Word | None = None
    redirected: bool = False
    ended: Command | None = None

    @property
    def begins(self) -> bool:
        """Whether nothing was read yet, so that a reserved word counts."""
        return not self.words and not self.assignments and not self.redirected

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


@define(eq=False)
class _List:
    """A list of commands that is being read, and what is open in it."""

    closer: str
    building: _Building = field(factory=_Building)
    groups: int = 0
    cases: int = 0


class _Reader:
    """
    The lists of commands in one text.

    Args:
        findings: Takes every command.
        level: How deep the text itself stands in another.
    """

    def __init__(self, text: str, findings: Findings, level: int = 0) -> None:
        self._cursor = Cursor(text, level=level)
        self._findings = findings
        self._words = WordReader(self._cursor, findings, self.list, self._read_text, self._read_quoted, self._breaks)
        self._documents: list[_HereDocument] = []
        #: Where the first here-document of the list ended; 0 where there was none.
        self._after_document = 0

    def list(self, closer: str) -> None:
        """
        Read commands up to `closer`, which is passed over; "" is the end of the text.

        Raises:
            Lost: Something there cannot be followed.
        """
        self._cursor.enter()
        outer, self._documents = self._documents, []
        outer_document, self._after_document = self._after_document, 0
        begin, here = self._cursor.at, _List(closer)
        try:
            while self._token(here):
                pass
        except Lost:
            self._end(here)
            raise
        if outer and "\n" in self._cursor.text[begin : self._cursor.at]:
            # Which line break a here-document waits for is not the same in every version.
            raise self._cursor.lost(Why.UNEXPECTED, begin)
        if closer and self._after_document and self._cursor.text[self._after_document : self._cursor.at - 1].strip():
            # bash writes the commands of a substitution anew, and forgets a semicolon after a here-document.
            raise self._cursor.lost(Why.UNEXPECTED, self._after_document)
        self._documents = outer
        self._after_document = outer_document or self._after_document
        self._cursor.leave()

    def _token(self, here: _List) -> bool:
        """Read the next token; false when it ends the list."""
        cursor = self._cursor
        cursor.blanks()
        if cursor.char in ("", ")"):
            return self._close(here)
        if cursor.char == "#":
            cursor.comment()
        elif cursor.char == "\n":
            cursor.at += 1
            self._end(here)
            self._read_documents()
        elif redirection := cursor.take(_REDIRECTION):
            self._redirect(redirection["how"], here.building)
        elif operator := cursor.take(_OPERATOR):
            cursor.operator_ends()
            self._end(here)
            if operator[0] in (";;", ";&", ";;&") and here.cases:
                here.cases -= self._patterns()
        elif cursor.char == "(":
            self._parenthesis(here)
        else:
            self._word(here)
        return True

    def _close(self, here: _List) -> bool:
        """End a group, or the list: then false."""
        cursor = self._cursor
        self._end(here)
        if not cursor.char:
            if here.closer or here.groups:
                raise cursor.lost(Why.UNCLOSED)
            self._read_documents()
            return False
        cursor.at += 1
        if here.groups:
            here.groups -= 1
            return True
        if here.closer != ")" or self._documents:
            raise cursor.lost(Why.UNEXPECTED, cursor.at - 1)
        return False

    def _read_text(self, text: str) -> None:
        _Reader(text, self._findings, self._cursor.level).list("")

    def _read_quoted(self, text: str) -> Parts:
        return _Reader(text, self._findings, self._cursor.level).expand()

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

    def _end(self, here: _List) -> None:
        """End the simple command; one that waits for a here-document is found with it."""
        building, here.building = here.building, _Building()
        waits = any(document.building is building for document in self._documents)
        if (command := building.end()) and not waits:
            self._findings.commands.append(command)

    def _word(self, here: _List) -> None:
        building = here.building
        if building.words:
            building.words.append(self._words.word())
            return
        word = self._words.first_word()
        if not building.begins or not self._reserved(word, here):
            self._take(word, building)

    def _take(self, word: Word, building: _Building) -> None:
        if word.assigned and not building.words:
            building.assignments.append(word)
        else:
            building.words.append(word)

    def _reserved(self, word: Word, here: _List) -> bool:
        """Read what belongs to a reserved word; false when the word is none."""
        match word.joined:
            case "case":
                self._case()
                here.cases += 1 - self._patterns()
            case "esac":
                here.cases -= here.cases > 0
            case "for" | "select":
                self._loop()
            case "function":
                self._cursor.blanks()
                self._words.word()
                self._cursor.take(_PARENTHESES)
            case "coproc":
                self._coprocess(here.building)
            case "[[":
                self._condition(word)
            case "time":
                self._cursor.blanks()
                self._cursor.take(_TIME_OPTIONS)
            case other:
                return other in _BEFORE_COMMANDS
        return True

    def _parenthesis(self, here: _List) -> None:
        """Read what an opening parenthesis begins: a group, arithmetic, or the body of a function."""
        cursor, words = self._cursor, here.building.words
        if not words:
            if cursor.begins("((") and self._words.arithmetic(cursor.at):
                return
            cursor.at += 1
            cursor.operator_ends()
            here.groups += 1
            if here.groups > _MOST_GROUPS:
                raise cursor.lost(Why.TOO_DEEP)
        elif len(words) == 1 and words[0].value is not None and cursor.take(_PARENTHESES):
            words.clear()
        else:
            raise cursor.lost(Why.UNEXPECTED)

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
        word = self._words.first_word()
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
        self._findings.commands.append(Command(words=tuple(words)))

    def _redirect(self, how: str, building: _Building) -> None:
        self._cursor.operator_ends()
        self._cursor.blanks()
        # What is glued to the dash of `>&-` is a word of its own.
        closes = how in ("<&", ">&") and self._cursor.take(_DASH)
        target = Word("-", "-") if closes else self._words.word()
        building.redirected = True
        if how in ("<<", "<<-"):
            if target.value is None:
                raise Lost(Why.UNEXPECTED, target.raw)
            literal = any(quote in target.raw for quote in "'\"\\")
            self._documents.append(_HereDocument(target.value, literal, how == "<<-", building))
        elif how == "<<<":
            building.input = target
        elif how.startswith("<"):
            building.input = None

    def _read_documents(self) -> None:
        documents, self._documents = self._documents, []
        for number, document in enumerate(documents):
            try:
                document.building.input = self._document(document)
            except Lost:
                waiting = (each.building.ended for each in documents[number:])
                self._findings.commands += [command for command in waiting if command]
                raise
            self._after_document = self._after_document or self._cursor.at
            if document.building.ended and (command := document.building.end()):
                self._findings.commands.append(command)

    def _document(self, document: _HereDocument) -> Word:
        lines: list[str] = []
        begin = self._cursor.at
        while self._cursor.char:
            line = self._cursor.document_line(literal=document.literal)
            line = line.lstrip("\t") if document.strips_tabs else line
            if line == document.delimiter:
                break
            lines.append(line)
        else:
            raise self._cursor.lost(Why.UNCLOSED, begin)
        body = "".join(f"{line}\n" for line in lines)
        return Word(body, body) if document.literal else self._read_quoted(body).word(body)

    def expand(self) -> Parts:
        """Read the whole text as between double quotes, quotes being letters."""
        parts = Parts()
        self._words.expanding(parts, "")
        return parts
