"""crab `write`: one file replaced or created as a whole. Source: crab tools page, "write"."""

from __future__ import annotations

from typing import Annotated, ClassVar

from attrs import field, frozen
from typing_extensions import Doc

from mmtools.call import Headline, ToolKind
from mmtools.tool import Call, ToolSpec
from mmtools.tools.operations.session_files import SessionFiles, session_files
from mmtools.tools.operations.spellings import PATH
from mmtools.tools.operations.write_text import WriteTerms, write_text

__all__ = ["Write", "WriteArgs"]

_TERMS = WriteTerms(tool="write", content="content")


@frozen(kw_only=True)
class WriteArgs:
    path: Annotated[str, Doc("File path; parent directories are created.")]
    content: Annotated[str, Doc("The whole content.")]


@frozen(kw_only=True)
class Write:
    """
    The tool that makes a file hold exactly the bytes of a text, in UTF-8: `write_text`.

    Needs:
        files: To read the old content and to replace it.

    Source:
        crab tools page, "write" and "The freshness gate".
    """

    files: SessionFiles = field(converter=session_files)

    spec: ClassVar[ToolSpec] = ToolSpec(
        name="write",
        kind=ToolKind.EDIT,
        family="file",
        description=(
            "Create a file, or replace the whole of an existing one: read it first. To change a part, use edit."
        ),
        arguments=WriteArgs,
        aliases=PATH,
    )

    def headline(self, arguments: WriteArgs) -> Headline:
        return self.files.headline(arguments.path)

    def execute(self, arguments: WriteArgs, call: Call) -> str:
        return write_text(self.files, arguments.path, arguments.content, call, _TERMS)
