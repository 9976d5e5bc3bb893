"""What language servers answered, or why nobody was asked, in words a model can act on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import assert_never

from mmtools.core.lsp.answers import Row
from mmtools.core.lsp.outlines import Symbol
from mmtools.core.lsp.positions import NoSuchColumn, NoSuchLine, OutOfText
from mmtools.core.lsp.symbols import NotFound, Pointed
from mmtools.ports.language_servers import LanguageServer
from mmtools.tools.wording.answer import Answer

__all__ = [
    "available",
    "caveats",
    "listed",
    "loading",
    "nothing",
    "nowhere",
    "quoted",
    "row",
    "symbol",
    "where_needed",
]

#: Characters of what was sent that are repeated.
_MOST_REPEATED = 500
#: Lines that are named when a symbol is elsewhere.
_MOST_LINES = 10


def available(servers: Iterable[LanguageServer]) -> str:
    """
    List servers, each with its extensions.

    Source:
        mm reference, "lsp": Description, Failures.
    """
    return ", ".join(f"{server.name} ({', '.join(server.extensions)})" for server in servers)


def where_needed(action: str, path: str, *, sent: str) -> str:
    """
    Say that nothing in the file was pointed at.

    Args:
        sent: What came as symbol; there is no identifier in it.
    """
    flaw = f"there is no identifier in symbol {quoted(sent)}" if sent.strip() else f"{action} needs symbol"
    call = json.dumps({"action": action, "path": path}, ensure_ascii=False)
    return (
        f'[lsp: {flaw} — call lsp again with {call[:-1]}, "symbol": "<the identifier>"}}, '
        "or with line and column in place of symbol]"
    )


def nowhere(pointing: NotFound | OutOfText, pointed: Pointed, path: str) -> str:
    """
    Say that what was pointed at is not in the file.

    Source:
        mm reference, "lsp": Failures, Positions.
    """
    match pointing:
        case NotFound(lines=()):
            return f'[lsp: "{pointed.symbol}" not found in {path}]'
        case NotFound(lines=lines):
            more = ", …" if len(lines) > _MOST_LINES else ""
            elsewhere = f"{'line' if len(lines) == 1 else 'lines'} {', '.join(map(str, lines[:_MOST_LINES]))}{more}"
            return f'[lsp: "{pointed.symbol}" not found in line {pointed.line} of {path} — it is in {elsewhere}]'
        case NoSuchLine(lines=count):
            return f"[lsp: line {pointed.line} is past the end of {path} ({_counted(count, 'line')})]"
        case NoSuchColumn(length=count):
            size = _counted(count, "character")
            return f"[lsp: column {pointed.column} is past the end of line {pointed.line} ({size})]"
        case never:
            assert_never(never)


def nothing(action: str, place: str) -> str:
    """
    Say that the server knows nothing there.

    Args:
        place: `path:line:column`.

    Source:
        mm reference, "lsp": Failures.
    """
    if action == "rename":
        return f"[lsp: the symbol at {place} cannot be renamed — point at a name of this project, in code]"
    return f"[lsp: no {action} found for the symbol at {place}]"


def loading(server: str, action: str) -> str:
    """Say that an empty answer means nothing yet."""
    return (
        f"[lsp: {server} is still loading or indexing, and has found nothing for {action} so far — "
        "wait a moment, then call again]"
    )


def caveats(server: str, *, unread: int = 0, settled: bool = True) -> list[str]:
    """
    Say what an answer may lack.

    Args:
        unread: How many items of it could not be understood.
        settled: Whether it is all there is.
    """
    told = []
    if unread:
        told.append(f"[{unread} more from {server} could not be read]")
    if not settled:
        told.append(f"[{server} is still loading or indexing: there may be more; wait a moment, then call again]")
    return told


def row(found: Row) -> str:
    """
    Show a place with its source line.

    Source:
        mm reference, "lsp": `definition`, `references`.
    """
    return f"{found.path}:{found.line}:{found.column}  {found.source}".rstrip()


def symbol(found: Symbol) -> str:
    """
    Show a symbol, indented by what encloses it.

    Source:
        mm reference, "lsp": `symbols`.
    """
    detail = f"  [{found.detail}]" if found.detail else ""
    return f"{'  ' * found.depth}{found.kind} {found.name}{detail}  line {found.line}"


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
    cut = [f"[… {missing} more {'line is' if missing == 1 else 'lines are'} not shown; {rest}]"] if missing else []
    return Answer("\n".join([*lines[:shown], *cut, *notes]), truncated=missing > 0)


def quoted(text: str) -> str:
    """Repeat what was sent, in quotes, or its beginning."""
    short = text if len(text) <= _MOST_REPEATED else text[: _MOST_REPEATED - 1] + "…"
    return json.dumps(short, ensure_ascii=False)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
