"""Answers put together from what engines write."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.search.answers import (
    FilePaths,
    Searched,
    read_tree_glob,
    regex_bytes,
    searched,
    to_found,
    to_listed,
    wanted,
)
from mmtools.adapters.search.engine import Ending
from mmtools.adapters.search.records import GrepRecords
from mmtools.ports.files import Place
from mmtools.ports.search import (
    BadGlob,
    BadPattern,
    Ended,
    EngineFailed,
    Found,
    Listed,
    Match,
    PlaceMissing,
    Tree,
    Unreadable,
)

DIRECTORY = Searched(directory="/", target=".")
ALL = Ending(ended=Ended.ALL, code=0)
NAMES = st.binary(min_size=1, max_size=4).map(lambda name: name.replace(b"\0", b"0").replace(b"/", b"-"))
PATHS = st.lists(NAMES, min_size=1, max_size=3).map(b"/".join)


def records(data: bytes, *, skip: int = 0, limit: int = 100) -> GrepRecords:
    found = GrepRecords(
        skip=skip, limit=limit, wanted=lambda path: True, exists=lambda path: True, is_text=lambda path: True
    )
    found.feed(data)
    return found


@given(paths=st.sets(PATHS, max_size=30), cuts=st.integers(1, 9), limit=st.integers(1, 12), ordered=st.booleans())
def test_paths_are_the_first_in_order_however_they_come(
    paths: set[bytes], cuts: int, limit: int, ordered: bool
) -> None:
    by_names = sorted(paths, key=lambda path: path.split(b"/"))
    coming = by_names if ordered else by_names[::-1]
    data = b"".join(b"./" + path + b"\0" for path in coming)
    found = FilePaths(None, limit, in_order=ordered)
    more = True
    for start in range(0, len(data), cuts):
        more = more and found.feed(data[start : start + cuts])
    ending = ALL if more else Ending(ended=Ended.LIMIT)
    assert more or (ordered and len(paths) > limit)
    assert to_listed(found, ending, DIRECTORY) == Listed(
        paths=tuple(os.fsdecode(path) for path in by_names[:limit]),
        ended=Ended.LIMIT if len(paths) > limit else Ended.ALL,
    )


def test_many_paths_are_not_all_kept() -> None:
    found = FilePaths(None, 5, in_order=False)
    for number in range(30):
        found.feed(b"".join(b"./%d/%d\0" % (99 - number, each) for each in range(1_000)))
    names, more = found.listed()
    assert more
    assert names == [b"70\x000", b"70\x001", b"70\x0010", b"70\x00100", b"70\x00101"]


def test_a_glob_chooses_among_paths_and_records() -> None:
    glob = read_tree_glob(Tree(place=Place(".", "/"), glob="a/*"))
    found = FilePaths(glob, 10, in_order=True)
    found.feed(b"./a/b\0./b\0./a/\xff\0./a/c/d\0")
    assert to_listed(found, ALL, DIRECTORY).paths == ("a/b", "a/\udcff")
    assert wanted(glob)(b"a/\xff")
    assert not wanted(glob)(b"b")
    assert wanted(None)(b"b")
    assert read_tree_glob(Tree(place=Place(".", "/"))) is None
    with pytest.raises(BadGlob, match="not closed"):
        read_tree_glob(Tree(place=Place(".", "/"), glob="{"))


def test_matches_are_sorted_paged_and_cut() -> None:
    data = b"./b\x001\x001\0x\n./a.c\x002\x001\0y\n./a/d\x009\x001\0z\n"
    x, y, z = (
        Match(path="b", line=1, text="x"),
        Match(path="a.c", line=2, text="y"),
        Match(path="a/d", line=9, text="z"),
    )
    assert to_found(records(data), ALL, DIRECTORY, skip=0, limit=3) == Found(matches=(z, y, x))
    assert to_found(records(data), ALL, DIRECTORY, skip=1, limit=1) == Found(matches=(y,), ended=Ended.LIMIT)
    assert to_found(records(data), ALL, DIRECTORY, skip=3, limit=1) == Found()
    in_order = b"./a/d\x009\x001\0z\n./a.c\x002\x001\0y\n./b\x001\x001\0x\n"
    cut = records(in_order, skip=1, limit=1)
    assert to_found(cut, Ending(ended=Ended.LIMIT), DIRECTORY, skip=1, limit=1) == Found(
        matches=(y,), ended=Ended.LIMIT
    )


@pytest.mark.parametrize("ended", [Ended.TIME, Ended.CANCELLED])
def test_what_was_stopped_says_so(ended: Ended) -> None:
    found = to_found(
        records(b"./b\x001\x001\0x\n./a\x001\x001\0y\n./c"), Ending(ended=ended), DIRECTORY, skip=0, limit=1
    )
    assert found == Found(matches=(Match(path="a", line=1, text="y"),), ended=ended)
    paths = FilePaths(None, 5, in_order=False)
    paths.feed(b"./b\0./a\0./c")
    assert to_listed(paths, Ending(ended=ended), DIRECTORY) == Listed(paths=("a", "b"), ended=ended)


def test_a_cut_leaves_out_notes_about_what_comes_later() -> None:
    sentence = b': binary file matches (found "\\0" byte around offset 1)\n'
    data = b"./z" + sentence + b"./b\x001\x001\0x\n./a" + sentence + b"./c\x001\x001\0x\n"
    complaints = b"rg: ./y: No (os error 1)\nrg: ./a/x: No (os error 1)\n"
    ending = Ending(ended=Ended.ALL, code=2, complaints=complaints)
    whole = to_found(records(data), ending, DIRECTORY, skip=0, limit=2)
    assert whole.binary == ("a", "z")
    assert whole.unreadable == (Unreadable("a/x", "No"), Unreadable("y", "No"))
    cut = to_found(records(data), ending, DIRECTORY, skip=0, limit=1)
    assert (cut.binary, cut.unreadable) == (("a",), (Unreadable("a/x", "No"),))
    paths = FilePaths(None, 1, in_order=False)
    paths.feed(b"./b\0./c\0")
    assert to_listed(paths, ending, DIRECTORY).unreadable == (Unreadable("a/x", "No"),)


@pytest.mark.parametrize(
    ("code", "complaints", "problem", "words"),
    [
        (2, b"rg: regex parse error:\nerror: unclosed group\n", BadPattern, "unclosed group"),
        (2, b"rg: unrecognized flag --crlf\n", EngineFailed, "unrecognized flag"),
        (0, b"panic\n", EngineFailed, "panic"),
        (101, b"", EngineFailed, "exit code 101"),
        (-11, b"", EngineFailed, "exit code -11"),
    ],
)
def test_a_breakdown_is_no_empty_answer(code: int, complaints: bytes, problem: type[Exception], words: str) -> None:
    ending = Ending(ended=Ended.ALL, code=code, complaints=complaints)
    with pytest.raises(problem, match=words):
        to_found(records(b""), ending, DIRECTORY, skip=0, limit=1)
    with pytest.raises(problem, match=words):
        to_listed(FilePaths(None, 1, in_order=True), ending, DIRECTORY)


def test_output_that_is_no_list_of_paths_is_a_breakdown() -> None:
    with pytest.raises(EngineFailed, match="unexpected output"):
        FilePaths(None, 1, in_order=True).feed(b"usage: rg\0")


def test_a_place_is_a_directory_or_a_regular_file(tmp_path: Path) -> None:
    (tmp_path / "-f").touch()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "broken").symlink_to("none")
    place = searched(Place("", str(tmp_path / "-f")))
    assert (place.directory, place.target, place.is_file) == (str(tmp_path), "./-f", True)
    assert place.shown(b"-f") == ""
    assert place.exists(b"-f")
    assert place.exists(b"broken")
    assert not place.exists(b"none")
    assert not place.exists(b"a\0b")
    directory = searched(Place("", str(tmp_path)))
    assert (directory.directory, directory.target, directory.is_file) == (str(tmp_path), ".", False)
    assert directory.shown(b"\xff") == "\udcff"
    for path, words in [
        ("none", "No such"),
        ("broken", "No such"),
        ("pipe", "neither"),
        ("-f/x", "Not a dir"),
        ("a\0", "null"),
    ]:
        with pytest.raises(PlaceMissing, match=words):
            searched(Place("", str(tmp_path / path)))


def test_a_file_is_text_as_far_as_there_is_time_to_see(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("x")
    (tmp_path / "other").write_bytes(b"x\0")
    place = searched(Place("", str(tmp_path)))
    in_time, late = place.is_text_until(time.monotonic() + 600), place.is_text_until(0)
    assert [in_time(name) for name in (b"text", b"other", b"none")] == [True, False, True]
    assert late(b"other")


def test_a_pattern_is_a_text() -> None:
    assert regex_bytes("é") == "é".encode()
    assert len(regex_bytes("x" * 65_536)) == 65_536
    for regex in ("a\0", "\udcff", "\ud800", "x" * 65_537, "é" * 32_769):
        with pytest.raises(BadPattern):
            regex_bytes(regex)
