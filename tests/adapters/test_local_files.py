"""Files of a real disk: where paths lead, and what is opened."""

from __future__ import annotations

import os
import socket
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mmtools.adapters.local_files import MAX_SNAPSHOT_BYTES, LocalFiles
from mmtools.ports.files import (
    AccessDenied,
    BadPath,
    Changed,
    FileProblem,
    IsDirectory,
    NotRegularFile,
    OutsideRoots,
    Place,
    Snapshot,
    TooLarge,
)
from mmtools.testing.strategies import hostile_paths, paths
from tests.adapters.circumstances import (
    attempt,
    fails,
    names,
    read,
    replace,
)
from tests.patience import PATIENCE_S


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with neighbours: a sibling whose name starts alike, and files beside it."""
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws-evil").mkdir()
    (tmp_path / "ws-evil/k").write_bytes(b"secret")
    (tmp_path / "k").write_bytes(b"secret")
    return tmp_path / "ws"


@pytest.fixture
def files(root: Path) -> LocalFiles:
    return LocalFiles(root)


# Roots


def test_a_root_must_be_a_directory_that_exists(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileNotFoundError):
        LocalFiles(tmp_path / "none")
    with pytest.raises(NotADirectoryError):
        LocalFiles(tmp_path / "file")
    with pytest.raises(FileNotFoundError):
        LocalFiles(tmp_path, extra_roots=[tmp_path / "none"])


def test_a_root_may_be_reached_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    files = LocalFiles(tmp_path / "link")
    replace(files, "f", b"1")
    assert (tmp_path / "real/f").read_bytes() == b"1"
    for path in (tmp_path / "link/f", tmp_path / "real/f"):
        assert files.locate(str(path)).path == str(tmp_path / "real/f")


def test_the_whole_disk_may_be_the_root(tmp_path: Path) -> None:
    files = LocalFiles("/")
    replace(files, str(tmp_path / "f"), b"1")
    assert read(files, f"{tmp_path}/f".lstrip("/")) == b"1"
    fails(IsDirectory, files.snapshot, files.locate("/"))


def test_extra_roots_are_for_absolute_paths(root: Path, tmp_path: Path) -> None:
    (tmp_path / "extra").mkdir()
    files = LocalFiles(root, extra_roots=[tmp_path / "extra"])
    for path in (str(tmp_path / "extra/f"), "../extra/f"):
        replace(files, path, path.encode())
        assert (tmp_path / "extra/f").read_bytes() == path.encode()
    fails(OutsideRoots, files.locate, "../k")


def test_home_is_only_a_leading_tilde_and_slash(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(root / "home"))
    files = LocalFiles(root)
    replace(files, "~/f", b"at home")
    assert (root / "home/f").read_bytes() == b"at home"
    for literal in ("~", "a~b", "~root", "x/~/f", "./~/f"):
        assert files.locate(literal).path == os.path.normpath(root / literal)
    fails(OutsideRoots, files.locate, "~/../../k")


# Where paths lead


WAYS_OUT = [
    "../k",
    "../ws-evil/k",
    "a/../../k",
    "a/../../ws-evil/k",
    "none/../../k",
    "out/k",
    "out/none",
    "out/none/none",
    "out/../k",
    "in/../../k",
    "deep/a/b/../../../../k",
    "deep/up/up/k",
    "to_k",
    "dangling_out",
    "dangling_out/x",
    "dangling_dir/new",
    "absolute",
    "chain",
    "/etc/passwd",
    "/",
    "..",
]


@pytest.fixture
def linked(root: Path) -> Path:
    """A root from which links lead in and out."""
    (root / "a").mkdir()
    (root / "a/x").write_bytes(b"inside")
    (root / "deep/a/b").mkdir(parents=True)
    for name, target in {
        "in": "a",
        "out": "../ws-evil",
        "to_k": "../k",
        "to_x": "a/x",
        "dangling_out": "../none",
        "dangling_dir": "../none/dir",
        "dangling_in": "a/none",
        "absolute": "/etc/passwd",
        "chain": "deep/link",
        "deep/link": "../out/k",
        "deep/up": "a/../..",
        "up": "..",
    }.items():
        (root / name).symlink_to(target)
    return root


@pytest.mark.parametrize("path", WAYS_OUT)
def test_a_way_out_is_refused_naming_where_it_leads(linked: Path, path: str) -> None:
    problem = fails(OutsideRoots, LocalFiles(linked).locate, path)
    assert problem.place.path == os.path.realpath(linked / path)
    assert problem.place.requested == path
    assert problem.place.outside_roots


@pytest.mark.parametrize("path", [path for path in WAYS_OUT if path not in ("/", "..", "absolute", "/etc/passwd")])
def test_a_way_out_may_be_left_to_a_person(linked: Path, path: str) -> None:
    files = LocalFiles(linked, outside="ask")
    place = files.locate(path)
    assert place.outside_roots
    assert place.path == os.path.realpath(linked / path)
    if files.snapshot(place).data is not None:
        with files.open(place) as reader:
            assert reader.read(99) == b"secret"
    replace(files, path, b"allowed")
    assert Path(place.path).read_bytes() == b"allowed"
    assert files.names_beside(place) == ()


def test_a_place_outside_must_have_been_marked(linked: Path) -> None:
    outside = str(linked.parent / "k")
    for files, marked in ((LocalFiles(linked), True), (LocalFiles(linked, outside="ask"), False)):
        place = Place("k", outside, marked)
        fails(OutsideRoots, files.snapshot, place)
        fails(OutsideRoots, files.replace, Snapshot(place=place, data=b"secret"), b"")
    assert Path(outside).read_bytes() == b"secret"


@pytest.mark.parametrize(
    "path", ["a/x", "a/../a/x", "in/x", "to_x", "in/../a/x", "deep/../in/x", "none/../a/x", "./a//x"]
)
def test_a_way_in_is_found(linked: Path, path: str) -> None:
    files = LocalFiles(linked)
    assert files.locate(path) == Place(path, str(linked / "a/x"))
    assert read(files, path) == b"inside"
    replace(files, path, b"new")
    assert (linked / "a/x").read_bytes() == b"new"


def test_a_link_is_written_through_and_stays(linked: Path) -> None:
    files = LocalFiles(linked)
    for path, target in (("to_x", "a/x"), ("dangling_in", "a/none")):
        replace(files, path, b"through")
        assert os.readlink(linked / path) == target
        assert (linked / target).read_bytes() == b"through"
        assert not (linked / target).is_symlink()


NAMES = st.sampled_from(["a", "x", "in", "out", "to_x", "deep", "up", "chain", "dangling_in", "none", "..", ".", ""])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(names=st.lists(NAMES, max_size=7))
def test_no_path_leads_out(linked: Path, names: list[str]) -> None:
    path = "/".join(names) or "."
    real = os.path.realpath(os.path.join(linked, path))
    inside = os.path.commonpath([real, linked]) == str(linked)
    match attempt(LocalFiles(linked).locate, path):
        case OutsideRoots(place=place):
            assert not inside
        case BadPath(place=place):
            assert inside
            assert not os.path.isdir(real)
        case Place() as place:
            assert inside
    assert place.path == real


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(path=paths() | hostile_paths())
def test_a_name_is_never_a_pattern_and_a_hostile_path_never_leads_out(root: Path, path: str) -> None:
    files = LocalFiles(root)
    files.absolute(path)
    problem = attempt(replace, files, path, b"written")
    if isinstance(problem, FileProblem):
        assert problem.place.requested == path
    else:
        wanted = os.path.join(root, path)
        assert Path(wanted).read_bytes() == b"written"
        assert os.path.realpath(wanted).startswith(f"{root}/")
        os.unlink(wanted)
    assert (root.parent / "k").read_bytes() == b"secret"


def test_names_that_only_look_alike_are_different_files(files: LocalFiles, root: Path) -> None:
    alike = ["é", "e\u0301", "\u212b", "\xc5", "A", "a", "ﬁ", "fi", "in put", "in\u00a0put", "in\u202fput"]
    for name in alike:
        assert read(files, name) is None
        replace(files, name, name.encode())
    assert {name: (root / name).read_bytes() for name in alike} == {name: name.encode() for name in alike}
    assert files.names_beside(files.locate("a")) == tuple(sorted(alike))


def test_a_loop_of_links_is_no_path(root: Path, files: LocalFiles) -> None:
    (root / "loop").symlink_to("loop")
    (root / "one").symlink_to("two/x")
    (root / "two").symlink_to("one/x")
    for path in ("loop", "loop/x", "one", "two/y", "none/../loop/x"):
        assert "loop" in fails(BadPath, files.locate, path).reason


# A link put on the path after it was located


@pytest.fixture
def swapped(root: Path, files: LocalFiles) -> Iterator[Callable[[], tuple[Place, Snapshot]]]:
    """Locate a file of the root, then put a link to the outside in its directory's place."""

    def swap() -> tuple[Place, Snapshot]:
        place = files.locate("d/k")
        before = files.snapshot(place)
        if (root / "d").exists():
            (root / "d").rename(root / "moved")
        (root / "d").symlink_to("../ws-evil")
        return place, before

    yield swap
    assert (root.parent / "ws-evil/k").read_bytes() == b"secret"
    assert names(root.parent / "ws-evil") == ["k"]


