"""mm `read_file`: a text file, or a range of its lines. Source: mm reference, "read_file"."""

from __future__ import annotations

from typing import Annotated, ClassVar

from attrs import field, frozen, validators
from typing_extensions import Doc

from mmtools.call import Headline, ToolKind
from mmtools.errors import ArgumentsRefused
from mmtools.tool import Call, ToolSpec
from mmtools.tools.operations.read_text import ReadTerms, Wanted, read_text
from mmtools.tools.operations.session_files import SessionFiles, session_files
from mmtools.tools.operations.spellings import PATH

__all__ = ["ReadFile", "ReadFileArgs"]


def _onward(line: int, last: int | None) -> str:
    return f"start={line}, end={last}" if last else f"start={line}"


_TERMS = ReadTerms(tool="read_file", writer="write_file", onward=_onward)


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
    The tool that shows the lines of a text file: `read_text`.

    Needs:
        files: To locate the path and read it in pieces.

    Fails:
        An end before the start.

    Source:
        mm reference, "read_file".
    """

    files: SessionFiles = field(converter=session_files)

    spec: ClassVar[ToolSpec] = ToolSpec(
        name="read_file",
        kind=ToolKind.READ,
        family="file",
        description=(
            "Read a text file, or its lines start to end. Long output is cut after a whole line, "
            "with the start that continues it."
        ),
        arguments=ReadFileArgs,
        aliases={**PATH, "offset": "start", "line_offset": "start", "start_line": "start", "end_line": "end"},
    )

    def headline(self, arguments: ReadFileArgs) -> Headline:
        return self.files.headline(arguments.path, arguments.start or None)

    def execute(self, arguments: ReadFileArgs, call: Call) -> str:
        first, last = arguments.start or 1, arguments.end
        if last and last < first:
            raise ArgumentsRefused(f"end ({last}) is before start ({first}); send end=0 to read to the end of the file")
        wanted = Wanted(first=arguments.start or None, last=last or None, numbered=arguments.numbered)
        return read_text(self.files, arguments.path, wanted, call, _TERMS)
