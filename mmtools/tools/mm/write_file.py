"""mm `write_file`: one file replaced or created as a whole. Source: mm reference, "write_file"."""

from __future__ import annotations

from typing import Annotated, ClassVar

from attrs import field, frozen
from typing_extensions import Doc

from mmtools.call import Headline, ToolKind
from mmtools.tool import Call, ToolSpec
from mmtools.tools.operations.session_files import SessionFiles, session_files
from mmtools.tools.operations.spellings import PATH
from mmtools.tools.operations.write_text import WriteTerms, write_text

__all__ = ["WriteFile", "WriteFileArgs"]

_TERMS = WriteTerms(tool="write_file", content="content")


@frozen(kw_only=True)
class WriteFileArgs:
    path: Annotated[str, Doc("File path, relative to the working directory; parent directories are created.")]
    content: Annotated[str, Doc("The whole content of the file.")]


@frozen(kw_only=True)
class WriteFile:
    """
    The tool that makes a file hold exactly the bytes of a text, in UTF-8: `write_text`.

    Needs:
        files: To read the old content and to replace it.

    Source:
        mm reference, "write_file".
    """

    files: SessionFiles = field(converter=session_files)

    spec: ClassVar[ToolSpec] = ToolSpec(
        name="write_file",
        kind=ToolKind.EDIT,
        family="file",
        description="Create a file, or replace the whole of an existing one. To change a part, use edit_file.",
        arguments=WriteFileArgs,
        aliases=PATH,
    )

    def headline(self, arguments: WriteFileArgs) -> Headline:
        return self.files.headline(arguments.path)

    def execute(self, arguments: WriteFileArgs, call: Call) -> str:
        return write_text(self.files, arguments.path, arguments.content, call, _TERMS)
