"""The lines of files that match a regular expression: found, shown with their places, or said not to be there."""

from __future__ import annotations

from attrs import frozen

from mmtools.core import search_answers
from mmtools.errors import ArgumentsRefused, ToolFailure
from mmtools.ports.search import Ended, Found, Match, Pattern
from mmtools.tool import Call
from mmtools.tools.operations.file_search import MAX_HINTED, FileSearch, TreeSearch, Where, refuse_unsendable
from mmtools.tools.wording import search as wording
from mmtools.tools.wording.search import SearchTerms

__all__ = ["TextQuery", "search_text"]

#: Matches counted to say how far an offset is past the last one.
_MAX_COUNTED = 10_000


@frozen(kw_only=True)
class TextQuery:
    """
    What to look for.

    Args:
        pattern: Held against each line.
        skip: Matches passed over, in order.
        limit: Matches in one answer; at least 1.
    """

    pattern: Pattern
    where: Where
    limit: int
    skip: int = 0


def search_text(search: FileSearch, query: TextQuery, call: Call, terms: SearchTerms) -> str:
    """
    Show the lines that match, each with its place.

    Asks:
        Only for a place outside the roots, where the host leaves that to a person.

    Fails:
        No such place; a pattern or a glob that cannot be read; nothing found in time; an offset past the last match.
        That nothing matches is an answer.
    """
    _refuse_unsearchable(query, terms)
    below = search.below(query.where, call, terms)
    with below.problems_told(pattern=query.pattern.regex, glob=query.where.glob):
        found = below.grep(query.pattern, skip=query.skip, limit=query.limit)
        return _shown(found, query, below) if found.matches or found.binary else _nothing(found, query, below)


def _refuse_unsearchable(query: TextQuery, terms: SearchTerms) -> None:
    regex = query.pattern.regex
    refuse_unsendable(terms.tool, {terms.pattern: regex, terms.glob: query.where.glob})
    if not regex:
        raise ArgumentsRefused(
            f"[{terms.tool}: {terms.pattern} is empty, which every line matches; "
            "send what to look for, or read a file to see it all]"
        )
    if "\n" in regex:
        raise ArgumentsRefused(
            f"[{terms.tool}: {terms.pattern} holds a line break, but lines are searched one by one; "
            "send what stands on one line]"
        )


def _shown(found: Found, query: TextQuery, search: TreeSearch) -> str:
    fitted = search_answers.fit([_line(match, search) for match in found.matches], search.within.max_output)
    cut = wording.matches_cut(found, fitted, query.skip, search.terms)
    return search.told(fitted.lines, cut, found, wording.binary(found.binary, search.base))


def _line(match: Match, search: TreeSearch) -> str:
    return search_answers.match_line(
        search.path(match.path), match.line, match.text, before=match.before, after=match.after
    )


def _nothing(found: Found, query: TextQuery, search: TreeSearch) -> str:
    terms, glob = search.terms, query.where.glob
    if found.ended is Ended.TIME:
        return search.told_too_late(f"narrow {terms.path} or {terms.glob}, or send a simpler {terms.pattern}")
    if query.skip:
        counted = search.grep(query.pattern, limit=min(query.skip, _MAX_COUNTED))
        if counted.matches:
            raise ToolFailure("\n".join([_past(counted, query.skip, terms), *search.left_out()]))
    what = f"no matches for {wording.quoted(query.pattern.regex)}"
    only = f", in files that match {wording.quoted(glob)}" if glob else ""
    return search.told_nothing(what, found, only, _passed_over(query, search))


def _past(counted: Found, skip: int, terms: SearchTerms) -> str:
    count = len(counted.matches)
    total = f"more than {count}" if counted.ended is Ended.LIMIT else f"{count}"
    return (
        f"[{terms.tool}: {terms.offset}={skip} is past the last match ({total} {'match' if count == 1 else 'matches'})]"
    )


def _passed_over(query: TextQuery, search: TreeSearch) -> str:
    """Say what is where nobody looked, or that there was nothing to look at."""
    everywhere = search.everywhere()
    hint = "; hidden and ignored files were searched too"
    if everywhere.tree != search.tree:
        hidden = everywhere.grep(query.pattern, limit=MAX_HINTED)
        places = [search.path(path) for path in (*(match.path for match in hidden.matches), *hidden.binary)]
        hint = wording.passed_over("match", places, hidden.ended, search.terms)
        if places or hidden.ended is not Ended.ALL:
            return hint
    listed = everywhere.files(limit=1)
    if listed.paths == ("",):
        return ""
    if not listed.paths and listed.ended is Ended.ALL:
        return wording.no_files(search.tree.glob, query.where.path)
    return hint
