"""crab `read`: a text file, or a number of its lines. Source: crab tools page, "read"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

from attrs import field, frozen, validators
from typing_extensions import Doc

from mmtools.call import Headline, Location, Report, ToolKind
from mmtools.core import reading
from mmtools.core.freshness import Ledger
from mmtools.core.lines import Window
from mmtools.errors import ToolFailure
from mmtools.ports.files import FileProblem, Files
from mmtools.tool import Call, ToolSpec
from mmtools.tools.wording import changes, files, freshness
from mmtools.tools.wording.showing import Pieces, Showing, Wanted

__all__ = ["Read", "ReadArgs"]


@frozen(kw_only=True)
class ReadArgs:
    """The name of a file, and the lines of it that are wanted."""

    path: Annotated[str, Doc("File path.")]
    offset: Annotated[int, Doc("First line (1-based); 0 = from the start.")] = field(
        default=0, validator=validators.ge(0)
    )
    limit: Annotated[int, Doc("Number of lines; 0 = to the end.")] = field(default=0, validator=validators.ge(0))


@frozen(kw_only=True)
class Read:
    """
    The tool that shows the lines of a text file, and opens the freshness gate for it.

    Args:
        max_output: Characters of lines in one answer; notes about what is missing come on top.
        encodings: Codecs' names, tried in order, for what is not UTF-8.
        ledger: Learns the whole file's bytes, also when only a range of it is shown.

    Needs:
        files: To locate the path and read it in pieces.

    Asks:
        Only for a file outside the roots, where the host leaves that to a person.

    Fails:
        Missing, directory, special file, outside the roots …: the shared sentences. Binary.
        `[read: line 9 is past the end of a.txt (2 lines)]`. A failed read opens no gate.

    Source:
        crab tools page, "read"; decisions D1, D2, D6, D8, D13, D14.
    """

    files: Files
    max_output: int = 30_000
    encodings: Sequence[str] = ()
    ledger: Ledger | None = None

    spec: ClassVar[ToolSpec] = ToolSpec(
        name="read",
        kind=ToolKind.READ,
        family="file",
        description=(
            "Read a text file, or limit lines of it from offset on. Long output is cut after a whole line, "
            "with the offset that continues it."
        ),
        arguments=ReadArgs,
        aliases={
            "file_path": "path",
            "filePath": "path",
            "line_offset": "offset",
            "start": "offset",
            "start_line": "offset",
            "n_lines": "limit",
            "lines": "limit",
        },
    )

    def headline(self, arguments: ReadArgs) -> Headline:
        location = Location(self.files.absolute(arguments.path), arguments.offset or None)
        return Headline(text=arguments.path, locations=(location,))

    def execute(self, arguments: ReadArgs, call: Call) -> str:
        wanted = _wanted(arguments)
        showing = Showing(wanted=wanted, max_output=self.max_output, encodings=self.encodings)
        try:
            place = self.files.locate(arguments.path)
            if place.outside_roots:
                call.approve(changes.reading(place, "[read rejected by the user]"))
            with self.files.open(place) as reader:
                pieces = Pieces(reader, call.cancellation, tool=wanted.tool, ledger=self.ledger)
                found = reading.find(pieces.read, wanted.window, max_chars=self.max_output)
                answer = showing.answer(found, place, reader.size)
                pieces.note(place.path)
        except FileProblem as problem:
            freshness.forget(self.ledger, problem)
            raise ToolFailure(files.problem_among(problem, self.files, writer="write")) from problem
        location = Location(place.path, arguments.offset or None)
        call.report(Report(locations=(location,), truncated=answer.truncated))
        return answer.text


def _wanted(arguments: ReadArgs) -> Wanted:
    first = arguments.offset or 1
    last = first + arguments.limit - 1 if arguments.limit else None
    return Wanted(
        tool="read",
        window=Window(first, last),
        start="offset",
        rest=lambda line: f", limit={last - line + 1}" if last else "",
    )
