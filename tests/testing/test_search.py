"""The search in memory keeps the laws of the real ones, and the laws find the one that breaks them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from mmtools.call import Cancellation
from mmtools.ports.files import Place
from mmtools.ports.search import (
    BadPattern,
    Ended,
    EngineFailed,
    Found,
    Listed,
    Match,
    Pattern,
    RegexDialect,
    Search,
    Tree,
    Unreadable,
)
from mmtools.testing.conformance import search as conformance
from mmtools.testing.conformance.search import Make
from mmtools.testing.search import MemorySearch


@pytest.mark.parametrize("law", conformance.LAWS, ids=lambda law: law.__name__)
def test_it_keeps_the_laws(law: Callable[[Make], None]) -> None:
    def make(files: Mapping[str, bytes]) -> tuple[Search, Place]:
        search = MemorySearch(files)
        return search, search.place()

    law(make)


class Broken(MemorySearch):
    """A search that breaks one thing on the way in or out."""

    def __init__(self, files: Mapping[str, bytes], **breaks: Callable[[Any], Any]) -> None:
        super().__init__(files)
        self.breaks = breaks

    def _broken(self, name: str, value: Any) -> Any:
        return self.breaks.get(name, lambda value: value)(value)

    def grep(self, tree: Tree, pattern: Pattern, *, skip: int = 0, limit: int, **rest: Any) -> Found:
        tree, pattern = self._broken("tree", tree), self._broken("pattern", pattern)
        skip, limit = self._broken("skip", skip), self._broken("limit", limit)
        try:
            return self._broken("found", super().grep(tree, pattern, skip=skip, limit=limit, **rest))  # type: ignore[no-any-return]
        except BadPattern:
            if "quiet" in self.breaks:
                return Found()
            raise

    def files(self, tree: Tree, *, limit: int, **rest: Any) -> Listed:
        listed = super().files(self._broken("tree", tree), limit=self._broken("limit", limit), **rest)
        return self._broken("listed", listed)  # type: ignore[no-any-return]


def each_match(change: Callable[[Match], Match]) -> Callable[[Found], Found]:
    return lambda found: evolve(found, matches=tuple(map(change, found.matches)))


@pytest.mark.parametrize(
    ("law", "breaks"),
    [
        ("finds_each_line_once_in_order", {"found": lambda found: evolve(found, matches=found.matches[::-1])}),
        ("finds_each_line_once_in_order", {"found": each_match(lambda match: evolve(match, line=match.line - 1))}),
        ("finds_each_line_once_in_order", {"pattern": lambda pattern: evolve(pattern, ignore_case=True)}),
        ("skips_hidden_and_ignored_unless_asked", {"tree": lambda tree: evolve(tree, hidden=True)}),
        ("skips_hidden_and_ignored_unless_asked", {"tree": lambda tree: evolve(tree, ignored=False)}),
        ("searches_a_named_file_whatever_it_is", {"found": each_match(lambda match: evolve(match, path="x"))}),
        ("narrows_by_a_glob_and_never_widens", {"tree": lambda tree: evolve(tree, glob="")}),
        ("narrows_by_a_glob_and_never_widens", {"tree": lambda tree: evolve(tree, ignored=bool(tree.glob))}),
        ("cuts_at_the_limit_and_goes_on", {"skip": lambda skip: 0}),
        ("cuts_at_the_limit_and_goes_on", {"limit": lambda limit: limit + 1}),
        ("cuts_at_the_limit_and_goes_on", {"found": lambda found: evolve(found, ended=Ended.ALL)}),
        ("lists_files_in_order", {"listed": lambda listed: evolve(listed, paths=tuple(sorted(listed.paths)))}),
        ("tells_files_that_are_no_text", {"found": lambda found: evolve(found, binary=())}),
        ("reads_what_editors_write", {"found": each_match(lambda match: evolve(match, text=match.text + "\r"))}),
        ("cuts_long_lines_around_their_match", {"found": each_match(lambda match: evolve(match, after=0))}),
        ("cuts_long_lines_around_their_match", {"found": each_match(lambda match: evolve(match, text=match.text[1:]))}),
        (
            "keeps_odd_names",
            {"found": each_match(lambda match: evolve(match, path=match.path.partition("\n")[0]))},
        ),
        (
            "asks_nothing_of_a_pattern_but_its_meaning",
            {"found": lambda found: evolve(found, matches=found.matches[1:])},
        ),
        ("refuses_what_it_cannot_read", {"quiet": lambda value: value}),
        ("stops_when_told", {"found": lambda found: evolve(found, ended=Ended.ALL)}),
    ],
)
def test_the_laws_find_what_breaks_them(law: str, breaks: dict[str, Callable[[Any], Any]]) -> None:
    def make(files: Mapping[str, bytes]) -> tuple[Search, Place]:
        search = Broken(files, **breaks)
        return search, search.place()

    with pytest.raises(AssertionError):
        getattr(conformance, law)(make)


def search(memory: MemorySearch, path: str = "", **options: Any) -> tuple[Found, Listed]:
    tree = Tree(place=memory.place(path), **options)
    found = memory.grep(tree, Pattern(regex="hit"), limit=9, timeout_s=1, cancellation=Cancellation())
    return found, memory.files(tree, limit=9, timeout_s=1, cancellation=Cancellation())


def test_it_reads_a_directory(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b").write_bytes(b"hit\r\n")
    (tmp_path / "link").symlink_to("a/b")
    memory = MemorySearch.of_directory(tmp_path)
    assert search(memory) == (Found(matches=(Match(path="a/b", line=1, text="hit"),)), Listed(paths=("a/b",)))
    assert memory.place("a").path == str(tmp_path.resolve() / "a")
    assert memory.dialect is RegexDialect.PYTHON


def test_it_plays_what_a_tree_may_do() -> None:
    files = {
        "a/b": b"hit",
        "c": b"hit",
        "d/.gitignore": b"# no\n\n/x\ny/\n",
        "d/x": b"hit",
        "d/y/z": b"hit",
        "d/z/x": b"hit",
    }
    memory = MemorySearch(files, unreadable={"a": "Permission denied", "d/z/x": "No"})
    found, listed = search(memory)
    assert [match.path for match in found.matches] == ["c"]
    assert found.unreadable == listed.unreadable == (Unreadable("a", "Permission denied"), Unreadable("d/z/x", "No"))
    assert search(memory, "d", ignored=True)[0].unreadable == (Unreadable("z/x", "No"),)
    assert [match.path for match in search(memory, "d", ignored=True)[0].matches] == ["x", "y/z"]
    assert [tree.place.requested for tree in memory.calls] == [".", ".", "d", "d", "d", "d"]
    assert search(MemorySearch(files, ended=Ended.TIME))[0].ended is Ended.TIME
    with pytest.raises(EngineFailed, match="broken"):
        search(MemorySearch(files, problem=EngineFailed("broken")))