def test_nothing_is_read_through_it(
    root: Path, files: LocalFiles, swapped: Callable[[], tuple[Place, Snapshot]]
) -> None:
    replace(files, "d/k", b"inside")
    place, _ = swapped()
    fails(Changed, files.snapshot, place)
    fails(Changed, files.open(place).__enter__)
    assert files.names_beside(place) == ()


@pytest.mark.parametrize("data", [b"inside", b"secret"])
def test_nothing_is_replaced_through_it(
    files: LocalFiles, swapped: Callable[[], tuple[Place, Snapshot]], data: bytes
) -> None:
    replace(files, "d/k", data)
    _, before = swapped()
    fails(Changed, files.replace, before, b"written")


def test_nothing_is_made_through_it(
    root: Path, files: LocalFiles, swapped: Callable[[], tuple[Place, Snapshot]]
) -> None:
    (root / "d").mkdir()
    _, before = swapped()
    fails(Changed, files.replace, before, b"written")
    (root / "d").unlink()
    place = files.locate("d/new/k")
    (root / "d").symlink_to("../ws-evil")
    fails(Changed, files.replace, Snapshot(place=place, data=None), b"written")


def test_a_link_in_the_files_own_place_is_not_followed(root: Path, files: LocalFiles) -> None:
    replace(files, "f", b"secret")
    before = files.snapshot(files.locate("f"))
    (root / "f").unlink()
    (root / "f").symlink_to("../k")
    fails(Changed, files.replace, before, b"written")
    fails(Changed, files.snapshot, before.place)
    new = Snapshot(place=before.place, data=None)
    fails(Changed, files.replace, new, b"written")
    assert (root.parent / "k").read_bytes() == b"secret"
    assert (root / "f").is_symlink()


