"""crab `glob`: the files whose path matches a pattern. Source: crab tools page, "glob"."""

from __future__ import annotations

from typing import Annotated, ClassVar

from attrs import evolve, frozen
from typing_extensions import Doc

from mmtools.call import Headline, Location, Report, Status, ToolKind
from mmtools.core import globs, search_answers
from mmtools.core.search_answers import Fitted
from mmtools.errors import ArgumentsRefused, Cancelled, ToolFailure
from mmtools.ports.files import FileProblem, Files
from mmtools.ports.search import BadGlob, Ended, Listed, PlaceMissing, Search, SearchProblem, Tree
from mmtools.tool import Call, ToolSpec
from mmtools.tools.wording import search as wording
from mmtools.tools.wording import searched_places
from mmtools.tools.wording.searched_places import Searched

__all__ = ["Glob", "GlobArgs"]

#: Files listed to say what an empty answer passed over, and the time spent on it.
_HINT_FILES, _HINT_S = 50, 5.0


@frozen(kw_only=True)
class GlobArgs:
    """Which files are wanted, and below which directory."""

    pattern: Annotated[str, Doc("Relative to path; without / at any depth.")]
    path: Annotated[str, Doc("Directory.")] = ""
    include_ignored: Annotated[bool, Doc("Hidden, ignored files too.")] = False


@frozen(kw_only=True)
class Glob:
    """
    The tool that lists the files whose path matches.

    Args:
        max_files: Paths in one answer.
        max_output: Characters of them; notes about what is missing come on top.
        timeout_s: After which the search ends with what it has.

    Needs:
        files: To locate the path.
        search: To search.

    Asks:
        Only for a place outside the roots, where the host leaves that to a person.

    Fails:
        No such directory; a pattern that cannot be read, is empty, or names a directory; nothing found in time.
        That nothing matches is an answer.

    Source:
        crab tools page, "glob"; semantics.md 3.7; decisions D8, D13, D14.
    """

    files: Files
    search: Search
    max_files: int = 1_000
    max_output: int = 30_000
    timeout_s: float = 20.0

    spec: ClassVar[ToolSpec] = ToolSpec(
        name="glob",
        kind=ToolKind.SEARCH,
        family="search",
        description="List files by glob (**, {a,b}), sorted. Skips hidden, ignored files.",
        arguments=GlobArgs,
        aliases={
            "glob": "pattern",
            "query": "pattern",
            "directory": "path",
            "dir": "path",
            "no_ignore": "include_ignored",
            "includeIgnored": "include_ignored",
        },
    )

    def headline(self, arguments: GlobArgs) -> Headline:
        path = arguments.path or "."
        place = "" if path == "." else f" in {path}"
        return Headline(text=f"{arguments.pattern}{place}", locations=(Location(self.files.absolute(path)),))

    def execute(self, arguments: GlobArgs, call: Call) -> str:
        searched_places.refuse_unsendable("glob", pattern=arguments.pattern)
        path, pattern = _rooted(arguments)
        if "/" in arguments.pattern:
            self._refuse_directory(arguments, call)
        searched = searched_places.located(path, self.files, call, "glob")
        tree = searched_places.tree(searched, pattern, hidden=arguments.include_ignored)
        try:
            listed = self._list(tree, call, limit=self.max_files, timeout_s=self.timeout_s)
            if listed.paths == ("",):
                raise ToolFailure(
                    f"[glob: {searched.words} is a file, not a directory; send the directory it is in as path, "
                    "and its name as pattern]"
                )
            if listed.paths:
                return self._shown(listed, searched, call)
            return self._nothing(_Asked(arguments, searched, tree, call), listed)
        except PlaceMissing as problem:
            if path == arguments.path:
                raise searched_places.problem(problem, searched) from problem
            hint = wording.repeated_base(arguments.path, arguments.pattern)
            missing = search_answers.quoted(path)
            return f"[no files match {wording.quoted(arguments.pattern)}: {missing} does not exist{hint}]"
        except SearchProblem as problem:
            raise searched_places.problem(problem, searched, glob=arguments.pattern) from problem

    def _list(self, tree: Tree, call: Call, *, limit: int, timeout_s: float) -> Listed:
        listed = self.search.files(tree, limit=limit, timeout_s=timeout_s, cancellation=call.cancellation)
        if listed.ended is Ended.CANCELLED:
            raise Cancelled("[glob was cancelled]")
        return listed

    def _shown(self, listed: Listed, searched: Searched, call: Call) -> str:
        fitted = search_answers.fit(
            [search_answers.quoted(searched.path(path)) for path in listed.paths], self.max_output
        )
        cut = _cut(listed, fitted)
        late = listed.ended is Ended.TIME
        call.report(Report(truncated=bool(cut) or late))
        return "\n".join(
            [
                *fitted.lines,
                *cut,
                *([wording.late(self.timeout_s, "narrow path or pattern")] if late else ()),
                *wording.unreadable(listed.unreadable, searched.path),
            ]
        )

    def _nothing(self, asked: _Asked, listed: Listed) -> str:
        """Say that nothing was found, and what that does not mean."""
        if listed.ended is Ended.TIME:
            asked.call.report(Report(status=Status.TIMED_OUT, truncated=True))
            return wording.too_late(self.timeout_s, "narrow path or pattern")
        self._refuse_directory(asked.arguments, asked.call)
        searched, sent = asked.searched, asked.arguments.pattern
        hints = f"{self._passed_over(asked)}{self._brackets(asked)}"
        words = f"no files match {wording.quoted(sent)} in {searched.words}{hints}"
        return "\n".join([f"[{words}]", *wording.unreadable(listed.unreadable, searched.path)])

    def _passed_over(self, asked: _Asked) -> str:
        """Look where nobody looked, for a short while."""
        everywhere = evolve(asked.tree, hidden=True, ignored=True)
        if everywhere == asked.tree:
            return "; hidden and ignored files were listed too"
        hidden = self._list(everywhere, asked.call, limit=_HINT_FILES, timeout_s=_HINT_S)
        return wording.passed_over("file", [asked.searched.path(path) for path in hidden.paths], hidden.ended)

    def _brackets(self, asked: _Asked) -> str:
        """Say how to write brackets that are part of a name, when there is such a name."""
        literal = asked.tree.glob.replace("[", "[[]")
        if literal == asked.tree.glob:
            return ""
        try:
            there = self._list(evolve(asked.tree, glob=literal), asked.call, limit=1, timeout_s=_HINT_S)
        except BadGlob:
            return ""
        written = asked.arguments.pattern.replace("[", "[[]")
        return f"; where [ is part of a name, send {wording.quoted(written)}" if there.paths else ""

    def _refuse_directory(self, arguments: GlobArgs, call: Call) -> None:
        """Say what to send instead of a directory's name."""
        directory, rest = globs.split_glob(f"{arguments.pattern}/")
        if rest.strip("./") or arguments.pattern.endswith("/"):
            return
        try:
            place = self.files.locate(_placed(arguments, directory))
            tree = Tree(place=place, hidden=True, ignored=True)
            inside = () if place.outside_roots else self._list(tree, call, limit=1, timeout_s=_HINT_S).paths
        except (FileProblem, PlaceMissing):
            return
        if not place.outside_roots and inside != ("",):
            shown = wording.quoted(arguments.pattern)
            raise ToolFailure(
                f"[glob: {shown} is a directory, and glob lists files; "
                f"send {wording.quoted(f'{arguments.pattern}/**')} for those in it]"
            )


