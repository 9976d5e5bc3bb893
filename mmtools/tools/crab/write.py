"""crab `write`: one file replaced or created as a whole. Source: crab tools page, "write"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar

from attrs import frozen
from typing_extensions import Doc

from mmtools.call import Headline, Location, Report, ToolKind
from mmtools.core.freshness import Ledger
from mmtools.errors import ToolFailure
from mmtools.ports.files import FileProblem, Files
from mmtools.tool import Call, ToolSpec
from mmtools.tools.wording import edit_checks, files, writing
from mmtools.tools.wording.freshness import Gate

if TYPE_CHECKING:
    from mmtools.ports.edit_checks import EditChecks

__all__ = ["Write", "WriteArgs"]


@frozen(kw_only=True)
class WriteArgs:
    path: Annotated[str, Doc("File path; parent directories are created.")]
    content: Annotated[str, Doc("The whole content.")]


@frozen(kw_only=True)
class Write:
    """
    The tool that makes a file hold exactly the bytes of a text, in UTF-8.

    Args:
        max_output: Characters of headline and diff; a note about what is missing comes on top.
        encodings: Codecs' names, tried in order, to show what an old file held that is not UTF-8.
        ledger: Given, an existing file must have been read as it is now; it learns what was written.
        checks: Given, the result tells what became worse or better in the file.

    Needs:
        files: To read the old content and to replace it.

    Asks:
        Before the file is written; not when it already holds the content. An "always" covers every file change under
        the root.

    Fails:
        The file was not read, or changed since, also while permission was asked for. Half a character in the content.
        Directory, special file, outside the roots …: the shared sentences.

    Source:
        crab tools page, "write" and "The freshness gate"; decisions D3, D4, D5, D13, D16.
    """

    files: Files
    max_output: int = 30_000
    encodings: Sequence[str] = ()
    ledger: Ledger | None = None
    checks: EditChecks | None = None

    spec: ClassVar[ToolSpec] = ToolSpec(
        name="write",
        kind=ToolKind.EDIT,
        family="file",
        description=(
            "Create a file, or replace the whole of an existing one: read it first. To change a part, use edit."
        ),
        arguments=WriteArgs,
        aliases={"file_path": "path", "filePath": "path"},
    )

    def headline(self, arguments: WriteArgs) -> Headline:
        return Headline(text=arguments.path, locations=(Location(self.files.absolute(arguments.path)),))

    def execute(self, arguments: WriteArgs, call: Call) -> str:
        after = writing.encoded(arguments.content)
        gate = Gate(ledger=self.ledger, tool=self.spec.name)
        try:
            place = self.files.locate(arguments.path)
            before = self.files.snapshot(place)
            if before.data == after:
                gate.knows(before)
                call.report(Report(locations=(Location(place.path),)))
                return f"{place.requested} unchanged: the content is identical"
            gate.check(before)
            written = writing.compare(before, arguments.content, after, self.encodings)
            call.approve(written.proposal(self.files.absolute(".")))
            watch = None if self.checks is None else self.checks.watch(place, call.cancellation)
            replaced = gate.replace(self.files, before, after)
        except FileProblem as problem:
            raise ToolFailure(files.problem(problem, writer=self.spec.name)) from problem
        told = written.tell(replaced, call, max_chars=self.max_output)
        return told + edit_checks.checked(watch, place.requested)
