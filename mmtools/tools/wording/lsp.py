"""
What language servers answered, or why nobody was asked, in words a model can act on.

Source:
    mm reference, "lsp": Description, Positions, Failures, and the row of each action; the notes are ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias, assert_never

from attrs import evolve, frozen

from mmtools.core.lsp.answers import Row
from mmtools.core.lsp.languages import Language
from mmtools.core.lsp.outlines import Symbol
from mmtools.core.lsp.positions import NoSuchColumn, NoSuchLine, OutOfText
from mmtools.core.lsp.symbols import NotFound, Pointed, qualifiers, symbol_and_name
from mmtools.core.truncation import keep_head, shortened
from mmtools.ports.language_servers import LanguageServer
from mmtools.tools.wording import phrases
from mmtools.tools.wording.answer import Answer

__all__ = [
    "Action",
    "LspTerms",
    "Question",
    "available",
    "caveats",
    "example",
    "hover",
    "listed",
    "loading",
    "marked",
    "no_symbols",
    "nothing",
    "nowhere",
    "place",
    "places",
    "quoted",
    "short",
    "symbols",
    "where_needed",
]

#: Characters of what was sent, or of what a server said, that are repeated.
_MOST_REPEATED = 500
#: Lines that are named when a symbol is elsewhere.
_MOST_LINES = 10


#: What a server can be asked for, in the words of the contract.
Action: TypeAlias = Literal["definition", "references", "hover", "symbols", "diagnostics", "rename"]


@frozen(kw_only=True)
class LspTerms:
    """
    How a dialect's contract names what an answer mentions.

    Args:
        tool, editor, writer: Wire names of the tools that ask, that edit a file, and that create one.
        action, path, symbol, new_name: Wire names of arguments.
    """

    tool: str
    editor: str
    writer: str
    action: str
    path: str
    symbol: str
    new_name: str


@frozen(kw_only=True)
class Question:
    """
    What a model asks.

    Args:
        path: As the model wrote it.
        pointed, new_name: As they were sent, until they are cleaned.
    """

    action: Action
    path: str
    pointed: Pointed
    new_name: str = ""

    @property
    def is_about_the_file(self) -> bool:
        """Whether no place in the file is meant."""
        return self.action in ("symbols", "diagnostics")

    def cleaned(self, language: Language) -> Question:
        """Return the same with the identifiers that are meant; each is empty where there is none."""
        symbol, new_name = symbol_and_name(self.pointed.symbol, self.new_name, language)
        led = qualifiers(self.pointed.symbol, language) or self.pointed.qualifiers
        return evolve(self, pointed=evolve(self.pointed, symbol=symbol, qualifiers=led), new_name=new_name)


def marked(sentence: str, terms: LspTerms) -> str:
    """Say which tool says this in place of an answer."""
    return f"[{terms.tool}: {sentence}]"


def available(servers: Iterable[LanguageServer]) -> str:
    """List servers, each with its extensions."""
    return ", ".join(f"{server.name} ({', '.join(server.extensions)})" for server in servers)


def where_needed(question: Question, terms: LspTerms) -> str:
    """Say that nothing in the file was pointed at: there is no identifier in the symbol that was sent."""
    sent = question.pointed.symbol
    name = terms.symbol
    flaw = f"there is no identifier in {name} {quoted(sent)}" if sent.strip() else f"{question.action} needs {name}"
    call = example(question, {name: "<the identifier>"}, terms)
    return f"{flaw} — call {terms.tool} again with {call}, or with line and column in place of {name}"


def example(question: Question, more: Mapping[str, object], terms: LspTerms) -> str:
    """Return the arguments of a call that asks the same, with more of them."""
    arguments = {terms.action: question.action, terms.path: question.path, **more}
    return json.dumps(arguments, ensure_ascii=False)


def nowhere(pointing: NotFound | OutOfText, question: Question) -> str:
    """Say that what was pointed at is not in the file."""
    pointed, path = question.pointed, question.path
    match pointing:
        case NotFound(lines=()):
            return f'"{pointed.symbol}" not found in {path}'
        case NotFound(lines=lines):
            elsewhere = phrases.numbers("line", lines, most=_MOST_LINES)
            return f'"{pointed.symbol}" not found in line {pointed.line} of {path} — it is in {elsewhere}'
        case NoSuchLine(lines=count):
            return f"line {pointed.line} is past the end of {path} ({phrases.counted(count, 'line')})"
        case NoSuchColumn(length=count):
            size = phrases.counted(count, "character")
            return f"column {pointed.column} is past the end of line {pointed.line} ({size})"
        case never:
            assert_never(never)


def nothing(action: str, place: str) -> str:
    """Say that the server knows nothing at a place, `path:line:column`."""
    if action == "rename":
        return f"the symbol at {place} cannot be renamed — point at a name of this project, in code"
    return f"no {action} found for the symbol at {place}"


def no_symbols(path: str) -> str:
    """Say that there is nothing to list."""
    return f"no symbols found in {path}"


def loading(server: str, action: str) -> str:
    """Say that an empty answer means nothing yet."""
    return (
        f"{server} is still loading or indexing, and has found nothing for {action} so far — "
        "wait a moment, then call again"
    )


def caveats(server: str, *, unread: int = 0, settled: bool = True, lacks: str = "") -> list[str]:
    """
    Say what an answer may lack.

    Args:
        unread: How many items of it could not be understood.
        settled: Whether it is all there is.
        lacks: The file that would tell the server which files belong together.
    """
    told = []
    if unread:
        told.append(f"[{unread} more from {server} could not be read]")
    if not settled:
        told.append(f"[{server} is still loading or indexing: there may be more; wait a moment, then call again]")
    if lacks:
        told.append(
            f"[{server} found no {lacks}: it may know only a part of the program; search the files for the rest]"
        )
    return told


def place(row: Row) -> str:
    """Show a place with its source line."""
    return f"{row.path}:{row.line}:{row.column}  {row.source}".rstrip()


def places(rows: Sequence[Row], caveats: Iterable[str], *, counted: bool, max_chars: int) -> Answer:
    """Show places with their source lines, with their number before them where it matters."""
    lines = list(map(place, rows))
    if counted:
        lines.insert(0, f"{len(rows)} reference(s):")
    return listed(lines, caveats, max_chars=max_chars, rest="search the files for the name to find them")


def symbols(found: Iterable[Symbol], caveats: Iterable[str], *, nothing: str, max_chars: int) -> Answer:
    """Show symbols, each indented by what encloses it; something else where there are none."""
    lines = [
        f"{'  ' * one.depth}{one.kind} {one.name}{f'  [{one.detail}]' if one.detail else ''}  line {one.line}"
        for one in found
    ]
    return listed(lines or [nothing], caveats, max_chars=max_chars, rest="read the file to see them")


def hover(text: str, caveats: Iterable[str], *, max_chars: int) -> Answer:
    """Show what a server tells of a symbol, as much of it as fits."""
    kept = keep_head(text, max_chars)
    cut = [f"[… {kept.dropped_chars} more characters; read the source for the rest]"] if kept.dropped_chars else []
    return Answer("\n".join([kept.text, *cut, *caveats]), truncated=kept.dropped_chars > 0)


def listed(lines: Sequence[str], notes: Iterable[str] = (), *, max_chars: int, rest: str) -> Answer:
    """
    Put lines under one another, as many whole ones as fit.

    Args:
        notes: Come last, and are never cut.
        max_chars: Of the lines; the first one is always shown.
        rest: How to see the rest, as a clause.
    """
    size, shown = -1, 0
    for line in lines:
        size += 1 + len(line)
        if shown and size > max_chars:
            break
        shown += 1
    missing = len(lines) - shown
    cut = [f"[… {phrases.counted(missing, 'more line')} {phrases.are(missing)} not shown; {rest}]"] if missing else []
    return Answer("\n".join([*lines[:shown], *cut, *notes]), truncated=missing > 0)


def quoted(text: str) -> str:
    """Repeat what was sent, in quotes, or its beginning."""
    return json.dumps(short(text), ensure_ascii=False)


def short(text: str) -> str:
    """Return the beginning of a text."""
    return shortened(text, _MOST_REPEATED)
