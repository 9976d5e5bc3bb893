"""What is wrong with a file, or became so by an edit, as a language server sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from mmtools.core.lsp.diagnostics import Finding, findings
from mmtools.core.lsp.diagnostics_delta import Delta
from mmtools.core.lsp.positions import Document
from mmtools.ports.language_servers import Diagnosis, Findings, NothingHeard
from mmtools.tools.wording import phrases
from mmtools.tools.wording.answer import Answer
from mmtools.tools.wording.lsp import caveats, listed

__all__ = ["after_edit", "diagnosed", "not_known"]

#: Findings of each kind that are told after an edit; the rest is counted.
_MOST_AFTER_EDIT = 10


def diagnosed(diagnosis: Diagnosis, document: Document, *, shown: str, server: str, max_chars: int) -> Answer:
    """
    Tell all that a server finds in a file.

    Args:
        shown: The file's path, as the model wrote it.
        max_chars: Of the lines; notes come on top.

    Source:
        mm reference, "lsp": `diagnostics`.
    """
    match diagnosis:
        case Findings():
            return _found(diagnosis, document, shown, server, max_chars)
        case NothingHeard(within_s=seconds, busy=busy):
            cause = (
                f"{server} is still loading or checking: call again in a moment"
                if busy
                else f"{server} may be slow, or publish none for this file: call again once, then go on without"
            )
            return Answer(f"no diagnostics received for {shown} within {seconds:g}s ({cause})")
        case never:
            assert_never(never)


def after_edit(delta: Delta | None, shown: str) -> str:
    """
    Tell what an edit made worse or better, to stand behind its result.

    Returns:
        Empty when nothing is known or nothing changed; else it begins with a line break.
    """
    if not delta:
        return ""
    counts = [(len(delta.appeared), "new"), (len(delta.gone), "gone")]
    told = ", ".join(f"{count} {word}" for count, word in counts if count)
    rows = [*_some(delta.appeared, "+", shown), *_some(delta.gone, "-", shown)]
    return "\n".join([f"\ndiagnostics after this change: {told}", *rows])


def not_known(reason: str) -> str:
    """
    Say that it is not known what an edit made worse or better, to stand behind its result.

    Args:
        reason: Why; empty where nobody is to say.
    """
    return f"\ndiagnostics not known yet ({reason})" if reason else ""


def _found(diagnosis: Findings, document: Document, shown: str, server: str, max_chars: int) -> Answer:
    found = findings(diagnosis.diagnostics.found, document)
    missing = diagnosis.diagnostics.unread
    published = " (as last published)" if diagnosis.as_last_published else ""
    notes = caveats(server, unread=missing)
    if diagnosis.busy:
        notes.append(f"[{server} is still checking: this may change; call again in a moment]")
    if diagnosis.needs:
        notes.append(f"[{server} checks next to nothing by itself: {diagnosis.needs} is not installed]")
    if diagnosis.early:
        notes.append(f"[{server} may not have looked yet: call again in a moment]")
    elif not diagnosis.final:
        notes.append(f"[{server} does not tell when it has looked at everything: call again later to be sure]")
    if found:
        lines = [f"{len(found)} diagnostic(s) in {shown}{published}:", *(_line(one, shown) for one in found)]
    elif missing or diagnosis.busy or diagnosis.early:
        lines = [f"no diagnostics so far in {shown}{published}"]
    else:
        lines = [f"no diagnostics: {shown} is clean{published}"]
    return listed(lines, notes, max_chars=max_chars, rest="solve these first, then call again")


def _line(finding: Finding, shown: str) -> str:
    source = f" [{finding.source}]" if finding.source else ""
    return f"{finding.severity.word} {shown}:{finding.line}:{finding.column} {finding.message}{source}"


def _some(found: Sequence[Finding], sign: str, shown: str) -> list[str]:
    rows = [f"{sign} {_line(one, shown)}" for one in found]
    return phrases.first(rows, _MOST_AFTER_EDIT, more=f"{sign} and {{}} more")
