"""A search for one call: its place, its looks at what is there, and the shape of its answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from attrs import evolve, frozen

from mmtools.call import GrantScope, Headline, Location, Proposal, ReadPreview, Report, Status
from mmtools.core import globs, paths, search_answers
from mmtools.errors import ArgumentsRefused, Cancelled, ToolFailure
from mmtools.ports.files import FileProblem, Files, Missing, Place
from mmtools.ports.search import (
    BadGlob,
    BadPattern,
    Ended,
    Found,
    Listed,
    Pattern,
    PlaceMissing,
    Search,
    SearchProblem,
    Tree,
)
from mmtools.tool import Call
from mmtools.tools.operations import allowed_files
from mmtools.tools.operations.session_files import problem_text, refuse_denied
from mmtools.tools.wording import phrases
from mmtools.tools.wording import search as wording
from mmtools.tools.wording.search import SearchTerms

__all__ = ["MAX_HINTED", "FileSearch", "TreeSearch", "Where", "refuse_unsendable"]

#: How many finds a second look counts, to say what an empty answer passed over.
MAX_HINTED = 50
#: Files of a tree that are looked at to count those that are denied.
_MAX_COUNTED = 50_000
#: The time of a second look.
_HINT_S = 5.0

#: A name in a glob that begins with a dot, written out.
_HIDDEN = re.compile(r"(?:^|[/{,])\\?\.(?!\.?(?:/|$))")


@frozen(kw_only=True)
class Where:
    """
    The files to search, as a model says it.

    Args:
        path: A directory or a file; empty for the working directory.
        glob: Only files whose path below it matches; empty for all.
        hidden: Hidden and ignored files too.
    """

    path: str = ""
    glob: str = ""
    hidden: bool = False


@frozen(kw_only=True)
class FileSearch:
    """
    The files of a session, and the engine that searches them.

    Args:
        max_output: Characters of what is found; notes about what is missing come on top.
        timeout_s: After which a search ends with what it has (20 s: semantics 3.6).
    """

    files: Files
    engine: Search
    max_output: int = 30_000
    timeout_s: float = 20.0

    def headline(self, sought: str, path: str) -> Headline:
        """Announce a call: what is looked for, and where unless that is the working directory."""
        place = "" if path in ("", ".") else f" in {path}"
        return Headline(text=f"{sought}{place}", locations=(Location(self.files.absolute(path or ".")),))

    def below(self, where: Where, call: Call, terms: SearchTerms) -> TreeSearch:
        """
        Find the place to search; a person is asked when it lies outside the roots.

        Raises:
            ToolFailure: It cannot be, or lies outside, or an absolute glob leads out of it.
            PermissionRefused, Cancelled: As `approve` does.
        """
        try:
            place = self.files.locate(where.path or ".")
        except FileProblem as problem:
            raise ToolFailure(problem_text(problem, self.files, call, writer=None)) from problem
        refuse_denied(call, place, self.files, refusal=_refusal(terms.tool))
        if place.outside_roots:
            call.approve(_outside(place, terms.tool))
        base = paths.relative(place.path, [self.files.absolute(".")])
        place, base, glob = self._narrowed(place, base, where.glob, terms)
        refuse_denied(call, place, self.files, refusal=_refusal(terms.tool))
        tree = Tree(place=place, glob=glob, hidden=where.hidden or bool(_HIDDEN.search(glob)), ignored=where.hidden)
        return TreeSearch(within=self, tree=tree, base=base, call=call, terms=terms)

    def _narrowed(self, place: Place, base: str, glob: str, terms: SearchTerms) -> tuple[Place, str, str]:
        """Search only where an absolute glob begins."""
        if ".." not in glob.split("/"):
            if not glob.startswith(("/", "~/")):
                return place, base, glob
            begins, rest = globs.split_glob(glob)
            path = self.files.absolute(f"{begins}/")
            if paths.contains(place.path, path):
                base = search_answers.joined(base, path[len(place.path) :].strip("/"))
                return evolve(place, requested=begins, path=path), base, rest
        raise ArgumentsRefused(
            f"[{terms.tool}: the glob {wording.quoted(glob)} is held against paths below {wording.place(base)}; "
            "send one relative to it, and a path for where to search]"
        )


@frozen(kw_only=True)
class TreeSearch:
    """
    The search of one tree.

    Args:
        base: The place as a model sees it: relative to the working directory, else absolute.
    """

    within: FileSearch
    tree: Tree
    base: str
    call: Call
    terms: SearchTerms

    def grep(self, pattern: Pattern, *, skip: int = 0, limit: int) -> Found:
        """Find the lines that match, in files that are not denied; `skip` and `limit` are the port's."""
        if self.call.denied is None:
            return self._grep(pattern, skip=skip, limit=limit)
        return allowed_files.page_of_matches(
            lambda most: self._grep(pattern, skip=0, limit=most), self._is_allowed, skip=skip, limit=limit
        )

    def _grep(self, pattern: Pattern, *, skip: int, limit: int) -> Found:
        found = self.within.engine.grep(
            self.tree,
            pattern,
            skip=skip,
            limit=limit,
            timeout_s=self.within.timeout_s,
            cancellation=self.call.cancellation,
        )
        self._stop_if_cancelled(found.ended)
        return found

    def files(self, *, limit: int) -> Listed:
        """List the files that are not denied; `limit` is the port's."""
        if self.call.denied is None:
            return self._files(limit)
        return allowed_files.page_of_files(self._files, self._is_allowed, limit=limit)

    def left_out(self) -> list[str]:
        """
        Say how many files of the tree are denied, if any.

        All are counted, whatever they hold: a count that depended on it would tell what is in them.
        """
        if self.call.denied is None:
            return []
        listed = self._files(_MAX_COUNTED)
        count = sum(not self._is_allowed(path) for path in listed.paths)
        return phrases.left_out(count, self.terms.tool, more=listed.ended is not Ended.ALL)

    def _is_allowed(self, relative: str) -> bool:
        """Whether a found file is not denied, by its real path or as it was reached."""
        place, denied = self.tree.place, self.call.denied
        requested = self.within.files.absolute(place.requested)
        names = [search_answers.joined(base, relative) for base in (place.path, requested)]
        return denied is None or denied(names) is None

    def _files(self, limit: int) -> Listed:
        listed = self.within.engine.files(
            self.tree, limit=limit, timeout_s=self.within.timeout_s, cancellation=self.call.cancellation
        )
        self._stop_if_cancelled(listed.ended)
        return listed

    def briefly(self, tree: Tree) -> TreeSearch:
        """Search another tree, for a short while."""
        return evolve(self, within=evolve(self.within, timeout_s=_HINT_S), tree=tree)

    def everywhere(self) -> TreeSearch:
        """Search hidden and ignored files too, where nobody looked, for a short while."""
        return self.briefly(evolve(self.tree, hidden=True, ignored=True))

    def path(self, relative: str) -> str:
        """Return a found path as a tool takes it."""
        return search_answers.joined(self.base, relative)

    @contextmanager
    def problems_told(self, *, pattern: str = "", glob: str = "") -> Iterator[None]:
        """
        Turn a `SearchProblem` into what a model reads.

        Args:
            pattern, glob: As they were sent.
        """
        try:
            yield
        except PlaceMissing as problem:
            raise ToolFailure(self._missing()) from problem
        except SearchProblem as problem:
            failure = ArgumentsRefused if isinstance(problem, BadPattern | BadGlob) else ToolFailure
            raise failure(wording.not_searched(problem, self.terms.tool, pattern=pattern, glob=glob)) from problem

    def told(self, lines: Sequence[str], cut: Sequence[str], found: Found | Listed, notes: Sequence[str] = ()) -> str:
        """
        Show what was found, and say what is missing.

        Args:
            cut: Says what does not fit.
            notes: Stand before what could not be read.
        """
        late = []
        if found.ended is Ended.TIME:
            advice = wording.narrow(self.terms)
            late = [f"[… stopped after {self.within.timeout_s:g} s: what was found until then; {advice}]"]
        self.call.report(Report(truncated=bool(cut or late)))
        paths = found.paths if isinstance(found, Listed) else [match.path for match in found.matches]
        odd = wording.not_utf8([self.path(path) for path in paths])
        return "\n".join(
            [*lines, *cut, *late, *notes, *odd, *wording.unreadable(found.unreadable, self.base), *self.left_out()]
        )

    def told_nothing(self, what: str, found: Found | Listed, *hints: str) -> str:
        """
        Say that nothing was found, and what that does not mean.

        Args:
            what: As a clause without its place: "no files match …".
            hints: Stand behind the place.
        """
        words = f"[{what} in {wording.place(self.base)}{''.join(hints)}]"
        return "\n".join([words, *wording.unreadable(found.unreadable, self.base), *self.left_out()])

    def told_too_late(self, advice: str) -> str:
        """Say that nothing was found before the time was over."""
        self.call.report(Report(status=Status.TIMED_OUT, truncated=True))
        words = f"[error: {self.within.timeout_s:g}s timeout exceeded; nothing was found until then: {advice}]"
        return "\n".join([words, *self.left_out()])

    def _stop_if_cancelled(self, ended: Ended) -> None:
        if ended is Ended.CANCELLED:
            raise Cancelled(f"[{self.terms.tool} was cancelled]")

    def _missing(self) -> str:
        """Say why there is nothing to search, as the files tell it."""
        place, files = self.tree.place, self.within.files
        try:
            with files.open(place):
                raise Missing(place)
        except FileProblem as problem:
            return problem_text(problem, files, self.call, writer=None)


def refuse_unsendable(tool: str, texts: Mapping[str, str]) -> None:
    """
    Refuse what no engine can be asked for.

    Args:
        texts: By the wire names of their arguments.

    Raises:
        ArgumentsRefused: A text holds a NUL or half a character.
    """
    for name, text in texts.items():
        if "\0" in text:
            raise ArgumentsRefused(
                f"[{tool}: character {text.index(chr(0)) + 1} of {name} is a NUL; a pattern may say \\x00 instead]"
            )
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise ArgumentsRefused(
                f"[{tool}: character {error.start + 1} of {name} is half of a surrogate pair; send the whole character]"
            ) from error


def _refusal(tool: str) -> str:
    return f"[{tool} rejected by the user]"


def _outside(place: Place, tool: str) -> Proposal:
    return Proposal(
        title=f"search outside the working directory: {place.path}",
        preview=ReadPreview(place.path),
        scope=GrantScope(f"search:{place.path}", f"searching {place.path} and all below it"),
        refusal=_refusal(tool),
        paths=(place.path,),
    )