@frozen
class _Asked:
    """One question to the engine, and whose it is."""

    arguments: GlobArgs
    searched: Searched
    tree: Tree
    call: Call


def _rooted(arguments: GlobArgs) -> tuple[str, str]:
    """
    Split a pattern into the directory that it spells out and the rest.

    Returns:
        A path, and a pattern to hold against what is below it.
    """
    pattern = arguments.pattern
    if not pattern:
        raise ArgumentsRefused("[glob: pattern is empty; send ** for all files]")
    begins, rest = globs.split_glob(f"{pattern}/" if pattern.endswith("..") else pattern)
    if ".." in rest.split("/"):
        raise ArgumentsRefused(
            f"[glob: {wording.quoted(pattern)} goes up after a wildcard; "
            "send the directory as path, and a pattern without ..]"
        )
    return (_placed(arguments, begins), rest) if begins else (arguments.path, pattern)


def _placed(arguments: GlobArgs, directory: str) -> str:
    """Return the path of a directory that a pattern begins with."""
    if directory.startswith("/"):
        return directory
    if arguments.pattern.startswith("~/"):
        return f"{directory}/"
    return search_answers.joined(arguments.path or ".", directory)


def _cut(listed: Listed, fitted: Fitted) -> list[str]:
    """Say how many files are shown, when there are more."""
    shown, known = len(fitted.lines), len(listed.paths)
    notes = [f"[… {fitted.cut:,} characters of this path are left out]"] if fitted.cut else []
    if shown == known and listed.ended is not Ended.LIMIT:
        return notes
    total = f" of {known:,}" if listed.ended is Ended.ALL else ""
    more = "" if total else ", there are more"
    first = f"first {shown:,}{total} files are" if shown > 1 else f"first{total} is"
    return [*notes, f"[… the {first} shown{more}; narrow path or pattern]"]
