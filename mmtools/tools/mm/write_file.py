"""
mm `write_file`: one file replaced or created as a whole. Source: mm reference, "write_file".
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, assert_never

from attrs import frozen
from typing_extensions import Doc

from mmtools.call import FileChange, Headline, Location, Proposal, Report, ToolKind
from mmtools.core import diffs
from mmtools.core.diffs import NO_DIFF, Diff
from mmtools.core.freshness import Ledger, fingerprint
from mmtools.core.text import Binary, LegacyText, Text, decode
from mmtools.errors import ToolFailure
from mmtools.ports.files import FileProblem, Files, Place, Snapshot
from mmtools.tool import Call, ToolSpec
from mmtools.tools.wording import changes, edit_checks, edits, files, freshness

if TYPE_CHECKING:
    from mmtools.ports.edit_checks import EditChecks

__all__ = ["WriteFile", "WriteFileArgs"]


@frozen(kw_only=True)
class WriteFileArgs:
    path: Annotated[str, Doc("File path, relative to the working directory; parent directories are created.")]
    content: Annotated[str, Doc("The whole content of the file.")]


@frozen(kw_only=True)
class WriteFile:
    """
    Make a file hold exactly the bytes of a text, in UTF-8.

    Args:
        max_output: Characters of headline and diff; a note about what is missing comes on top.
        encodings: Codecs' names, tried in order, to show what an old file held that is not UTF-8.
        ledger: Given, an existing file must have been read as it is now; it learns what was written.
        checks: Given, the result tells what became worse or better in the file.

    Needs:
        files: To read the old content and to replace it.

    Asks:
        Before the file is written; not when it already holds the content.

    Fails:
        Half a character in the content. Directory, special file, outside the roots …: the shared sentences. The file
        changed while permission was asked for.

    Source:
        mm reference, "write_file"; decisions D3, D4, D5, D13, D16.
    """

    files: Files
    max_output: int = 30_000
    encodings: Sequence[str] = ()
    ledger: Ledger | None = None
    checks: EditChecks | None = None

    spec: ClassVar[ToolSpec] = ToolSpec(
        name="write_file",
        kind=ToolKind.EDIT,
        family="file",
        description="Create a file, or replace the whole of an existing one. To change a part, use edit_file.",
        arguments=WriteFileArgs,
        aliases={"file_path": "path", "filePath": "path"},
    )

    def headline(self, arguments: WriteFileArgs) -> Headline:
        return Headline(text=arguments.path, locations=(Location(self.files.absolute(arguments.path)),))

    def execute(self, arguments: WriteFileArgs, call: Call) -> str:
        after = _encoded(arguments.content)
        try:
            place = self.files.locate(arguments.path)
            before = self.files.snapshot(place)
            if before.data == after:
                call.report(Report(locations=(Location(place.path),)))
                return f"{place.shown} unchanged: the content is identical"
            if objection := freshness.objection(self.ledger, before):
                raise ToolFailure(objection)
            written = self._compare(before, arguments.content, after)
            call.approve(self._proposal(written.change, place))
            watch = None if self.checks is None else self.checks.watch(place, call.cancellation)
            replaced = self.files.replace(before, after)
            if self.ledger is not None:
                self.ledger.saw(place.path, fingerprint(after))
        except FileProblem as problem:
            raise ToolFailure(files.problem(problem)) from problem
        headline = written.headline + changes.notes(changes.in_place(before, replaced))
        rest = "read the file to see what it holds"
        told = changes.with_diff(headline, written.diff, max_chars=self.max_output, rest=rest)
        location = Location(place.path, written.diff.first_line)
        call.report(Report(changes=(written.change,), locations=(location,), truncated=told.truncated))
        return told.text + edit_checks.checked(watch, place.shown)

    def _compare(self, before: Snapshot, content: str, after: bytes) -> _Written:
        old = None if before.data is None else decode(before.data, self.encodings)
        new = Text(content.removeprefix("\ufeff"), bom=codecs.BOM_UTF8 if content.startswith("\ufeff") else b"")
        shown = before.place.shown
        change = FileChange(
            path=before.place.path,
            shown=shown,
            before=before.data,
            after=after,
            before_encoding=changes.codec(old) if old else None,
            after_encoding=new.codec,
        )
        match old:
            case None:
                headline, diff = f"created {shown} ({_lines(content)})", diffs.between("", new.content)
            case Text():
                diff = diffs.between(old.content, new.content)
                headline = f"wrote {shown}: +{diff.added} -{diff.deleted} lines{changes.notes(*_beside(old, new))}"
            case LegacyText() | Binary():
                size = len(before.data or b"")
                headline, diff = f"wrote {shown}: {_lines(content)} in place of {size} bytes that are not text", NO_DIFF
            case never:
                assert_never(never)
        return _Written(change, diff, headline)

    def _proposal(self, change: FileChange, place: Place) -> Proposal:
        title = f"{'create' if change.created else 'overwrite'} {place.shown}"
        return changes.changing(
            title, change, place, root=self.files.absolute("."), refusal="[write rejected by the user]"
        )


@frozen
class _Written:
    """
    Hold what is to be written, and how it differs from what is there.
    """

    change: FileChange
    diff: Diff
    headline: str


def _encoded(content: str) -> bytes:
    try:
        return content.encode()
    except UnicodeEncodeError as error:
        raise ToolFailure(edits.half_character("content", content, error.start)) from error


def _lines(content: str) -> str:
    count = content.count("\n") + (content[-1:] not in ("", "\n"))
    return "1 line" if count == 1 else f"{count} lines"


def _beside(old: Text, new: Text) -> Iterator[str | None]:
    """
    Say what changed beside the lines.
    """
    if old.encoding != new.encoding:
        yield f"encoding changed from {old.encoding} to {new.encoding}"
    elif old.bom and not new.bom:
        yield "the byte order mark is gone"
    elif new.bom and not old.bom:
        yield "a byte order mark was added"
    yield changes.line_ends(old.content, new.content)
