"""The laws of `Files` hold for ours, and find the adapter that breaks them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext

import pytest
from attrs import evolve

from mmtools.adapters.local_files import LocalFiles
from mmtools.core.stamps import Stamp
from mmtools.ports.files import (
    BadPath,
    Changed,
    FileProblem,
    Files,
    IsDirectory,
    OutsideRoots,
    ParentNotDirectory,
    Place,
    Reader,
    Replaced,
    Snapshot,
)
from mmtools.testing.conformance import files as suite
from mmtools.testing.files import MemoryFiles


@contextmanager
def on_disk() -> Iterator[Files]:
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/root")
        yield LocalFiles(f"{folder}/root")


@contextmanager
def on_disk_asking() -> Iterator[Files]:
    with tempfile.TemporaryDirectory() as folder:
        yield LocalFiles(folder, outside="ask")


def in_memory() -> nullcontext[Files]:
    return nullcontext(MemoryFiles())


def in_memory_asking() -> nullcontext[Files]:
    return nullcontext(MemoryFiles(outside="ask"))


class Forgetful(MemoryFiles):
    """Files that forget: whatever is there is replaced."""

    def replace(self, before: Snapshot, data: bytes) -> Replaced:
        now = super().snapshot(before.place)
        # Others come between.
        time.sleep(0.0005)
        while True:
            try:
                return super().replace(now, data)
            except Changed:
                now = super().snapshot(before.place)


class ComparesSizes(MemoryFiles):
    def replace(self, before: Snapshot, data: bytes) -> Replaced:
        now = super().snapshot(before.place)
        same = now.data is not None and before.data is not None and len(now.data) == len(before.data)
        return super().replace(now if same else before, data)


class Creates(MemoryFiles):
    """Files that see no difference between a new file and one that came meanwhile."""

    def replace(self, before: Snapshot, data: bytes) -> Replaced:
        return super().replace(self.snapshot(before.place) if before.data is None else before, data)


class TextMode(MemoryFiles):
    def replace(self, before: Snapshot, data: bytes) -> Replaced:
        return super().replace(before, data.replace(b"\r\n", b"\n"))


class StopsAtNul(MemoryFiles):
    def snapshot(self, place: Place) -> Snapshot:
        found = super().snapshot(place)
        return evolve(found, data=None if found.data is None else found.data.partition(b"\0")[0])


class Trims(MemoryFiles):
    def locate(self, path: str) -> Place:
        return evolve(super().locate(path.strip() or path), requested=path)


class Folds(MemoryFiles):
    def locate(self, path: str) -> Place:
        return evolve(super().locate(path.replace("\u00a0", " ")), requested=path)


class ExpandsTildes(MemoryFiles):
    def locate(self, path: str) -> Place:
        return evolve(super().locate(path.replace("~root", "root")), requested=path)


class TakesLetters(MemoryFiles):
    """Files that leave `..` and doubled slashes in the path."""

    def locate(self, path: str) -> Place:
        return evolve(super().locate(path), path=path if path.startswith("/") else f"{self.root}/{path}")


class Shortens(MemoryFiles):
    def locate(self, path: str) -> Place:
        return evolve(super().locate(path), requested=path.removeprefix("./"))


class TakesAnything(MemoryFiles):
    def locate(self, path: str) -> Place:
        try:
            return super().locate(path)
        except BadPath as problem:
            return evolve(problem.place, path=self.absolute(path))


class ComparesLetters(MemoryFiles):
    """Files that take what starts like the root for inside."""

    def locate(self, path: str) -> Place:
        try:
            return super().locate(path)
        except OutsideRoots as problem:
            if problem.place.path.startswith(self.root):
                return evolve(problem.place, outside_roots=False)
            raise


class Trusting(MemoryFiles):
    def snapshot(self, place: Place) -> Snapshot:
        try:
            return super().snapshot(place)
        except OutsideRoots:
            return Snapshot(place=place, data=None)


class MissesDirectories(MemoryFiles):
    def snapshot(self, place: Place) -> Snapshot:
        try:
            return super().snapshot(place)
        except (IsDirectory, ParentNotDirectory):
            return Snapshot(place=place, data=None)


class WholeAtOnce(MemoryFiles):
    @contextmanager
    def open(self, place: Place) -> Iterator[Reader]:
        with super().open(place) as reader:
            yield Greedy(reader)


class Greedy:
    def __init__(self, reader: Reader) -> None:
        self.size = reader.size
        self.stamp = reader.stamp
        self.read_all = reader.read

    def read(self, max_bytes: int, /) -> bytes:
        return self.read_all(self.size)


class ListsEverything(MemoryFiles):
    def names_beside(self, place: Place) -> tuple[str, ...]:
        return tuple(sorted(self.contents))


class StandsStill(MemoryFiles):
    """A medium that promises to tell changes and does not."""

    def snapshot(self, place: Place) -> Snapshot:
        found = super().snapshot(place)
        return found if found.stamp is None else evolve(found, stamp=still(found.stamp))

    @contextmanager
    def open(self, place: Place) -> Iterator[Reader]:
        with super().open(place) as reader:
            greedy = Greedy(reader)
            greedy.stamp = None if reader.stamp is None else still(reader.stamp)
            yield greedy


def still(stamp: Stamp) -> Stamp:
    return stamp._replace(mtime_ns=0, ctime_ns=0)


class StampsSnapshotsOnly(WholeAtOnce):
    @contextmanager
    def open(self, place: Place) -> Iterator[Reader]:
        with super().open(place) as reader:
            greedy = Greedy(reader)
            greedy.stamp = None
            yield greedy


class StampsNothing(MemoryFiles):
    """A medium without times: that is allowed."""

    def snapshot(self, place: Place) -> Snapshot:
        return evolve(super().snapshot(place), stamp=None)

    @contextmanager
    def open(self, place: Place) -> Iterator[Reader]:
        with super().open(place) as reader:
            greedy = Greedy(reader)
            greedy.stamp = None
            yield greedy


def test_a_medium_needs_no_stamps() -> None:
    suite.stamps_prove_only_what_is_so(lambda: nullcontext(StampsNothing()))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("law", "kind"),
    [
        (suite.gives_back_every_byte, TextMode),
        (suite.gives_back_every_byte, StopsAtNul),
        (suite.reads_in_pieces, WholeAtOnce),
        (suite.keeps_look_alike_names_apart, Trims),
        (suite.keeps_look_alike_names_apart, Folds),
        (suite.keeps_look_alike_names_apart, ExpandsTildes),
        (suite.understands_detours, TakesLetters),
        (suite.understands_detours, Shortens),
        (suite.refuses_impossible_paths, TakesAnything),
        (suite.refuses_ways_out, ComparesLetters),
        (suite.refuses_foreign_places, Trusting),
        (suite.tells_directories_from_files, MissesDirectories),
        (suite.creates_only_what_is_missing, Creates),
        (suite.creates_only_what_is_missing, Forgetful),
        (suite.replaces_only_what_was_read, Forgetful),
        (suite.replaces_only_what_was_read, ComparesSizes),
        (suite.stamps_prove_only_what_is_so, StandsStill),
        (suite.stamps_prove_only_what_is_so, StampsSnapshotsOnly),
        (suite.lists_the_names_beside, ListsEverything),
        (suite.loses_no_update_between_threads, Forgetful),
        (suite.agrees_with_a_dictionary, Forgetful),
        (suite.agrees_with_a_dictionary, TextMode),
    ],
)
def test_each_law_finds_who_breaks_it(law: Callable[[suite.Make], None], kind: type[MemoryFiles]) -> None:
    with pytest.raises((AssertionError, FileProblem)):
        law(lambda: nullcontext(kind()))


KILLS = """
import contextlib, os, tempfile
from mmtools.adapters.local_files import LocalFiles
from mmtools.testing.conformance import files

