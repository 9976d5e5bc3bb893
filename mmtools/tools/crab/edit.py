"""crab `edit`: replacements resolved against the original file, all or nothing. Source: crab tools page, "edit"."""

from __future__ import annotations

from typing import Annotated, ClassVar

from attrs import field, frozen
from typing_extensions import Doc

from mmtools.call import Headline, ToolKind
from mmtools.core.edits import Replacement
from mmtools.tool import Call, ToolSpec
from mmtools.tools.operations.edit_text import EditTerms, edit_text
from mmtools.tools.operations.session_files import SessionFiles, session_files
from mmtools.tools.operations.spellings import OLD_NEW, ONE_PER_PLACE, PATH

__all__ = ["Edit", "EditArg", "EditArgs"]

_TERMS = EditTerms(tool="edit", writer="write", edits="edits", old="old", new="new")


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
    The tool that replaces texts of a file that each occur once in it: `edit_text`.

    Needs:
        files: To read the file and to replace it.

    Source:
        crab tools page, "edit" and "The freshness gate".
    """

    files: SessionFiles = field(converter=session_files)

    spec: ClassVar[ToolSpec] = ToolSpec(
        name="edit",
        kind=ToolKind.EDIT,
        family="file",
        description=(
            "Replace exact texts in a file, all or nothing; read it first. Each old must be in it exactly once, "
            "blanks and indentation included; edits must not overlap."
        ),
        arguments=EditArgs,
        aliases={**PATH, **OLD_NEW},
        refuses=ONE_PER_PLACE,
    )

    def headline(self, arguments: EditArgs) -> Headline:
        return self.files.headline(arguments.path)

    def execute(self, arguments: EditArgs, call: Call) -> str:
        replacements = [Replacement(edit.old, edit.new) for edit in arguments.edits]
        return edit_text(self.files, arguments.path, replacements, call, _TERMS)
