"""
mm `edit_file`: replacements resolved against the original file, all or nothing. Source: mm reference, "edit_file".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, assert_never

from attrs import frozen
from typing_extensions import Doc

from mmtools.call import FileChange, Headline, Location, Proposal, Report, ToolKind
from mmtools.core import diffs, edits, media
from mmtools.core.diffs import Diff
from mmtools.core.edits import Applied, NotText, Refused, Replacement
from mmtools.core.freshness import Ledger, fingerprint
from mmtools.core.text import Binary, LegacyText, Text, decode
from mmtools.errors import ToolFailure
from mmtools.ports.files import FileProblem, Files, Missing, Place, Snapshot
from mmtools.tool import Call, ToolSpec
from mmtools.tools.wording import changes, edit_checks, files, freshness
from mmtools.tools.wording import edits as wording

if TYPE_CHECKING:
    from mmtools.ports.edit_checks import EditChecks

__all__ = ["EditArg", "EditFile", "EditFileArgs"]

_REFUSAL = "[edit rejected by the user]"


@frozen(kw_only=True)
class EditArg:
    old: Annotated[str, Doc("Exact text to find, present exactly once.")]
    new: Annotated[str, Doc("Replacement; empty deletes the matched text.")]


@frozen(kw_only=True)
class EditFileArgs:
    path: Annotated[str, Doc("Path of an existing file.")]
    edits: Annotated[tuple[EditArg, ...], Doc("Replacements, all resolved against the original file.")]
    dry_run: Annotated[bool, Doc("Report what would change, write nothing.")] = False


@frozen(kw_only=True)
class EditFile:
    """
    Replace texts of a file that each occur once in it.

    Args:
        max_output: Characters of headline and diff; a note about what is missing comes on top.
        encodings: Codecs' names, tried in order, for what is not UTF-8.
        ledger: Given, the file must have been read as it is now; it learns what was written.
        checks: Given, the result tells what became worse or better in the file.

    Needs:
        files: To read the file and to replace it.

    Asks:
        Before the file is replaced; not for a dry run. For a file outside the roots also before it is read.

    Fails:
        Every bad edit with its reason and what to send instead: not found, with the nearest place; ambiguous, with
        its lines; overlapping; empty; unchanging; not encodable. Missing file, as `read_file` says it. Not text.
        The file changed since it was read.

    Source:
        mm reference, "edit_file"; decisions D1, D2, D4, D5, D6, D8, D13, D16.
    """

    files: Files
    max_output: int = 30_000
    encodings: Sequence[str] = ()
    ledger: Ledger | None = None
    checks: EditChecks | None = None

    spec: ClassVar[ToolSpec] = ToolSpec(
        name="edit_file",
        kind=ToolKind.EDIT,
        family="file",
        description=(
            "Replace exact texts in a file, all or nothing. Each old must be in it exactly once, "
            "blanks and indentation included; edits must not overlap."
        ),
        arguments=EditFileArgs,
        aliases={
            "file_path": "path",
            "filePath": "path",
            "old_string": "old",
            "oldString": "old",
            "old_text": "old",
            "oldText": "old",
            "new_string": "new",
            "newString": "new",
            "new_text": "new",
            "newText": "new",
        },
        refuses={"replace_all": "send one edit per place", "replaceAll": "send one edit per place"},
    )

    def headline(self, arguments: EditFileArgs) -> Headline:
        return Headline(text=arguments.path, locations=(Location(self.files.absolute(arguments.path)),))

    def execute(self, arguments: EditFileArgs, call: Call) -> str:
        try:
            place = self.files.locate(arguments.path)
            if place.outside:
                call.approve(changes.reading(place, _REFUSAL))
            before = self.files.snapshot(place)
            if not arguments.dry_run and (objection := freshness.objection(self.ledger, before)):
                raise ToolFailure(objection)
            edited = self._resolve(before, arguments)
            if arguments.dry_run:
                return self._tell(edited, call, f"dry run, nothing written: {edited.summary}")
            call.approve(self._proposal(edited, place))
            watch = None if self.checks is None else self.checks.watch(place, call.cancellation)
            replaced = self.files.replace(before, edited.change.after)
            if self.ledger is not None:
                self.ledger.saw(place.path, fingerprint(edited.change.after))
        except FileProblem as problem:
            raise ToolFailure(files.problem_among(problem, self.files)) from problem
        notes = changes.notes(changes.in_place(before, replaced))
        told = self._tell(edited, call, f"edited {edited.summary}{notes}", edited.change)
        return told + edit_checks.checked(watch, place.shown)

    def _resolve(self, before: Snapshot, arguments: EditFileArgs) -> _Edited:
        if before.data is None:
            raise Missing(before.place)
        shown = before.place.shown
        decoded = decode(before.data, self.encodings)
        if isinstance(decoded, Binary):
            raise ToolFailure(files.not_text(shown, size=decoded.size, mime_type=media.recognise(before.data)))
        applied = _applied(decoded, arguments.edits, shown)
        diff = diffs.from_spans(decoded.content, applied.spans)
        codec = changes.codec(decoded)
        return _Edited(
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
            edits=len(arguments.edits),
        )

    def _proposal(self, edited: _Edited, place: Place) -> Proposal:
        return changes.changing(
            f"edit {place.shown}", edited.change, place, root=self.files.absolute("."), refusal=_REFUSAL
        )

    def _tell(self, edited: _Edited, call: Call, headline: str, *made: FileChange) -> str:
        rest = "read the file to see what it holds" if made else "send fewer edits to see more of each"
        told = changes.with_diff(headline, edited.diff, max_chars=self.max_output, rest=rest)
        location = Location(edited.change.path, edited.line)
        call.report(Report(changes=made, locations=(location,), truncated=told.truncated))
        return told.text


@frozen(kw_only=True)
class _Edited:
    """
    Hold what the edits make of the file.

    Args:
        line: 1-based, of the first change.
        edits: How many.
    """

    change: FileChange
    diff: Diff
    line: int
    edits: int

    @property
    def summary(self) -> str:
        counts = f"{self.edits} edit(s), +{self.diff.added} -{self.diff.deleted} lines"
        only = "" if self.diff.hunks else "; only line endings change"
        return f"{self.change.shown}: {counts}, first change at line {self.line}{only}"


def _applied(decoded: Text | LegacyText, sent: Sequence[EditArg], shown: str) -> Applied:
    replacements = [Replacement(edit.old, edit.new) for edit in sent]
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
