"""Exact texts of one file replaced: read, resolve, ask, replace, say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from attrs import evolve

from mmtools.call import FileChange, Location, Report
from mmtools.core import diffs, edits, media
from mmtools.core.edits import Applied, NotText, Refused, Replacement
from mmtools.core.forms import form_of
from mmtools.core.text import Binary, LegacyText, Text, decode
from mmtools.errors import ToolFailure
from mmtools.ports.files import Missing, Snapshot
from mmtools.tool import Call
from mmtools.tools.operations.session_files import SessionFiles
from mmtools.tools.wording import changes, files, forms
from mmtools.tools.wording import edits as wording
from mmtools.tools.wording.changes import PlannedChange
from mmtools.tools.wording.edits import EditTerms

__all__ = ["EditTerms", "edit_text", "plan"]

_REFUSAL = "[edit rejected by the user]"


def edit_text(
    session: SessionFiles,
    path: str,
    replacements: Sequence[Replacement],
    call: Call,
    terms: EditTerms,
    *,
    dry_run: bool = False,
) -> str:
    """
    Edit a file, all or nothing.

    Args:
        dry_run: Only say what would change; the file need not have been read for that.

    Asks:
        Before the file is replaced; not for a dry run. For a file outside the roots also before it is read. An "always"
        covers every file change under the root.

    Fails:
        Every bad edit with its reason and what to send instead: not found, with the nearest place, a hint and never a
        match; ambiguous, with its lines; overlapping; empty; unchanging; not encodable. The file was not read, or
        changed since, also while permission was asked for. Missing file; not text.

    Source:
        Decisions D1, D2, D4, D5, D6, D8, D13, D16.
    """
    with session.problems_told(terms.writer, call):
        before = session.files.snapshot(session.locate(path, call, refusal=_REFUSAL))
        if not dry_run:
            session.require_read(before)
        planned = plan(before, replacements, session.encodings, terms)
        if not dry_run:
            return session.change(planned, call, tool=terms.tool, refusal=_REFUSAL)
    foretold = changes.foretold(planned, max_chars=session.max_output)
    call.report(Report(locations=(Location(planned.change.path, planned.line),), truncated=foretold.truncated))
    return foretold.text


def plan(
    before: Snapshot, replacements: Sequence[Replacement], encodings: Sequence[str], terms: EditTerms
) -> PlannedChange:
    """
    Find out what edits make of a file.

    Args:
        encodings: Codecs' names, tried in order, for what is not UTF-8.

    Raises:
        Missing: There is no file.
        ToolFailure: It is not text, or an edit cannot be made; the text tells every one.
    """
    if before.data is None:
        raise Missing(before.place)
    shown = before.place.requested
    decoded = decode(before.data, encodings)
    if isinstance(decoded, Binary):
        raise ToolFailure(files.not_text(shown, size=decoded.size, mime_type=media.recognise(before.data)))
    applied = _applied(decoded, replacements, shown, terms)
    diff = diffs.from_spans(decoded.content, applied.spans)
    line = diff.first_line or applied.first_line
    codec = changes.codec(decoded)
    change = FileChange(
        path=before.place.path,
        shown=shown,
        before=before.data,
        after=edits.splice(before.data, decoded, applied),
        before_encoding=codec,
        after_encoding=codec,
    )
    return PlannedChange(
        before=before,
        change=change,
        diff=changes.readable(diff) if isinstance(decoded, LegacyText) else diff,
        title=f"edit {shown}",
        done="edited",
        summary=wording.summary(change, diff, line=line, edits=len(applied.spans)),
        line=line,
        kept=forms.kept(form_of(decoded), form_of(evolve(decoded, content=applied.text))),
    )


def _applied(decoded: Text | LegacyText, replacements: Sequence[Replacement], shown: str, terms: EditTerms) -> Applied:
    match decoded:
        case Text():
            resolved = edits.resolve(decoded.content, replacements, encoding=decoded.encoding)
        case LegacyText():
            found = edits.resolve_legacy(decoded, replacements)
            if isinstance(found, NotText):
                raise ToolFailure(wording.not_editable(shown, found, decoded))
            resolved = found
        case never:
            assert_never(never)
    if isinstance(resolved, Refused):
        raise ToolFailure(wording.refused(resolved, replacements, decoded, terms))
    return resolved
