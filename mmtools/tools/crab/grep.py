"""crab `grep`: the lines that match a regular expression. Source: crab tools page, "grep"."""

from __future__ import annotations

from typing import Annotated

from attrs import field, frozen, validators
from typing_extensions import Doc

from mmtools.call import Headline, ToolKind
from mmtools.ports.search import Pattern
from mmtools.tool import Call, ToolSpec
from mmtools.tools.operations.file_search import FileSearch, Where
from mmtools.tools.operations.search_text import TextQuery, search_text
from mmtools.tools.operations.spellings import SEARCHED
from mmtools.tools.wording import search as wording
from mmtools.tools.wording.search import SearchTerms

__all__ = ["Grep", "GrepArgs"]

_TERMS = SearchTerms(
    tool="grep", pattern="pattern", path="path", glob="glob", offset="offset", hidden="include_ignored=true"
)


@frozen(kw_only=True)
class GrepArgs:
    """What to look for, and where."""

    pattern: Annotated[str, Doc("Held against each line.")]
    path: Annotated[str, Doc("Directory or file.")] = ""
    glob: Annotated[str, Doc("Only files like *.py.")] = ""
    ignore_case: Annotated[bool, Doc("Ignore case.")] = False
    include_ignored: Annotated[bool, Doc("Hidden, ignored files too.")] = False
    offset: Annotated[int, Doc("Matches to skip.")] = field(default=0, validator=validators.ge(0))


@frozen(kw_only=True)
class Grep:
    """
    The tool that shows the lines that match, each with its place: `search_text`.

    Args:
        max_matches: Lines in one answer.

    Needs:
        search: To locate the path, and to search.

    Source:
        crab tools page, "grep"; semantics.md 3.6; decisions D8, D13, D14.
    """

    search: FileSearch
    max_matches: int = 250

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(
            name="grep",
            kind=ToolKind.SEARCH,
            family="search",
            description=(
                f"Find lines by regular expression ({wording.dialect(self.search.engine.dialect)}). "
                "Answers path:line:text; odd paths as JSON strings. Skips hidden, ignored files."
            ),
            arguments=GrepArgs,
            aliases={
                "query": "pattern",
                "regex": "pattern",
                "file_path": "path",
                "include": "glob",
                "-i": "ignore_case",
                "case_insensitive": "ignore_case",
                "ignoreCase": "ignore_case",
                **SEARCHED,
            },
            refuses={"-v": "send the lines you want as pattern, or use a command"},
        )

    def headline(self, arguments: GrepArgs) -> Headline:
        return self.search.headline(arguments.pattern, arguments.path)

    def execute(self, arguments: GrepArgs, call: Call) -> str:
        query = TextQuery(
            pattern=Pattern(regex=arguments.pattern, ignore_case=arguments.ignore_case),
            where=Where(path=arguments.path, glob=arguments.glob, hidden=arguments.include_ignored),
            skip=arguments.offset,
            limit=self.max_matches,
        )
        return search_text(self.search, query, call, _TERMS)
