"""crab `edit`: replacements resolved against the original file, all or nothing. Source: crab tools page, "edit"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar

from attrs import frozen
from typing_extensions import Doc

from mmtools.call import Headline, Location, ToolKind
from mmtools.core.edits import Replacement
from mmtools.core.freshness import Ledger
from mmtools.errors import ToolFailure
from mmtools.ports.files import FileProblem, Files
from mmtools.tool import Call, ToolSpec
from mmtools.tools.wording import changes, edit_checks, editing, files
from mmtools.tools.wording.freshness import Gate

if TYPE_CHECKING:
    from mmtools.ports.edit_checks import EditChecks

__all__ = ["Edit", "EditArg", "EditArgs"]


@frozen(kw_only=True)
class EditArg:
    old: Annotated[str, Doc("Exact text to find, present exactly once.")]
    new: Annotated[str, Doc("Replacement; empty deletes.")]


@frozen(kw_only=True)
class EditArgs:
    path: Annotated[str, Doc("File path.")]
    edits: Annotated[tuple[EditArg, ...], Doc("All resolved against the original file.")]


@frozen(kw_only=True)
class Edit:
    """
    The tool that replaces texts of a file that each occur once in it.

    Args:
        max_output: Characters of headline and diff; a note about what is missing comes on top.
        encodings: Codecs' names, tried in order, for what is not UTF-8.
        ledger: Given, the file must have been read as it is now; it learns what was written.
        checks: Given, the result tells what became worse or better in the file.

    Needs:
        files: To read the file and to replace it.

    Asks:
        Before the file is replaced; for a file outside the roots also before it is read. An "always" covers every file
        change under the root.

    Fails:
        The file was not read, or changed since, also while permission was asked for. Every bad edit with its reason and
        what to send instead: not found, with the nearest place, a hint and never a match; ambiguous, with its lines;
        overlapping; empty; unchanging; not encodable. Missing file, as `read` says it. Not text.

    Source:
        crab tools page, "edit" and "The freshness gate"; decisions D1, D2, D4, D5, D6, D8, D13, D16.
    """

    files: Files
    max_output: int = 30_000
    encodings: Sequence[str] = ()
    ledger: Ledger | None = None
    checks: EditChecks | None = None

    spec: ClassVar[ToolSpec] = ToolSpec(
        name="edit",
        kind=ToolKind.EDIT,
        family="file",
        description=(
            "Replace exact texts in a file, all or nothing; read it first. Each old must be in it exactly once, "
            "blanks and indentation included; edits must not overlap."
        ),
        arguments=EditArgs,
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

    def headline(self, arguments: EditArgs) -> Headline:
        return Headline(text=arguments.path, locations=(Location(self.files.absolute(arguments.path)),))

    def execute(self, arguments: EditArgs, call: Call) -> str:
        gate = Gate(ledger=self.ledger, tool=self.spec.name)
        replacements = [Replacement(edit.old, edit.new) for edit in arguments.edits]
        try:
            place = self.files.locate(arguments.path)
            if place.outside_roots:
                call.approve(changes.reading(place, editing.REFUSAL))
            before = self.files.snapshot(place)
            gate.check(before)
            edited = editing.resolve(before, replacements, self.encodings)
            call.approve(edited.proposal(self.files.absolute(".")))
            watch = None if self.checks is None else self.checks.watch(place, call.cancellation)
            replaced = gate.replace(self.files, before, edited.change.after)
        except FileProblem as problem:
            raise ToolFailure(files.problem_among(problem, self.files, writer="write")) from problem
        told = edited.tell(replaced, call, max_chars=self.max_output)
        return told + edit_checks.checked(watch, place.requested)
