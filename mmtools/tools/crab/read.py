"""crab `read`: a text file, or a number of its lines. Source: crab tools page, "read"."""

from __future__ import annotations

from typing import Annotated, ClassVar

from attrs import field, frozen, validators
from typing_extensions import Doc

from mmtools.call import Headline, ToolKind
from mmtools.tool import Call, ToolSpec
from mmtools.tools.operations.read_text import ReadTerms, Wanted, read_text
from mmtools.tools.operations.session_files import SessionFiles, session_files
from mmtools.tools.operations.spellings import PATH

__all__ = ["Read", "ReadArgs"]


def _onward(line: int, last: int | None) -> str:
    return f"offset={line}, limit={last - line + 1}" if last else f"offset={line}"


_TERMS = ReadTerms(tool="read", writer="write", onward=_onward)


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
    The tool that shows the lines of a text file, and opens the freshness gate for it: `read_text`.

    Needs:
        files: To locate the path and read it in pieces.

    Source:
        crab tools page, "read".
    """

    files: SessionFiles = field(converter=session_files)

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
            **PATH,
            "line_offset": "offset",
            "start": "offset",
            "start_line": "offset",
            "n_lines": "limit",
            "lines": "limit",
        },
    )

    def headline(self, arguments: ReadArgs) -> Headline:
        return self.files.headline(arguments.path, arguments.offset or None)

    def execute(self, arguments: ReadArgs, call: Call) -> str:
        last = (arguments.offset or 1) + arguments.limit - 1 if arguments.limit else None
        wanted = Wanted(first=arguments.offset or None, last=last)
        return read_text(self.files, arguments.path, wanted, call, _TERMS)
