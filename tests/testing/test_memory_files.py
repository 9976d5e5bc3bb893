"""Files in memory do what files on disk do, where both can."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.local_files import LocalFiles
from mmtools.ports.files import (
    AccessDenied,
    Changed,
    FileProblem,
    Files,
    Locked,
    NotRegularFile,
    OutsideRoots,
    Place,
    Replaced,
    Snapshot,
)
from mmtools.testing.files import MemoryFiles

SPELLINGS = st.one_of(
    st.sampled_from(
        ["a", "a/b", "a/b/c", "b", "./b", "d/../b", "a/../b", "b/../a", "a//b", ".", "..", "../x", "a/", "b/."]
    ),
    st.lists(st.sampled_from(["a", "b", "..", ".", "", "~"]), max_size=5).map("/".join),
    st.sampled_from(["~/x", "/x", "/", "", "\0", "\udcff", "x" * 256, "x" * 255, "é" * 128, "n/" + "x" * 256]),
)
STEPS = st.one_of(
    st.tuples(st.just("look"), SPELLINGS, st.just(b"")),
    st.tuples(st.just("replace"), SPELLINGS, st.binary(max_size=2)),
    st.tuples(st.just("replace stale"), SPELLINGS, st.binary(max_size=2)),
    st.tuples(st.just("list"), SPELLINGS, st.just(b"")),
)


def step(files: Files, root: str, action: str, path: str, data: bytes, stale: dict[str, Snapshot]) -> object:
    """Do one thing and tell how it ended, without the root's own name."""
    try:
        place = files.locate(path)
        beside = files.names_beside(place)
        before = files.snapshot(place)
        if action == "replace stale":
            before = stale.setdefault(path, before)
        elif action == "look":
            stale[path] = before
        if action.startswith("replace"):
            files.replace(before, data)
        return action, inner(place, root), beside, files.snapshot(place).data
    except FileProblem as problem:
        return type(problem), inner(problem.place, root), problem.reason.replace(root, "")


def inner(place: Place, root: str) -> tuple[str, str, bool]:
    return place.requested, place.path.removeprefix(root) if place.path.startswith(root) else "out", place.outside_roots


@given(steps=st.lists(STEPS, max_size=12), outside=st.sampled_from(["refuse", "ask"]))
def test_any_course_ends_as_on_a_disk(steps: list[tuple[str, str, bytes]], outside: str) -> None:
    asks = outside == "ask"
    with tempfile.TemporaryDirectory() as folder:
        root = str(Path(folder).resolve() / "root")
        Path(root).mkdir()
        local = LocalFiles(root, outside="ask" if asks else "refuse")
        memory = MemoryFiles(root=root, outside="ask" if asks else "refuse")
        stale: tuple[dict[str, Snapshot], dict[str, Snapshot]] = ({}, {})
        for action, path, data in steps:
            if asks and not local.absolute(path).startswith(root):
                continue
            on_disk = step(local, root, action, path, data, stale[0])
            in_memory = step(memory, root, action, path, data, stale[1])
            assert in_memory == on_disk, f"{action} {path!r}"


def test_contents_go_in_and_come_out() -> None:
    files = MemoryFiles({"b": "é\r\n", "d/a": b"\xff", "/repo/c": b"", "/etc/hosts": "out"}, root="/repo")
    assert files.contents == {"/etc/hosts": b"out", "b": "é\r\n".encode(), "c": b"", "d/a": b"\xff"}
    assert list(files.contents) == ["/etc/hosts", "b", "c", "d/a"]


def test_a_change_behind_the_tools_back_is_seen() -> None:
    files = MemoryFiles({"a": b"1"})
    meddlings: tuple[Callable[[], None], ...] = (lambda: files.put("a", b"2"), lambda: files.remove("a"))
    for meddle in meddlings:
        before = files.snapshot(files.locate("a"))
        meddle()
        with pytest.raises(Changed):
            files.replace(before, b"3")
        assert files.snapshot(before.place).data != b"3"


def test_what_lies_outside_is_reached_only_when_asking() -> None:
    with pytest.raises(OutsideRoots):
        MemoryFiles({"/etc/hosts": b"1"}).locate("/etc/hosts")
    files = MemoryFiles({"/etc/hosts": b"1"}, outside="ask")
    before = files.snapshot(files.locate("../etc/hosts"))
    assert before.place == Place("../etc/hosts", "/etc/hosts", outside_roots=True)
    assert files.replace(before, b"2") == Replaced()
    assert files.contents == {"/etc/hosts": b"2"}


@pytest.mark.parametrize("kind", [AccessDenied, NotRegularFile])
def test_reading_fails_as_it_was_told_to(kind: type[FileProblem]) -> None:
    files = MemoryFiles({"a": b"1"})
    files.fail("a", kind, "no such luck", when="read")
    place = files.locate("./a")
    reading: tuple[Callable[[], object], ...] = (
        lambda: files.snapshot(place),
        files.open(place).__enter__,
        lambda: files.replace(Snapshot(place=place, data=b"1"), b"2"),
    )
    for action in reading:
        with pytest.raises(kind, match="no such luck"):
            action()


def test_writing_fails_as_it_was_told_to() -> None:
    files = MemoryFiles({"a": b"1"})
    files.fail("a", Locked, when="written")
    before = files.snapshot(files.locate("a"))
    with pytest.raises(Locked):
        files.replace(before, b"2")
    assert files.contents == {"a": b"1"}


def test_a_touch_gives_a_new_stamp_and_leaves_the_bytes() -> None:
    files = MemoryFiles({"f": "1"})
    place = files.locate("f")
    before, again = files.snapshot(place), files.snapshot(place)
    files.touch("f")
    after = files.snapshot(place)
    assert before.stamp is not None
    assert again.stamp is not None
    assert after.stamp is not None
    assert before.stamp.proves(again.stamp)
    assert not before.stamp.proves(after.stamp)
    assert before == again == after
