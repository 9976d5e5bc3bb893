"""One file replaced or created as a whole: compare, ask, replace, say."""

from __future__ import annotations

import codecs
from collections.abc import Sequence

from mmtools.call import FileChange, Location, Report
from mmtools.core import diffs
from mmtools.core.diffs import NO_DIFF, Diff
from mmtools.core.text import Decoded, Text, decode
from mmtools.errors import ToolFailure
from mmtools.ports.files import Snapshot
from mmtools.tool import Call
from mmtools.tools.operations.session_files import SessionFiles
from mmtools.tools.wording import changes, edits
from mmtools.tools.wording import writing as wording
from mmtools.tools.wording.changes import PlannedChange
from mmtools.tools.wording.writing import WriteTerms

__all__ = ["WriteTerms", "encoded", "plan", "write_text"]

_REFUSAL = "[write rejected by the user]"


def write_text(session: SessionFiles, path: str, content: str, call: Call, terms: WriteTerms) -> str:
    """
    Make a file hold exactly the bytes of a text, in UTF-8; missing parents are made.

    Asks:
        Before the file is written; not when it already holds the content, which is known to the session then. An "always"
        covers every file change under the root.

    Fails:
        Half a character in the content. The file exists and was not read, or changed since, also while permission was
        asked for. Directory, special file, outside the roots …: the shared sentences.

    Source:
        Decisions D3, D4, D5, D13, D16.
    """
    after = encoded(content, terms)
    with session.problems_told(terms.tool, call):
        place = session.locate_allowed(path, call, refusal=_REFUSAL)
        before = session.files.snapshot(place)
        if before.data == after:
            session.note_known(before)
            call.report(Report(locations=(Location(place.path),)))
            return wording.unchanged(place.requested)
        session.require_read(before)
        planned = plan(before, content, after, session.encodings)
        return session.change(planned, call, tool=terms.tool, refusal=_REFUSAL)


def encoded(content: str, terms: WriteTerms) -> bytes:
    """
    Return the bytes of a file's new content, exactly.

    Raises:
        ToolFailure: It holds half a character.
    """
    try:
        return content.encode()
    except UnicodeEncodeError as error:
        raise ToolFailure(edits.half_character(terms.content, content, error.start)) from error


def plan(before: Snapshot, content: str, after: bytes, encodings: Sequence[str]) -> PlannedChange:
    """
    Hold new content against what is there.

    Args:
        after: `encoded(content)`.
        encodings: Codecs' names, tried in order, to show what an old file held that is not UTF-8.
    """
    old = None if before.data is None else decode(before.data, encodings)
    new = Text(content.removeprefix("\ufeff"), bom=codecs.BOM_UTF8 if content.startswith("\ufeff") else b"")
    diff = _diff(old, new)
    shown = before.place.requested
    return PlannedChange(
        before=before,
        change=FileChange(
            path=before.place.path,
            shown=shown,
            before=before.data,
            after=after,
            before_encoding=changes.codec(old) if old else None,
            after_encoding=new.codec,
        ),
        diff=diff,
        title=f"{'create' if old is None else 'overwrite'} {shown}",
        done="created" if old is None else "wrote",
        summary=wording.summary(before, old, content, new, diff),
        line=diff.first_line,
    )


def _diff(old: Decoded | None, new: Text) -> Diff:
    if old is None:
        return diffs.between("", new.content)
    return diffs.between(old.content, new.content) if isinstance(old, Text) else NO_DIFF