class Careless(LocalFiles):
    def replace(self, before, data):
        if before.data is None:
            return super().replace(before, data)
        with open(before.place.path, "wb") as stream:
            for start in range(0, len(data), 4096):
                stream.write(data[start : start + 4096])

@contextlib.contextmanager
def make():
    with tempfile.TemporaryDirectory() as folder:
        yield {kind}(folder)

files.survives_kills(make)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "complaint"), [("LocalFiles", ""), ("Careless", "neither the old 2000000 nor the new")]
)
def test_kills_are_survived_or_the_bytes_left_are_told(kind: str, complaint: str) -> None:
    command = [sys.executable, "-c", KILLS.replace("{kind}", kind)]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert (ended.returncode != 0) == bool(complaint)
    assert complaint in ended.stderr


def test_the_whole_suite_finds_them_too() -> None:
    with pytest.raises(AssertionError, match=r"came back changed: b'\\xef\\xbb\\xbfbom"):
        suite.check_files(lambda: nullcontext(TextMode()))


@pytest.mark.parametrize("make", [on_disk, in_memory])
@pytest.mark.parametrize("law", suite.LAWS)
def test_our_files_keep_every_law(law: Callable[[suite.Make], None], make: suite.Make) -> None:
    law(make)


@pytest.mark.parametrize("make", [on_disk_asking, in_memory_asking])
@pytest.mark.parametrize("law", [suite.refuses_ways_out, suite.refuses_foreign_places, suite.understands_detours])
def test_files_that_leave_ways_out_to_a_person_keep_them_too(
    law: Callable[[suite.Make], None], make: suite.Make
) -> None:
    law(make)
