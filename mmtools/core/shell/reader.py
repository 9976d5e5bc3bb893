"""
A line of bash cut into the simple commands that it may run, wherever they stand: lists, groups, functions, substitutions,
here-documents, subscripts.

It finds too much rather than too little: the body of a function counts although nobody calls it. What it cannot follow
to the end is said, never passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from attrs import define, field, frozen

from mmtools.core.shell import quoting
from mmtools.core.shell.words import Command, Word

__all__ = ["Reading", "Trouble", "Why", "read"]

#: 64 KiB and 40 levels: what no person writes, and what a reader made to be exhausted stops at.
_MOST_CHARS, _MOST_LEVELS = 65_536, 40

_BLANKS = re.compile(r"(?:[ \t\r]|\\\n)+")
_OPERATOR = re.compile(r";;&|;;|;&|;|&&|&(?!>)|\|\||\|&|\|")
_REDIRECTION = re.compile(
    r"(?:\d+|\{[A-Za-z_]\w*(?:\[[^]\s]*\])?\})?(?P<how>&>>?|<<<|<<-?|<>|>>|>\||>&|<&|<(?!\()|>(?!\())"
)
_PARAMETER = re.compile(r"[A-Za-z_]\w*|[0-9@*#?$!-]")
_ANSI_C = re.compile(r"\$'(?P<text>(?:[^'\\]|\\.)*)'", re.DOTALL)
_BACKQUOTED = re.compile(r"`(?P<text>(?:[^`\\]|\\.)*)`", re.DOTALL)
_ARRAY = re.compile(r"[A-Za-z_]\w*(?:\[[^]]*\])?\+?=")
_BRACES = re.compile(r"\{[^{}]*(?:,|\.\.)")

#: Reserved words after which a command may begin.
_BEFORE_COMMANDS = frozenset(
    {"!", "{", "}", "do", "done", "elif", "else", "esac", "fi", "if", "then", "time", "until", "while"}
)

#: With which a compound command begins.
_COMPOUND = re.compile(r"(?:\{|\[\[|if|while|until|for|case|select)(?=[\s;])|\(")


class Why(StrEnum):
    """Why a line cannot be followed to its end."""

    TOO_LONG = "too long"
    TOO_DEEP = "too deep"
    UNCLOSED = "not closed"
    UNEXPECTED = "unexpected"
    EVALUATED = "evaluated"


@frozen
class Trouble:
    """
    The place from which a line cannot be followed.

    Args:
        near: What stands there, the first characters of it.
    """

    why: Why
    near: str = ""


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
    except _Lost as lost:
        return Reading(tuple(found), Trouble(lost.why, lost.near))
    return Reading(tuple(found))


class _Lost(Exception):
    """The end of what can be followed."""

    def __init__(self, why: Why, near: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.near = near[:40]


@define
class _Building:
    """A simple command as far as it was read."""

    words: list[Word] = field(factory=list)
    assignments: list[Word] = field(factory=list)
    input: list[Word] = field(factory=list)
    reads_substitution: bool = False


@define
class _HereDocument:
    """A here-document whose text stands after the next line break."""

    delimiter: str
    literal: bool
    strips_tabs: bool
    building: _Building


@define
class _Unknown:
    """A word as far as it was read: the literal text, and what is not known of it."""

    literal: list[str] = field(factory=list)
    known: bool = True
    splits: bool = False
    since: int = 0

    def expand(self, *, splits: bool) -> None:
        """Take note of something that only the shell can know."""
        self.known, self.splits, self.since = False, self.splits or splits, len(self.literal)

    def word(self, raw: str) -> Word:
        text = "".join(self.literal)
        return Word(raw, text) if self.known else Word(raw, None, self.splits, "".join(self.literal[self.since :]))


class _Reader:
    """
    A place in a text, and the commands found so far.

    Args:
        found: Takes every command.
    """

    def __init__(self, text: str, found: list[Command], level: int = 0) -> None:
        if level > _MOST_LEVELS:
            raise _Lost(Why.TOO_DEEP)
        self._text = text
        self._at = 0
        self._found = found
        self._level = level
        self._documents: list[_HereDocument] = []
        self._finished: list[tuple[_Building, Command]] = []

    def list(self, closer: str) -> None:
        """
        Read commands up to `closer`, which is passed over; "" is the end of the text.

        Raises:
            _Lost: Something there cannot be followed.
        """
        self._enter()
        building, open_groups, open_cases, patterns = _Building(), 0, 0, False
        while True:
            self._blanks()
            if patterns:
                patterns, ended = False, self._patterns()
                open_cases -= ended
                continue
            char = self._text[self._at : self._at + 1]
            if not char:
                if closer or open_groups:
                    raise _Lost(Why.UNCLOSED, "(")
                self._end(building)
                self._read_documents()
                break
            if char == "#":
                self._comment()
            elif char == "\n":
                self._at += 1
                building = self._end(building)
                self._read_documents()
            elif redirection := _REDIRECTION.match(self._text, self._at):
                self._redirect(redirection, building)
            elif operator := _OPERATOR.match(self._text, self._at):
                self._at = operator.end()
                building = self._end(building)
                patterns = operator[0].startswith(";") and operator[0] != ";" and open_cases > 0
            elif char == ")":
                self._at += 1
                building = self._end(building)
                if open_groups:
                    open_groups -= 1
                elif closer == ")":
                    if self._documents:
                        raise _Lost(Why.UNCLOSED, "<<")
                    break
                else:
                    raise _Lost(Why.UNEXPECTED, ")")
            elif char == "(":
                open_groups += self._parenthesis(building)
            else:
                word = self._word()
                if not building.words and word.raw == "case":
                    self._case()
                    open_cases, patterns = open_cases + 1, True
                elif not building.words and word.raw == "esac":
                    open_cases -= open_cases > 0
                else:
                    self._take(word, building)
        self._level -= 1

    def _enter(self) -> None:
        self._level += 1
        if self._level > _MOST_LEVELS:
            raise _Lost(Why.TOO_DEEP)

    def _blanks(self) -> None:
        if blanks := _BLANKS.match(self._text, self._at):
            self._at = blanks.end()

    def _breaks(self) -> None:
        """Pass over blanks, line breaks and comments."""
        while True:
            self._blanks()
            char = self._text[self._at : self._at + 1]
            if char == "#":
                self._comment()
            elif char == "\n":
                self._at += 1
                self._read_documents()
            else:
                return

    def _comment(self) -> None:
        end = self._text.find("\n", self._at)
        self._at = len(self._text) if end < 0 else end

    def _end(self, building: _Building) -> _Building:
        if building.words or building.assignments:
            command = Command(
                words=tuple(building.words),
                assignments=tuple(building.assignments),
                input=building.input[-1] if building.input else None,
                reads_substitution=building.reads_substitution,
            )
            self._found.append(command)
            if any(document.building is building for document in self._documents):
                self._finished.append((building, command))
        return _Building()

    def _take(self, word: Word, building: _Building) -> None:
        if building.words:
            building.words.append(word)
            return
        match word.raw:
            case "for" | "select":
                self._loop()
            case "function":
                self._blanks()
                self._word()
                self._pair_of_parentheses()
            case "coproc":
                self._coprocess(building)
            case "[[":
                self._condition(word)
            case "time":
                self._blanks()
                if option := re.compile(r"-p(?=\s)|--(?=\s)").match(self._text, self._at):
                    self._at = option.end()
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
            if self._text.startswith("((", self._at) and self._arithmetic(self._at):
                return 0
            self._at += 1
            return 1
        if len(building.words) == 1 and self._pair_of_parentheses():
            building.words.clear()
            return 0
        raise _Lost(Why.UNEXPECTED, self._text[self._at :])

    def _pair_of_parentheses(self) -> bool:
        pair = re.compile(r"[ \t]*\([ \t]*\)").match(self._text, self._at)
        if pair:
            self._at = pair.end()
        return pair is not None

    def _loop(self) -> None:
        self._blanks()
        if self._text.startswith("((", self._at):
            if not self._arithmetic(self._at):
                raise _Lost(Why.UNEXPECTED, self._text[self._at :])
            return
        self._word()
        self._breaks()
        if re.compile(r"in(?=[\s;])").match(self._text, self._at):
            self._at += 2
            self._blanks()
            while self._text[self._at : self._at + 1] not in ("", ";", "\n", "#"):
                self._word()
                self._blanks()

    def _case(self) -> None:
        self._blanks()
        self._word()
        self._breaks()
        if not re.compile(r"in(?=\s)").match(self._text, self._at):
            raise _Lost(Why.UNEXPECTED, self._text[self._at :])
        self._at += 2

    def _patterns(self) -> bool:
        """Read the patterns of one case; returns whether there were none, for the cases ended."""
        self._breaks()
        if ended := re.compile(r"esac(?![^\s;&|()<>])").match(self._text, self._at):
            self._at = ended.end()
            return True
        if self._text.startswith("(", self._at):
            self._at += 1
        while True:
            self._blanks()
            self._word()
            self._blanks()
            char = self._text[self._at : self._at + 1]
            self._at += 1
            if char == ")":
                return False
            if char != "|":
                raise _Lost(Why.UNEXPECTED, self._text[self._at - 1 :])

    def _coprocess(self, building: _Building) -> None:
        self._blanks()
        if _COMPOUND.match(self._text, self._at):
            return
        word = self._word()
        self._blanks()
        if not _COMPOUND.match(self._text, self._at):
            self._take(word, building)

    def _condition(self, opening: Word) -> None:
        words = [opening]
        while True:
            self._breaks()
            char = self._text[self._at : self._at + 1]
            if not char or char == ";":
                raise _Lost(Why.UNCLOSED, "[[")
            if char in "()&|" or (char in "<>" and self._text[self._at + 1 : self._at + 2] != "("):
                self._at += 1
                continue
            words.append(self._word())
            if words[-1].raw == "]]":
                self._found.append(Command(words=tuple(words)))
                return

    def _redirect(self, redirection: re.Match[str], building: _Building) -> None:
        how = redirection["how"]
        self._at = redirection.end()
        self._blanks()
        target = self._word()
        if how in ("<<", "<<-"):
            literal = any(quote in target.raw for quote in "'\"\\")
            self._documents.append(_HereDocument(target.text, literal, how == "<<-", building))
        elif how == "<<<":
            building.input.append(target)
        elif how == "<" and target.raw.startswith("<("):
            building.reads_substitution = True

    def _read_documents(self) -> None:
        documents, self._documents = self._documents, []
        for document in documents:
            document.building.input.append(self._document(document))
        finished, self._finished = self._finished, []
        for building, command in finished:
            self._found.append(Command(words=command.words, assignments=command.assignments, input=building.input[-1]))

    def _document(self, document: _HereDocument) -> Word:
        lines: list[str] = []
        while self._at < len(self._text):
            end = self._text.find("\n", self._at)
            line = self._text[self._at :] if end < 0 else self._text[self._at : end]
            self._at = len(self._text) if end < 0 else end + 1
            line = line.lstrip("\t") if document.strips_tabs else line
            if line == document.delimiter:
                break
            lines.append(line)
        body = "".join(f"{line}\n" for line in lines)
        if document.literal:
            return Word(body, body)
        inside = _Reader(body, self._found, self._level)
        text = _Unknown()
        inside._expanding(text, "")
        return text.word(body)

    def _word(self) -> Word:
        begin, text = self._at, _Unknown()
        while self._at < len(self._text):
            char = self._text[self._at]
            if char in " \t\n;&|)":
                break
            if char in "<>":
                if self._text[self._at + 1 : self._at + 2] != "(":
                    break
                self._at += 2
                self.list(")")
                text.expand(splits=False)
            elif char == "(":
                if not _ARRAY.fullmatch(self._text, begin, self._at):
                    break
                self._at += 1
                self._array()
                text.expand(splits=False)
            elif char == "\\":
                text.literal.append(self._text[self._at + 1 : self._at + 2].strip("\n"))
                self._at += 2
            elif char == "'":
                text.literal.append(self._single_quoted())
            elif char == '"':
                self._at += 1
                self._expanding(text, '"')
            elif char in "$`":
                self._expansion(text, quoted=False)
            else:
                self._at += 1
                text.literal.append(char)
                self._pattern(char, begin, text)
        if self._at == begin:
            raise _Lost(Why.UNEXPECTED if self._at < len(self._text) else Why.UNCLOSED, self._text[begin:])
        return text.word(self._text[begin : self._at])

    def _pattern(self, char: str, begin: int, text: _Unknown) -> None:
        """Take note of a character outside quotes that the shell may replace: patterns, braces, a home directory."""
        if char in "*?" or (char == "]" and "[" in self._text[begin : self._at]):
            text.expand(splits=True)
        elif char == "~" and self._at - begin == 1:
            text.expand(splits=False)
        elif char == "}" and _BRACES.search(self._text, begin, self._at):
            text.expand(splits=True)

    def _array(self) -> None:
        while True:
            self._breaks()
            if self._text.startswith(")", self._at):
                self._at += 1
                return
            self._word()

    def _single_quoted(self) -> str:
        end = self._text.find("'", self._at + 1)
        if end < 0:
            raise _Lost(Why.UNCLOSED, self._text[self._at :])
        quoted = self._text[self._at + 1 : end]
        self._at = end + 1
        return quoted

    def _expanding(self, text: _Unknown, closer: str) -> None:
        """Read text in which only expansions count, up to a closing quote; "" is the end, and quotes are letters."""
        begin = self._at
        while self._at < len(self._text):
            char = self._text[self._at]
            if char == closer:
                self._at += 1
                return
            if char == "\\":
                text.literal.append(quoting.double_quoted(self._text[self._at : self._at + 2]))
                self._at += 2
            elif char in "$`":
                self._expansion(text, quoted=True)
            else:
                text.literal.append(char)
                self._at += 1
        if closer:
            raise _Lost(Why.UNCLOSED, self._text[begin - 1 :])

    def _expansion(self, text: _Unknown, *, quoted: bool) -> None:
        if self._text[self._at] == "`":
            self._backquotes(quoted=quoted)
            text.expand(splits=not quoted)
            return
        following = self._text[self._at + 1 : self._at + 2]
        if following == "'" and not quoted:
            ansi_c = _ANSI_C.match(self._text, self._at)
            if ansi_c is None:
                raise _Lost(Why.UNCLOSED, self._text[self._at :])
            self._at = ansi_c.end()
            text.literal.append(quoting.ansi_c(ansi_c["text"]))
        elif following == '"' and not quoted:
            self._at += 2
            self._expanding(text, '"')
        elif following == "(":
            begin = self._at
            if not (self._text.startswith("$((", begin) and self._arithmetic(begin + 1)):
                self._at = begin + 2
                self.list(")")
            text.expand(splits=not quoted)
        elif following == "{":
            begin = self._at
            self._at += 2
            self._braced(quoted=quoted)
            raw = self._text[begin : self._at]
            if re.search(r"@P\}\Z", raw):
                raise _Lost(Why.EVALUATED, raw)
            text.expand(splits=not quoted or "@" in raw)
        elif following == "[":
            self._at += 2
            self._balanced("[", "]")
            text.expand(splits=not quoted)
        elif parameter := _PARAMETER.match(self._text, self._at + 1):
            self._at = parameter.end()
            text.expand(splits=not quoted or parameter[0] == "@")
        else:
            self._at += 1
            text.literal.append("$")

    def _backquotes(self, *, quoted: bool) -> None:
        backquoted = _BACKQUOTED.match(self._text, self._at)
        if backquoted is None:
            raise _Lost(Why.UNCLOSED, self._text[self._at :])
        self._at = backquoted.end()
        inner = backquoted["text"].replace('\\"', '"') if quoted else backquoted["text"]
        _Reader(quoting.backquoted(inner), self._found, self._level).list("")

    def _braced(self, *, quoted: bool) -> None:
        """Read up to the brace that closes a parameter expansion."""
        self._enter()
        begin = self._at
        while self._at < len(self._text):
            char = self._text[self._at]
            if char == "}":
                self._at += 1
                self._level -= 1
                return
            if char == "\\":
                self._at += 2
            elif char == "'":
                if quoted:
                    # Whether it quotes here depends on the operator before it.
                    raise _Lost(Why.UNEXPECTED, self._text[begin - 2 :])
                self._single_quoted()
            elif char == '"':
                self._at += 1
                self._expanding(_Unknown(), '"')
            elif char in "$`":
                self._expansion(_Unknown(), quoted=quoted)
            elif char in "<>" and self._text[self._at + 1 : self._at + 2] == "(" and not quoted:
                self._at += 2
                self.list(")")
            else:
                self._at += 1
        raise _Lost(Why.UNCLOSED, self._text[begin - 2 :])

    def _balanced(self, opener: str, closer: str) -> None:
        """Read arithmetic up to the closer that balances."""
        begin, level = self._at, 1
        while self._at < len(self._text):
            char = self._text[self._at]
            if char in "$`":
                self._expansion(_Unknown(), quoted=False)
                continue
            if char == '"':
                self._at += 1
                self._expanding(_Unknown(), '"')
                continue
            if char == "'":
                self._single_quoted()
                continue
            self._at += 2 if char == "\\" else 1
            level += (char == opener) - (char == closer)
            if not level:
                return
        raise _Lost(Why.UNCLOSED, self._text[begin:])

    def _arithmetic(self, begin: int) -> bool:
        """
        Read `((…))`; false, and nothing is passed over, when it is two groups of commands.

        What stands in it is read as commands, too: bash itself may take it for either.
        """
        before = len(self._found)
        self._at = begin + 2
        try:
            self._balanced("(", ")")
        except _Lost:
            self._at = begin
            del self._found[before:]
            return False
        inner_end = self._at
        if not self._text.startswith(")", inner_end):
            self._at = begin
            del self._found[before:]
            return False
        self._at = inner_end + 1
        self._found += _commands_in(self._text[begin + 2 : inner_end - 1], self._level)
        return True


def _commands_in(text: str, level: int) -> Iterator[Command]:
    found: list[Command] = []
    try:
        _Reader(text, found, level).list("")
    except _Lost:
        pass
    yield from found
