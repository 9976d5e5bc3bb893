"""mm `edit_file`: replacements resolved against the original file, all or nothing. Source: mm reference, "edit_file"."""

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

__all__ = ["EditArg", "EditFile", "EditFileArgs"]

_TERMS = EditTerms(tool="edit_file", writer="write_file", edits="edits", old="old", new="new")


@frozen(kw_only=True)
class EditArg:
    old: Annotated[str, Doc("Exact text to find, present exactly once.")]
    new: Annotated[str, Doc("Replacement; empty deletes the matched text.")]


@frozen(kw_only=True)
class EditFileArgs:
    path: Annotated[str, Doc("Path of an existing file.")]
    edits: Annotated[tuple[EditArg, ...], Doc("Replacements, all resolved against the original file.")]
    dry_run: Annotated[bool, Doc("Report what would change, write nothing.")] = False


@frozen(kw_only=True)
class EditFile:
    """
    The tool that replaces texts of a file that each occur once in it: `edit_text`.

    Needs:
        files: To read the file and to replace it.

    Asks:
        Not for a dry run.

    Source:
        mm reference, "edit_file".
    """

    files: SessionFiles = field(converter=session_files)

    spec: ClassVar[ToolSpec] = ToolSpec(
        name="edit_file",
        kind=ToolKind.EDIT,
        family="file",
        description=(
            "Replace exact texts in a file, all or nothing. Each old must be in it exactly once, "
            "blanks and indentation included; edits must not overlap."
        ),
        arguments=EditFileArgs,
        aliases={**PATH, **OLD_NEW},
        refuses=ONE_PER_PLACE,
    )

    def headline(self, arguments: EditFileArgs) -> Headline:
        return self.files.headline(arguments.path)

    def execute(self, arguments: EditFileArgs, call: Call) -> str:
        replacements = [Replacement(edit.old, edit.new) for edit in arguments.edits]
        return edit_text(self.files, arguments.path, replacements, call, _TERMS, dry_run=arguments.dry_run)
