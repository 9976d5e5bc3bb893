"""What servers find wrong in a file, pushed or pulled."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from attrs import frozen

from mmtools.core.lsp import wire
from mmtools.core.lsp.positions import Document, Range

__all__ = [
    "Diagnostic",
    "Diagnostics",
    "Finding",
    "Publication",
    "Severity",
    "decode",
    "findings",
    "publication",
    "report",
]


class Severity(IntEnum):
    """How bad a finding is, in the protocol's numbers."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3
    HINT = 4

    @property
    def word(self) -> str:
        """The same for a reader: "error"."""
        return self.name.lower()


@frozen
class Diagnostic:
    """
    One finding as the server placed it.

    Args:
        message: On one line.
        source: Who found it; empty when that is not told.
        code: Of the rule, a number or a word; empty when there is none.
    """

    range: Range
    severity: Severity
    message: str
    source: str = ""
    code: str = ""


@frozen
class Diagnostics:
    """What a server said of one file, each once, in its order; and how many more in a form that says nothing."""

    found: tuple[Diagnostic, ...] = ()
    unread: int = 0


@frozen
class Publication:
    """A `publishDiagnostics`, with the version of the text that was looked at where the server tells."""

    uri: str
    version: int | None
    diagnostics: Diagnostics


@frozen(order=True)
class Finding:
    """One finding, for reading: where it starts, 1-based, in characters, and what it is."""

    line: int
    column: int
    severity: Severity
    message: str
    source: str


def decode(items: object) -> Diagnostics:
    """Decode a list of diagnostics. One without a severity is an error; one without a place says nothing."""
    entries = wire.sequence(items)
    found = [diagnostic for diagnostic in map(_diagnostic, entries) if diagnostic]
    return Diagnostics(tuple(dict.fromkeys(found)), len(entries) - len(found))


def publication(params: object) -> Publication | None:
    """Decode the parameters of `publishDiagnostics`; None when they name no file or hold no list."""
    members = wire.object_(params)
    uri, items = wire.text(members.get("uri")), members.get("diagnostics")
    if uri is None or not isinstance(items, list | tuple):
        return None
    return Publication(uri, wire.number(members.get("version")), decode(items))


def report(answer: object) -> Diagnostics | None:
    """
    Decode an answer to `textDocument/diagnostic`, by what it holds: not every server names its kind.

    Returns:
        None for one that is no report, or says that the last one still holds: nobody is asked in that way.
    """
    items = wire.object_(answer).get("items")
    return decode(items) if isinstance(items, list | tuple) else None


def findings(diagnostics: Iterable[Diagnostic], document: Document) -> tuple[Finding, ...]:
    """
    Place diagnostics in a text, sorted by place, each once.

    Args:
        diagnostics: Perhaps from several reports on the same text. Same range, code and message: the first counts.
    """
    distinct: dict[tuple[Range, str, str], Diagnostic] = {}
    for diagnostic in diagnostics:
        distinct.setdefault((diagnostic.range, diagnostic.code, diagnostic.message), diagnostic)
    return tuple(sorted({_finding(diagnostic, document) for diagnostic in distinct.values()}))


def _diagnostic(entry: object) -> Diagnostic | None:
    members = wire.object_(entry)
    range_, message = wire.range_(members.get("range")), _message(members.get("message"))
    if range_ is None or message is None:
        return None
    severity, code = wire.number(members.get("severity")), members.get("code")
    return Diagnostic(
        range_,
        Severity(severity) if severity in set(Severity) else Severity.ERROR,
        wire.one_line(message),
        wire.one_line(wire.text(members.get("source")) or ""),
        code if isinstance(code, str) else str(number) if (number := wire.number(code)) is not None else "",
    )


def _message(value: object) -> str | None:
    """Return a message, which may be a `MarkupContent` since 3.18."""
    return wire.text(value) or wire.text(wire.object_(value).get("value"))


def _finding(diagnostic: Diagnostic, document: Document) -> Finding:
    place = document.line_column(document.offset(diagnostic.range.start))
    return Finding(place.line, place.column, diagnostic.severity, diagnostic.message, diagnostic.source)
