"""mm `read_file`: a text file, or a range of its lines. Source: mm reference, "read_file"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

from attrs import field, frozen, validators
from typing_extensions import Doc

from mmtools.call import Headline, Location, Report, ToolKind
from mmtools.core import reading
from mmtools.core.freshness import Ledger
from mmtools.core.lines import Window
from mmtools.errors import ArgumentsRefused, ToolFailure
from mmtools.ports.files import FileProblem, Files
from mmtools.tool import Call, ToolSpec
from mmtools.tools.wording import changes, files, freshness
from mmtools.tools.wording.showing import Pieces, Showing, Wanted

__all__ = ["ReadFile", "ReadFileArgs"]


@frozen(kw_only=True)
class ReadFileArgs:
    """The name of a file, and the lines of it that are wanted."""

    path: Annotated[str, Doc("File path, relative to the working directory.")]
    start: Annotated[int, Doc("First line (1-based); 0 = from the start.")] = field(
        default=0, validator=validators.ge(0)
    )
    end: Annotated[int, Doc("Last line (1-based, inclusive); 0 = to the end.")] = field(
        default=0, validator=validators.ge(0)
    )
    numbered: Annotated[bool, Doc("Prefix each line with its number.")] = False


@frozen(kw_only=True)
class ReadFile:
    """
    The tool that shows the lines of a text file.

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
        `[read_file: line 9 is past the end of a.txt (2 lines)]`. An end before the start.

    Source:
        mm reference, "read_file"; decisions D1, D2, D6, D8, D13, D14.
    """

    files: Files
    max_output: int = 30_000
    encodings: Sequence[str] = ()
    ledger: Ledger | None = None

    spec: ClassVar[ToolSpec] = ToolSpec(
        name="read_file",
        kind=ToolKind.READ,
        family="file",
        description=(
            "Read a text file, or its lines start to end. Long output is cut after a whole line, "
            "with the start that continues it."
        ),
        arguments=ReadFileArgs,
        aliases={
            "file_path": "path",
            "filePath": "path",
            "offset": "start",
            "line_offset": "start",
            "start_line": "start",
            "end_line": "end",
        },
    )

    def headline(self, arguments: ReadFileArgs) -> Headline:
        location = Location(self.files.absolute(arguments.path), arguments.start or None)
        return Headline(text=arguments.path, locations=(location,))

    def execute(self, arguments: ReadFileArgs, call: Call) -> str:
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
            raise ToolFailure(files.problem_among(problem, self.files)) from problem
        location = Location(place.path, arguments.start or None)
        call.report(Report(locations=(location,), truncated=answer.truncated))
        return answer.text


def _wanted(arguments: ReadFileArgs) -> Wanted:
    first, last = arguments.start or 1, arguments.end or None
    if last is not None and last < first:
        raise ArgumentsRefused(f"end ({last}) is before start ({first}); send end=0 to read to the end of the file")
    return Wanted(
        tool="read_file",
        window=Window(first, last),
        numbered=arguments.numbered,
        start="start",
        rest=lambda _: f", end={last}" if last else "",
    )
