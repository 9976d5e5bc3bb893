"""crab `grep`: the lines that match a regular expression. Source: crab tools page, "grep"."""

from __future__ import annotations

from typing import Annotated

from attrs import evolve, field, frozen, validators
from typing_extensions import Doc

from mmtools.call import Headline, Location, Report, Status, ToolKind
from mmtools.core import search_answers
from mmtools.core.search_answers import Fitted
from mmtools.errors import ArgumentsRefused, Cancelled, ToolFailure
from mmtools.ports.files import Files
from mmtools.ports.search import Ended, Found, Listed, Pattern, Search, SearchProblem, Tree
from mmtools.tool import Call, ToolSpec
from mmtools.tools.wording import search as wording
from mmtools.tools.wording import searched_places
from mmtools.tools.wording.searched_places import Searched

__all__ = ["Grep", "GrepArgs"]

#: Matches looked for to say what an empty answer passed over, and the time spent on it.
_HINT_MATCHES, _HINT_S = 50, 5.0
#: Matches counted to say how far an offset is past the last one.
_MAX_COUNTED = 10_000


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
    The tool that shows the lines that match, each with its place.

    Args:
        max_matches: Lines in one answer.
        max_output: Characters of them; notes about what is missing come on top.
        timeout_s: After which the search ends with what it has.

    Needs:
        files: To locate the path.
        search: To search.

    Asks:
        Only for a place outside the roots, where the host leaves that to a person.

    Fails:
        No such place; a pattern or a glob that cannot be read; nothing found in time; an offset past the last match.
        That nothing matches is an answer.

    Source:
        crab tools page, "grep"; semantics.md 3.6; decisions D8, D13, D14.
    """

    files: Files
    search: Search
    max_matches: int = 250
    max_output: int = 30_000
    timeout_s: float = 20.0

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(
            name="grep",
            kind=ToolKind.SEARCH,
            family="search",
            description=(
                f"Find lines by regular expression ({wording.dialect(self.search.dialect)}). "
                "Answers path:line:text; odd paths as JSON strings. Skips hidden, ignored files."
            ),
            arguments=GrepArgs,
            aliases={
                "query": "pattern",
                "regex": "pattern",
                "directory": "path",
                "dir": "path",
                "file_path": "path",
                "include": "glob",
                "-i": "ignore_case",
                "case_insensitive": "ignore_case",
                "ignoreCase": "ignore_case",
                "no_ignore": "include_ignored",
                "includeIgnored": "include_ignored",
            },
            refuses={"-v": "send the lines you want as pattern, or use a command"},
        )

    def headline(self, arguments: GrepArgs) -> Headline:
        path = arguments.path or "."
        place = "" if path == "." else f" in {path}"
        return Headline(text=f"{arguments.pattern}{place}", locations=(Location(self.files.absolute(path)),))

    def execute(self, arguments: GrepArgs, call: Call) -> str:
        _refuse_unsearchable(arguments)
        searched = searched_places.located(arguments.path, self.files, call, "grep")
        searched, glob = searched_places.narrowed(searched, arguments.glob)
        asked = _Asked(
            arguments, searched, searched_places.tree(searched, glob, hidden=arguments.include_ignored), call
        )
        try:
            found = self._find(asked, skip=arguments.offset, limit=self.max_matches)
            return self._shown(found, asked) if found.matches or found.binary else self._nothing(found, asked)
        except SearchProblem as problem:
            raise searched_places.problem(
                problem, searched, pattern=arguments.pattern, glob=arguments.glob
            ) from problem

    def _find(self, asked: _Asked, *, skip: int = 0, limit: int, timeout_s: float | None = None) -> Found:
        found = self.search.grep(
            asked.tree,
            Pattern(regex=asked.arguments.pattern, ignore_case=asked.arguments.ignore_case),
            skip=skip,
            limit=limit,
            timeout_s=self.timeout_s if timeout_s is None else timeout_s,
            cancellation=asked.call.cancellation,
        )
        if found.ended is Ended.CANCELLED:
            raise Cancelled("[grep was cancelled]")
        return found

    def _shown(self, found: Found, asked: _Asked) -> str:
        searched = asked.searched
        lines = [
            search_answers.match_line(
                searched.path(match.path), match.line, match.text, before=match.before, after=match.after
            )
            for match in found.matches
        ]
        fitted = search_answers.fit(lines, self.max_output)
        cut = _cut(found, fitted, asked.arguments.offset)
        late = found.ended is Ended.TIME
        asked.call.report(Report(truncated=bool(cut) or late))
        return "\n".join(
            [
                *fitted.lines,
                *cut,
                *([wording.late(self.timeout_s, "narrow path, glob or pattern")] if late else ()),
                *wording.binary(found.binary, searched.path),
                *wording.unreadable(found.unreadable, searched.path),
            ]
        )

    def _nothing(self, found: Found, asked: _Asked) -> str:
        """Say that nothing was found, and what that does not mean."""
        if found.ended is Ended.TIME:
            asked.call.report(Report(status=Status.TIMED_OUT, truncated=True))
            return wording.too_late(self.timeout_s, "narrow path or glob, or send a simpler pattern")
        arguments = asked.arguments
        if arguments.offset:
            counted = self._find(asked, limit=min(arguments.offset, _MAX_COUNTED))
            if counted.matches:
                raise ToolFailure(_past(counted, arguments.offset))
        words = f"no matches for {wording.quoted(arguments.pattern)} in {asked.searched.words}"
        if arguments.glob:
            words += f", in files that match {wording.quoted(arguments.glob)}"
        return "\n".join(
            [f"[{words}{self._passed_over(asked)}]", *wording.unreadable(found.unreadable, asked.searched.path)]
        )

    def _passed_over(self, asked: _Asked) -> str:
        """Look where nobody looked, for a short while."""
        everywhere = evolve(asked, tree=evolve(asked.tree, hidden=True, ignored=True))
        hint = "; hidden and ignored files were searched too"
        if everywhere.tree != asked.tree:
            hidden = self._find(everywhere, limit=_HINT_MATCHES, timeout_s=_HINT_S)
            places = [asked.searched.path(path) for path in (*(match.path for match in hidden.matches), *hidden.binary)]
            hint = wording.passed_over("match", places, hidden.ended)
            if places or hidden.ended is not Ended.ALL:
                return hint
        listed = self.search.files(everywhere.tree, limit=1, timeout_s=_HINT_S, cancellation=asked.call.cancellation)
        match listed:
            case Listed(ended=Ended.CANCELLED):
                raise Cancelled("[grep was cancelled]")
            case Listed(paths=("",)):
                return ""
            case Listed(paths=(), ended=Ended.ALL):
                return wording.no_files(asked.tree.glob, asked.arguments.path)
            case _:
                return hint


@frozen
class _Asked:
    """One question to the engine, and whose it is."""

    arguments: GrepArgs
    searched: Searched
    tree: Tree
    call: Call


def _refuse_unsearchable(arguments: GrepArgs) -> None:
    searched_places.refuse_unsendable("grep", pattern=arguments.pattern, glob=arguments.glob)
    if not arguments.pattern:
        raise ArgumentsRefused(
            "[grep: pattern is empty, which every line matches; send what to look for, or read a file to see it all]"
        )
    if "\n" in arguments.pattern:
        raise ArgumentsRefused(
            "[grep: pattern holds a line break, but lines are searched one by one; send what stands on one line]"
        )


def _cut(found: Found, fitted: Fitted, offset: int) -> list[str]:
    """Say which matches are shown, when there are more."""
    last = offset + len(fitted.lines)
    known = offset + len(found.matches)
    notes = [f"[… {fitted.cut:,} characters of this line are left out]"] if fitted.cut else []
    if last == known and found.ended is not Ended.LIMIT:
        return notes
    shown = f"matches {offset + 1}-{last}" if len(fitted.lines) > 1 else f"match {last}"
    if found.ended is Ended.ALL:
        return [*notes, f"[… {shown} of {known} shown; continue with offset={last}]"]
    return [*notes, f"[… {shown} shown, there are more; continue with offset={last}, or narrow path, glob or pattern]"]


def _past(counted: Found, offset: int) -> str:
    count = len(counted.matches)
    total = f"more than {count}" if counted.ended is Ended.LIMIT else f"{count}"
    return f"[grep: offset={offset} is past the last match ({total} {'match' if count == 1 else 'matches'})]"
