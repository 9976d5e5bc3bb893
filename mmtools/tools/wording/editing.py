"""Edits of one file: what they make of it, the question, and what was done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from attrs import frozen

from mmtools.call import FileChange, Location, Proposal, Report
from mmtools.core import diffs, edits, media
from mmtools.core.diffs import Diff
from mmtools.core.edits import Applied, NotText, Refused, Replacement
from mmtools.core.text import Binary, LegacyText, Text, decode
from mmtools.errors import ToolFailure
from mmtools.ports.files import Missing, Replaced, Snapshot
from mmtools.tool import Call
from mmtools.tools.wording import changes, files
from mmtools.tools.wording import edits as wording
from mmtools.tools.wording.answer import Answer

__all__ = ["REFUSAL", "Edited", "resolve"]

#: What a model reads after a no.
REFUSAL = "[edit rejected by the user]"


@frozen(kw_only=True)
class Edited:
    """
    What the edits make of the file.

    Args:
        line: 1-based, of the first change.
        edits: How many.
    """

    before: Snapshot
    change: FileChange
    diff: Diff
    line: int
    edits: int

    def proposal(self, root: str) -> Proposal:
        """
        Ask to write it.

        Args:
            root: What an "always" covers.
        """
        place = self.before.place
        return changes.changing(f"edit {place.requested}", self.change, place, root=root, refusal=REFUSAL)

    def tell(self, replaced: Replaced, call: Call, *, max_chars: int) -> str:
        """
        Say what was done, and report it.

        Args:
            max_chars: Of headline and diff; a note about what is missing comes on top.
        """
        headline = f"edited {self._summary}{changes.notes(changes.in_place(self.before, replaced))}"
        rest = "read the file to see what it holds"
        return self._told(changes.with_diff(headline, self.diff, max_chars=max_chars, rest=rest), call, self.change)

    def tell_dry(self, call: Call, *, max_chars: int) -> str:
        """
        Say what would be done.

        Args:
            max_chars: As for `tell`.
        """
        headline = f"dry run, nothing written: {self._summary}"
        rest = "send fewer edits to see more of each"
        return self._told(changes.with_diff(headline, self.diff, max_chars=max_chars, rest=rest), call)

    @property
    def _summary(self) -> str:
        counts = f"{self.edits} edit(s), +{self.diff.added} -{self.diff.deleted} lines"
        only = "" if self.diff.hunks else "; only line endings change"
        return f"{self.change.shown}: {counts}, first change at line {self.line}{only}"

    def _told(self, told: Answer, call: Call, *made: FileChange) -> str:
        location = Location(self.change.path, self.line)
        call.report(Report(changes=made, locations=(location,), truncated=told.truncated))
        return told.text


def resolve(before: Snapshot, replacements: Sequence[Replacement], encodings: Sequence[str]) -> Edited:
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
    applied = _applied(decoded, replacements, shown)
    diff = diffs.from_spans(decoded.content, applied.spans)
    codec = changes.codec(decoded)
    return Edited(
        before=before,
        change=FileChange(
            path=before.place.path,
            shown=shown,
            before=before.data,
            after=edits.splice(before.data, decoded, applied),
            before_encoding=codec,
            after_encoding=codec,
        ),
        diff=changes.readable(diff) if isinstance(decoded, LegacyText) else diff,
        line=diff.first_line or applied.first_line,
        edits=len(replacements),
    )


def _applied(decoded: Text | LegacyText, replacements: Sequence[Replacement], shown: str) -> Applied:
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
        raise ToolFailure(wording.refused(resolved, replacements, decoded))
    return resolved
