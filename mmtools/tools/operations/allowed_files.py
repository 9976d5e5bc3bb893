"""One page of a search that leaves denied files out, as if they were not there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from attrs import evolve

from mmtools.ports.search import Ended, Found, Listed

__all__ = ["page_of_files", "page_of_matches"]

FoundT = TypeVar("FoundT", Found, Listed)

#: Whether a relative path is not denied.
IsAllowed: TypeAlias = Callable[[str], bool]

#: How much more is asked for where denied files took the places of a page.
_GROWTH = 4


def page_of_matches(fetch: Callable[[int], Found], is_allowed: IsAllowed, *, skip: int, limit: int) -> Found:
    """
    Find the matches of a page in allowed files.

    Args:
        fetch: Gets how many matches to find at most, from the first one on.
        skip: Allowed matches passed over.
        limit: Allowed matches at most.
    """

    def filtered(found: Found) -> Found:
        verdicts = {match.path: is_allowed(match.path) for match in found.matches}
        return evolve(
            found,
            matches=tuple(match for match in found.matches if verdicts[match.path]),
            binary=tuple(filter(is_allowed, found.binary)),
            unreadable=tuple(each for each in found.unreadable if is_allowed(each.path)),
        )

    last = skip + limit
    found = _enough(fetch, filtered, lambda found: len(found.matches), last)
    if len(found.matches) <= last:
        return evolve(found, matches=found.matches[skip:])
    page = found.matches[skip:last]
    end = _order(page[-1].path)
    return evolve(
        found,
        matches=page,
        binary=tuple(path for path in found.binary if _order(path) <= end),
        unreadable=tuple(each for each in found.unreadable if _order(each.path) <= end),
        ended=Ended.LIMIT,
    )


def page_of_files(fetch: Callable[[int], Listed], is_allowed: IsAllowed, *, limit: int) -> Listed:
    """
    List the first allowed files.

    Args:
        fetch: Gets how many paths to list at most.
        limit: Allowed paths at most.
    """

    def filtered(listed: Listed) -> Listed:
        return evolve(
            listed,
            paths=tuple(filter(is_allowed, listed.paths)),
            unreadable=tuple(each for each in listed.unreadable if is_allowed(each.path)),
        )

    listed = _enough(fetch, filtered, lambda listed: len(listed.paths), limit)
    if len(listed.paths) <= limit:
        return listed
    end = _order(listed.paths[limit - 1])
    return evolve(
        listed,
        paths=listed.paths[:limit],
        unreadable=tuple(each for each in listed.unreadable if _order(each.path) <= end),
        ended=Ended.LIMIT,
    )


def _enough(
    fetch: Callable[[int], FoundT], filtered: Callable[[FoundT], FoundT], count: Callable[[FoundT], int], wanted: int
) -> FoundT:
    """Ask for more and more, until one more than wanted is allowed or the search ended by itself."""
    most = wanted + 1
    while True:
        found = fetch(most)
        kept = filtered(found)
        if count(kept) > wanted or found.ended is not Ended.LIMIT:
            return kept
        most *= _GROWTH


def _order(path: str) -> list[bytes]:
    """Return what paths are sorted by: their names, each by its bytes."""
    return [name.encode("utf-8", "surrogateescape") for name in path.split("/")]
