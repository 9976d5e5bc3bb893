"""
What every `Files` must hold, checked against one that you bring.

    def test_my_files() -> None:
        files.check_files(lambda: contextlib.nullcontext(MyFiles()))

Each law takes a function that opens a new, empty place every time, and raises `AssertionError` with the
counterexample, or lets out what the adapter raised. Needs hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from mmtools.ports.files import (
    BadPath,
    Changed,
    IsDirectory,
    Missing,
    OutsideRoots,
    ParentNotDirectory,
    Place,
    Replaced,
    Snapshot,
)
from mmtools.testing.conformance.acts import fails, hold
from mmtools.testing.conformance.files_steps import Make, read, write
from mmtools.testing.conformance.files_under_load import (
    agrees_with_a_dictionary,
    loses_no_update_between_threads,
    survives_kills,
)

__all__ = [
    "LAWS",
    "Make",
    "agrees_with_a_dictionary",
    "check_files",
    "creates_only_what_is_missing",
    "gives_back_every_byte",
    "keeps_look_alike_names_apart",
    "lists_the_names_beside",
    "loses_no_update_between_threads",
    "reads_in_pieces",
    "refuses_foreign_places",
    "refuses_impossible_paths",
    "refuses_ways_out",
    "replaces_only_what_was_read",
    "stamps_prove_only_what_is_so",
    "survives_kills",
    "tells_directories_from_files",
    "understands_detours",
]

#: Contents that a text mode, a C string or a clever reader would change.
_CONTENTS: tuple[bytes, ...] = (
    b"",
    b"\n",
    b"\0",
    b"no end of line",
    b"\xef\xbb\xbfbom\r\nand\rreturns\n\r",
    b"\xff\xfeu\0t\0f\0",
    b"\x1a\x04\xff",
    bytes(range(256)) * 257,
    b"x" * 3_000_000,
)

#: Names that differ for us, though not for every eye, shell, pattern or fold.
_LOOK_ALIKES: tuple[str, ...] = (
    "in put.txt", "in\u00a0put.txt", "in\u202fput.txt", "in\u200bput.txt", "in  put.txt", "in put.txt ", " in put.txt",
    "in\nput.txt", "in\tput.txt", "in\\put.txt", "in_put.txt", "in\u2010put.txt", "in-put.txt", "-in put.txt",
    "[a]", "[b]", "{a,b}", "?", "*", "**", "$HOME", "~", "~root", "a~", "%41", "'", '"', "#", "a (deleted)", "a",
    "...", ".a",
)  # fmt: skip

_IMPOSSIBLE: tuple[str, ...] = ("", "\0", "a\0b", "/\0", "\ud800", "a\udcff", "\udfff/a", "x" * 300, "new/" + "é" * 200)


def check_files(make: Make) -> None:
    """Hold an adapter to all laws, and tell every one that it breaks."""
    hold([partial(law, make) for law in LAWS])


def gives_back_every_byte(make: Make) -> None:
    """Require that bytes come back as they were sent, for a new file and for one that was there."""
    with make() as files:
        for number, content in enumerate(_CONTENTS):
            for path in ("same", f"new/{number}"):
                write(files, path, content)
                assert read(files, path) == content, f"{path} came back changed: {content[:40]!r}…"


def reads_in_pieces(make: Make) -> None:
    """Require that the pieces of a file make up its whole, and that each is as long as was asked for or less."""
    with make() as files:
        content = bytes(range(256)) * 41
        place = write(files, "pieces", content)
        for size in (1000, 4096, len(content), len(content) + 1):
            with files.open(place) as reader:
                assert reader.size == len(content), f"the size was told as {reader.size}, not {len(content)}"
                pieces = list(iter(lambda: reader.read(size), b""))  # noqa: B023 - used up within this turn
            assert b"".join(pieces) == content, f"pieces of {size} do not make up the file"
            assert max(map(len, pieces)) <= size, f"a piece of {max(map(len, pieces))} bytes came for {size}"
        fails(Missing, files.open(files.locate("nothing")).__enter__)


def keeps_look_alike_names_apart(make: Make) -> None:
    """Require that each name is taken as it is spelled: never folded, trimmed, expanded or used as a pattern."""
    with make() as files:
        for name in _LOOK_ALIKES:
            place = files.locate(name)
            before = files.snapshot(place)
            assert before.data is None, f"{name!r} led to the file {before.data!r}"
            files.replace(before, name.encode())
        for name in _LOOK_ALIKES:
            assert read(files, f"./{name}") == name.encode(), f"./{name!r} led to another file"
        beside = files.names_beside(files.locate("a"))
        assert beside == tuple(sorted(_LOOK_ALIKES)), "not the names that were made"


def understands_detours(make: Make) -> None:
    """Require that `.`, `..`, doubled slashes and absolute forms lead to one file, and that `locate` says so."""
    with make() as files:
        place = write(files, "a/x", b"1")
        other = write(files, "b/y", b"2")
        for path in ("./a/x", "a/../a/x", "a//x", "b/../a/./x", "new/../a/x", place.path, files.absolute("a/x")):
            found = files.locate(path)
            assert found.path == place.path, f"{path} leads to {found.path}"
            assert found.requested == path, f"{path} was asked for, and {found.requested} is told"
            assert not found.outside_roots, f"{path} is taken to be outside"
            assert files.snapshot(found).data == b"1", f"{path} leads to another file"
        assert files.locate("a/../b/y").path == other.path, "a/../b/y leads to another file than b/y"
        assert files.absolute("a/../b/y").startswith("/"), f"no absolute path: {files.absolute('a/../b/y')}"


def refuses_impossible_paths(make: Make) -> None:
    """Require `BadPath`, with a reason, for what no file can be called; a path of a directory is one of these."""
    with make() as files:
        write(files, "file", b"")
        for path in (*_IMPOSSIBLE, "new/", "new/.", "file/", "file/.", "x/" * 3000 + "x"):
            problem = fails(BadPath, files.locate, path)
            assert problem.place.requested == path, f"the problem names {problem.place.requested!r:.80}"
            assert problem.reason, f"{path[:40]!r} is refused without a reason"
            files.absolute(path)


def refuses_ways_out(make: Make) -> None:
    """Require that a path that leads out is refused, or marked for a person to see; a name that starts alike is out."""
    with make() as files:
        write(files, "a/x", b"")
        root = files.locate(".").path
        for path in (
            "../x",
            "..",
            "a/../../x",
            "/",
            f"{root}-evil/x",
            f"{root}/../x",
            f"../{root.rpartition('/')[2]}x",
        ):
            try:
                place = files.locate(path)
            except OutsideRoots as problem:
                place = problem.place
            else:
                assert place.outside_roots, f"{path} is taken to be inside: {place.path}"
            assert place.path == files.absolute(path), "where it leads is not told"
            beside = files.names_beside(Place(path, place.path, place.outside_roots))
            assert beside == (), f"names outside are told: {beside[:5]}"


def refuses_foreign_places(make: Make) -> None:
    """Require that a place that `locate` would not give is not used, whoever made it up."""
    with make() as files:
        root = files.locate(".").path
        place = Place("x", f"{root}-evil/x")
        for snapshot in (Snapshot(place=place, data=None), Snapshot(place=place, data=b"")):
            fails(OutsideRoots, files.replace, snapshot, b"1")
        fails(OutsideRoots, files.snapshot, place)
        fails(OutsideRoots, files.open(place).__enter__)


def tells_directories_from_files(make: Make) -> None:
    """Require that a directory is not read, and that nothing is below a file."""
    with make() as files:
        write(files, "d/f", b"1")
        for path in ("d", "d/", "d/.", ".", "./", "d/..", "new/.."):
            place = files.locate(path)
            fails(IsDirectory, files.snapshot, place)
            fails(IsDirectory, files.open(place).__enter__)
        for path in ("d/f/x", "d/f/x/y"):
            place = files.locate(path)
            problem = fails(ParentNotDirectory, files.snapshot, place)
            assert problem.reason == files.locate("d/f").path, f"the file in the way is not told: {problem.reason}"
            before = Snapshot(place=place, data=None)
            fails(ParentNotDirectory, files.replace, before, b"2")
        assert read(files, "d/f") == b"1", "d/f came back changed"


def creates_only_what_is_missing(make: Make) -> None:
    """Require that a new file replaces nothing: neither a file nor a directory that came meanwhile."""
    with make() as files:
        for path, taken in (("f", "f"), ("d", "d/f"), ("new/er/f", "new/er/f")):
            before = files.snapshot(files.locate(path))
            assert before.data is None, f"{path} is there before it was made"
            write(files, taken, b"other")
            fails(Changed, files.replace, before, b"mine")
            assert read(files, taken) == b"other", f"{taken} was replaced by what was meant to be new"


def replaces_only_what_was_read(make: Make) -> None:
    """Require that bytes that are no longer there are not replaced, however alike the two files look."""
    with make() as files:
        for other in (b"two", b"one\n", b"", b"one" * 100_000):
            place = write(files, "f", b"one")
            stale = files.snapshot(place)
            files.replace(stale, other)
            fails(Changed, files.replace, stale, b"lost")
            assert files.snapshot(place).data == other, "a stale snapshot replaced what came meanwhile"
        stale = files.snapshot(place)
        files.replace(stale, b"there and")
        replaced = files.replace(files.snapshot(place), stale.data or b"")
        assert replaced == Replaced(), f"a plain replacement ended as {replaced}"
        files.replace(stale, b"back again: the bytes count")
        gone = Snapshot(place=files.locate("nothing"), data=b"")
        fails(Changed, files.replace, gone, b"1")


def stamps_prove_only_what_is_so(make: Make) -> None:
    """
    Require that a stamp, where there is one, is that of the bytes that were read, and that none proves a file unchanged
    that was changed.
    """
    with make() as files:
        earlier: list[Snapshot] = []
        for content in (b"1", b"2", b"22", b"1", b""):
            place = write(files, "f", content)
            with files.open(place) as reader:
                opened = reader.stamp
            now = files.snapshot(place)
            assert (opened is None) == (now.stamp is None), "a stamp is given by one of `open` and `snapshot` only"
            if opened is None or now.stamp is None:
                continue
            assert now.stamp.size == opened.size == len(content), "not the size of what was read"
            assert (now.stamp.ctime_ns, now.stamp.inode) == (opened.ctime_ns, opened.inode), "two stamps of one state"
            for before in earlier:
                assert before.stamp is not None, "some snapshots have a stamp, and some have none"
                assert before.data == content or not before.stamp.proves(now.stamp), (
                    f"the stamp of {before.data!r} proves that it is still there, and there is {content!r}"
                )
            earlier.append(now)
        assert files.snapshot(files.locate("nothing")).stamp is None, "a file that is not there has a stamp"


def lists_the_names_beside(make: Make) -> None:
    """Require the names in the same directory, sorted and at most 1,000, whether or not the file is there."""
    with make() as files:
        for path in ("d/b", "d/a", "d/c/x", "e"):
            write(files, path, b"")
        for path in ("d/a", "d/nothing"):
            beside = files.names_beside(files.locate(path))
            assert beside == ("a", "b", "c"), f"beside {path} are told: {beside}"
        for path in ("new/nothing", "e/nothing"):
            beside = files.names_beside(files.locate(path))
            assert beside == (), f"beside {path}, which has no directory, are told: {beside}"
        for number in range(1001):
            write(files, f"many/{number:04}", b"")
        many = len(files.names_beside(files.locate("many/x")))
        assert many == 1000, f"{many} names are told, not 1000"


#: All that hold in any process, the most dangerous to break first.
LAWS: tuple[Callable[[Make], None], ...] = (
    gives_back_every_byte,
    replaces_only_what_was_read,
    creates_only_what_is_missing,
    loses_no_update_between_threads,
    refuses_ways_out,
    refuses_foreign_places,
    keeps_look_alike_names_apart,
    stamps_prove_only_what_is_so,
    agrees_with_a_dictionary,
    reads_in_pieces,
    understands_detours,
    refuses_impossible_paths,
    tells_directories_from_files,
    lists_the_names_beside,
)
