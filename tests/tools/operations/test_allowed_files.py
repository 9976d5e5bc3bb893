"""A page of a search without its denied files, held against a search in which they never were."""

from __future__ import annotations

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from mmtools.ports.search import Ended, Found, Listed, Match
from mmtools.tools.operations.allowed_files import page_of_files, page_of_matches

NAMES = st.lists(st.sampled_from([f"{folder}{name}" for folder in ("", "a/", "b/") for name in "uvwxyz"]), unique=True)
ALLOWED = st.sets(st.sampled_from("uvwxyz"))


def listed(paths: list[str], most: int) -> Listed:
    cut = len(paths) > most
    return Listed(paths=tuple(paths[:most]), ended=Ended.LIMIT if cut else Ended.ALL)


def found(paths: list[str], most: int) -> Found:
    matches = tuple(Match(path=path, line=1, text="hit") for path in paths)
    return Found(matches=matches[:most], ended=Ended.LIMIT if len(matches) > most else Ended.ALL)


@given(NAMES, ALLOWED, st.integers(1, 20))
def test_a_list_is_that_of_a_tree_without_the_denied_files(paths: list[str], allowed: set[str], limit: int) -> None:
    paths.sort(key=lambda path: path.split("/"))
    rest = [path for path in paths if path[-1] in allowed]
    page = page_of_files(lambda most: listed(paths, most), lambda path: path[-1] in allowed, limit=limit)
    assert page.paths == listed(rest, limit).paths
    assert (page.ended is Ended.LIMIT) == (len(rest) > limit)


@given(NAMES, ALLOWED, st.integers(0, 10), st.integers(1, 20))
def test_a_page_is_that_of_a_tree_without_the_denied_files(
    paths: list[str], allowed: set[str], skip: int, limit: int
) -> None:
    paths.sort(key=lambda path: path.split("/"))
    rest = [path for path in paths if path[-1] in allowed]
    page = page_of_matches(lambda most: found(paths, most), lambda path: path[-1] in allowed, skip=skip, limit=limit)
    whole = found(rest, len(rest))
    assert page.matches == evolve(whole, matches=whole.matches[skip : skip + limit]).matches
    assert (page.ended is Ended.LIMIT) == (len(rest) > skip + limit)
