"""The files whose path matches a glob: listed, or said not to be there."""

from __future__ import annotations

from attrs import evolve

from mmtools.core import globs, search_answers
from mmtools.errors import ArgumentsRefused, ToolFailure
from mmtools.ports.files import FileProblem, Files, IsDirectory
from mmtools.ports.search import BadGlob, Ended, Listed, PlaceMissing
from mmtools.tool import Call
from mmtools.tools.operations.file_search import MAX_HINTED, FileSearch, TreeSearch, Where, refuse_unsendable
from mmtools.tools.operations.session_files import denial
from mmtools.tools.wording import search as wording
from mmtools.tools.wording.search import SearchTerms

__all__ = ["list_files"]


def list_files(search: FileSearch, where: Where, call: Call, terms: SearchTerms, *, limit: int) -> str:
    """
    List the files whose path matches, sorted, each once.

    Args:
        where: Its glob is the pattern that is asked for.
        limit: Paths in one answer; at least 1.

    Asks:
        Only for a place outside the roots, where the host leaves that to a person.

    Fails:
        No such directory; a pattern that cannot be read, is empty, or names a directory; nothing found in time.
        That nothing matches is an answer.
    """
    refuse_unsendable(terms.tool, {terms.pattern: where.glob})
    rooted = _rooted(where, terms)
    if "/" in where.glob:
        _refuse_directory(where, search.files, call, terms.tool)
    below = search.below(rooted, call, terms)
    with below.problems_told(glob=where.glob):
        try:
            listed = below.files(limit=limit)
            return _shown(listed, below) if listed.paths else _nothing(listed, where, below)
        except PlaceMissing:
            if rooted.path == where.path:
                raise
            hint = wording.repeated_base(where.path, where.glob)
            missing = search_answers.quoted(rooted.path)
            return f"[no files match {wording.quoted(where.glob)}: {missing} does not exist{hint}]"


def _rooted(where: Where, terms: SearchTerms) -> Where:
    """Move the directory that a pattern spells out from the pattern to the path."""
    pattern = where.glob
    if not pattern:
        raise ArgumentsRefused(f"[{terms.tool}: {terms.pattern} is empty; send ** for all files]")
    begins, rest = globs.split_glob(f"{pattern}/" if pattern.endswith("..") else pattern)
    if ".." in rest.split("/"):
        raise ArgumentsRefused(
            f"[{terms.tool}: {wording.quoted(pattern)} goes up after a wildcard; "
            f"send the directory as {terms.path}, and a {terms.pattern} without ..]"
        )
    return evolve(where, path=_placed(where, begins), glob=rest) if begins else where


def _placed(where: Where, directory: str) -> str:
    """Return the path of a directory that a pattern begins with."""
    if directory.startswith("/"):
        return directory
    if where.glob.startswith("~/"):
        return f"{directory}/"
    return search_answers.joined(where.path or ".", directory)


def _refuse_directory(where: Where, files: Files, call: Call, tool: str) -> None:
    """Say what to send instead of a directory's name."""
    directory, rest = globs.split_glob(f"{where.glob}/")
    if rest.strip("./") or where.glob.endswith("/"):
        return
    try:
        place = files.locate(_placed(where, directory))
        if not place.outside_roots and denial(call, place, files) is None:
            with files.open(place):
                return
    except IsDirectory as problem:
        raise ToolFailure(
            f"[{tool}: {wording.quoted(where.glob)} is a directory, and {tool} lists files; "
            f"send {wording.quoted(f'{where.glob}/**')} for those in it]"
        ) from problem
    except FileProblem:
        return


def _shown(listed: Listed, search: TreeSearch) -> str:
    terms = search.terms
    if listed.paths == ("",):
        raise ToolFailure(
            f"[{terms.tool}: {wording.place(search.base)} is a file, not a directory; "
            f"send the directory it is in as {terms.path}, and its name as {terms.pattern}]"
        )
    lines = [search_answers.quoted(search.path(path)) for path in listed.paths]
    fitted = search_answers.fit(lines, search.within.max_output)
    return search.told(fitted.lines, wording.files_cut(listed, fitted, terms), listed)


def _nothing(listed: Listed, where: Where, search: TreeSearch) -> str:
    if listed.ended is Ended.TIME:
        return search.told_too_late(wording.narrow(search.terms))
    _refuse_directory(where, search.within.files, search.call, search.terms.tool)
    what = f"no files match {wording.quoted(where.glob)}"
    return search.told_nothing(what, listed, _passed_over(search), _brackets(where, search))


def _passed_over(search: TreeSearch) -> str:
    """Say what is where nobody looked."""
    everywhere = search.everywhere()
    if everywhere.tree == search.tree:
        return "; hidden and ignored files were listed too"
    hidden = everywhere.files(limit=MAX_HINTED)
    return wording.passed_over("file", [search.path(path) for path in hidden.paths], hidden.ended, search.terms)


def _brackets(where: Where, search: TreeSearch) -> str:
    """Say how to write brackets that are part of a name, when there is such a name."""
    literal = search.tree.glob.replace("[", "[[]")
    if literal == search.tree.glob:
        return ""
    try:
        there = search.briefly(evolve(search.tree, glob=literal)).files(limit=1)
    except BadGlob:
        return ""
    return f"; where [ is part of a name, send {wording.quoted(where.glob.replace('[', '[[]'))}" if there.paths else ""