# What is not a regular file


@pytest.fixture
def specials(root: Path) -> Iterator[dict[str, str]]:
    os.mkfifo(root / "pipe")
    (root / "to_pipe").symlink_to("pipe")
    server = socket.socket(socket.AF_UNIX)
    with tempfile.TemporaryDirectory() as short, server:
        server.bind(f"{short}/s")
        os.rename(f"{short}/s", root / "socket")
        yield {
            "pipe": "named pipe",
            "to_pipe": "named pipe",
            "socket": "socket",
            "/dev/zero": "character device",
            "/dev/null": "character device",
            "/dev/full": "character device",
        }


def test_special_files_are_refused_at_once(root: Path, specials: dict[str, str]) -> None:
    files = LocalFiles(root, outside="ask")
    begun = time.monotonic()
    for path, kind in specials.items():
        place = files.locate(path)
        there = Snapshot(place=place, data=b"")
        assert fails(NotRegularFile, files.snapshot, place).reason == kind
        assert fails(NotRegularFile, files.open(place).__enter__).reason == kind
        assert fails(NotRegularFile, files.replace, there, b"x").reason == kind
        fails(Changed, files.replace, Snapshot(place=place, data=None), b"x")
    assert time.monotonic() - begun < PATIENCE_S
    assert stat.S_ISFIFO((root / "pipe").stat().st_mode)
    assert "regular" not in names(root)


def test_the_kernels_files_are_read_to_their_end_though_they_have_no_size(root: Path) -> None:
    files = LocalFiles(root, outside="ask")
    place = files.locate("/proc/self/status") if sys.platform == "linux" else files.locate("/etc/hosts")
    data = files.snapshot(place).data
    assert data
    assert data.endswith(b"\n")


def test_a_file_too_large_to_hold_is_not_loaded(root: Path, files: LocalFiles) -> None:
    with open(root / "huge", "wb") as stream:
        stream.truncate(MAX_SNAPSHOT_BYTES + 1)
        stream.seek(MAX_SNAPSHOT_BYTES - 5)
        stream.write(b"ending")
    place = files.locate("huge")
    problem = fails(TooLarge, files.snapshot, place)
    assert str(MAX_SNAPSHOT_BYTES) in problem.reason
    assert str(MAX_SNAPSHOT_BYTES + 1) in problem.reason
    with files.open(place) as reader:
        assert reader.size == MAX_SNAPSHOT_BYTES + 1
        assert reader.read(10) == b"\0" * 10


def test_reading_beyond_what_the_medium_gives_is_a_problem_of_the_port(files: LocalFiles) -> None:
    replace(files, "f", b"1")
    with files.open(files.locate("f")) as reader:
        pass
    fails(AccessDenied, reader.read, 1)
