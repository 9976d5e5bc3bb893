"""crab `glob`: the files whose path matches a pattern. Source: crab tools page, "glob"."""

from __future__ import annotations

from typing import Annotated, ClassVar

from attrs import frozen
from typing_extensions import Doc

from mmtools.call import Headline, ToolKind
from mmtools.tool import Call, ToolSpec
from mmtools.tools.operations.file_search import FileSearch, Where
from mmtools.tools.operations.list_files import list_files
from mmtools.tools.operations.spellings import SEARCHED
from mmtools.tools.wording.search import SearchTerms

__all__ = ["Glob", "GlobArgs"]

_TERMS = SearchTerms(tool="glob", pattern="pattern", path="path", hidden="include_ignored=true")


@frozen(kw_only=True)
class GlobArgs:
    """Which files are wanted, and below which directory."""

    pattern: Annotated[str, Doc("Relative to path; without / at any depth.")]
    path: Annotated[str, Doc("Directory.")] = ""
    include_ignored: Annotated[bool, Doc("Hidden, ignored files too.")] = False


@frozen(kw_only=True)
class Glob:
    """
    The tool that lists the files whose path matches: `list_files`.

    Args:
        max_files: Paths in one answer.

    Needs:
        search: To locate the path, and to search.

    Source:
        crab tools page, "glob"; semantics.md 3.7; decisions D8, D13, D14.
    """

    search: FileSearch
    max_files: int = 1_000

    spec: ClassVar[ToolSpec] = ToolSpec(
        name="glob",
        kind=ToolKind.SEARCH,
        family="search",
        description="List files by glob (**, {a,b}), sorted. Skips hidden, ignored files.",
        arguments=GlobArgs,
        aliases={"glob": "pattern", "query": "pattern", **SEARCHED},
    )

    def headline(self, arguments: GlobArgs) -> Headline:
        return self.search.headline(arguments.pattern, arguments.path)

    def execute(self, arguments: GlobArgs, call: Call) -> str:
        where = Where(path=arguments.path, glob=arguments.pattern, hidden=arguments.include_ignored)
        return list_files(self.search, where, call, _TERMS, limit=self.max_files)
