"""Files of a real disk: what stays when something is replaced, and what is left when it is not."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mmtools.adapters.local_files import LocalFiles
from mmtools.ports.files import (
    AccessDenied,
    Changed,
    IsDirectory,
    Locked,
    Missing,
    ParentNotDirectory,
    Replaced,
    Snapshot,
    WriteFailed,
)
from tests.adapters.circumstances import (
    HOLD,
    facts,
    fails,
    file_size_limit,
    leave_behind,
    names,
    plain_user,
    read,
    replace,
    shared_folder,
)


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


# What stays


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mode=st.integers(0, 0o7777), umask=st.sampled_from([0o000, 0o022, 0o077, 0o777]))
def test_the_mode_stays_whatever_it_is(root: Path, mode: int, umask: int) -> None:
    file = root / "f"
    file.write_bytes(b"old")
    file.chmod(mode | 0o600)
    before = os.umask(umask)
    try:
        replace(LocalFiles(root), "f", b"new")
    finally:
        os.umask(before)
    assert (facts(file).data, facts(file).mode) == (b"new", mode | 0o600)
    assert names(root) == ["f"]


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o027, 0o077])
def test_new_files_and_parents_are_as_the_umask_says(root: Path, files: LocalFiles, umask: int) -> None:
    before = os.umask(umask)
    try:
        replace(files, "d/e/new.txt", b"x")
    finally:
        os.umask(before)
    assert facts(root / "d/e/new.txt").mode == 0o666 & ~umask
    assert [stat.S_IMODE((root / name).stat().st_mode) for name in ("d", "d/e")] == [0o777 & ~umask] * 2


@pytest.mark.parametrize("new", [b"", b"n", b"new" * 10_000])
def test_hard_links_stay(root: Path, files: LocalFiles, new: bytes) -> None:
    replace(files, "f", b"old" * 100)
    (root / "f").chmod(0o751)
    (root / "d").mkdir()
    (root / "d/g").hardlink_to(root / "f")
    before = files.snapshot(files.locate("f"))
    assert before.links == 2
    inode = (root / "f").stat().st_ino
    assert files.replace(before, new) == Replaced(in_place=True)
    assert read(files, "d/g") == new
    assert (facts(root / "f").mode, facts(root / "f").inode) == (0o751, inode)
    assert (names(root), names(root / "d")) == (["d", "f"], ["g"])


def test_owner_and_attributes_stay(root: Path, files: LocalFiles) -> None:
    replace(files, "f", b"old")
    owner = (12345, 23456) if os.geteuid() == 0 else (os.geteuid(), os.getgroups()[-1])
    os.chown(root / "f", *owner)
    os.setxattr(root / "f", "user.note", b"kept")
    replace(files, "f", b"new")
    status = (root / "f").stat()
    assert (status.st_uid, status.st_gid) == owner
    assert os.getxattr(root / "f", "user.note") == b"kept"


def test_a_file_whose_owner_cannot_be_kept_is_written_in_place() -> None:
    with shared_folder() as folder:
        (folder / "f").write_bytes(b"old")
        (folder / "f").chmod(0o666)
        owner, inode = (folder / "f").stat().st_uid, (folder / "f").stat().st_ino
        with plain_user():
            replaced = replace(LocalFiles(folder), "f", b"new")
        assert replaced.in_place == (os.geteuid() == 0)
        assert read(LocalFiles(folder), "f") == b"new"
        status = (folder / "f").stat()
        assert status.st_uid == owner
        assert replaced.in_place == (status.st_ino == inode)
        assert names(folder) == ["f"]


def test_a_file_in_a_read_only_directory_is_written_in_place() -> None:
    with shared_folder() as folder, plain_user():
        inner = folder / "inner"
        inner.mkdir()
        (inner / "f").write_bytes(b"old")
        inner.chmod(0o555)
        files = LocalFiles(folder)
        assert replace(files, "inner/f", b"new!") == Replaced(in_place=True)
        assert read(files, "inner/f") == b"new!"
        fails(AccessDenied, replace, files, "inner/new", b"x")
        fails(AccessDenied, replace, files, "inner/d/new", b"x")
        inner.chmod(0o755)
        assert names(inner) == ["f"]


@pytest.mark.parametrize("mode", [0o000, 0o200, 0o444])
def test_what_the_system_denies_is_denied(mode: int) -> None:
    with shared_folder() as folder, plain_user():
        (folder / "f").write_bytes(b"old")
        (folder / "f").chmod(mode)
        files = LocalFiles(folder)
        place = files.locate("f")
        if mode != 0o444:
            fails(AccessDenied, files.snapshot, place)
            fails(AccessDenied, files.open(place).__enter__)
        problem = fails(AccessDenied, files.replace, Snapshot(place=place, data=b"old"), b"new")
        assert problem.reason
        (folder / "f").chmod(0o600)
        assert (folder / "f").read_bytes() == b"old"
        assert names(folder) == ["f"]


def test_what_is_in_a_closed_directory_is_denied() -> None:
    with shared_folder() as folder, plain_user():
        (folder / "d").mkdir()
        (folder / "d/f").write_bytes(b"old")
        (folder / "d").chmod(0)
        files = LocalFiles(folder)
        place = files.locate("d/f")
        fails(AccessDenied, files.snapshot, place)
        fails(AccessDenied, files.replace, Snapshot(place=place, data=b"old"), b"new")
        fails(AccessDenied, files.replace, Snapshot(place=place, data=None), b"new")
        assert files.names_beside(place) == ()
        (folder / "d").chmod(0o700)


# What fails


@pytest.mark.parametrize("limit", [0, 1, 9, 4096, 99_999])
@pytest.mark.parametrize("links", [1, 2])
def test_a_write_that_comes_to_no_end_leaves_the_old_bytes(
    root: Path, files: LocalFiles, limit: int, links: int
) -> None:
    (root / "big.txt").write_bytes(b"precious\n")
    (root / "big.txt").chmod(0o640)
    if links == 2:
        (root / "second").hardlink_to(root / "big.txt")
    before = facts(root / "big.txt")
    beside = names(root)
    snapshot = files.snapshot(files.locate("big.txt"))
    with file_size_limit(limit):
        problem = fails(WriteFailed, files.replace, snapshot, b"y" * 100_000)
    assert problem.reason == "File too large"
    after = facts(root / "big.txt")
    assert (after.data, after.mode, after.inode) == (before.data, before.mode, before.inode)
    assert links == 2 or after == before
    assert names(root) == beside
    assert files.replace(snapshot, b"y" * 100_000) == Replaced(in_place=links == 2)


def test_a_new_file_that_cannot_be_written_leaves_no_parents(root: Path, files: LocalFiles) -> None:
    with file_size_limit(10):
        fails(WriteFailed, replace, files, "d/e/f", b"y" * 100)
    assert names(root) == []


def test_refused_bytes_leave_the_file_as_it_was(root: Path, files: LocalFiles) -> None:
    replace(files, "f", b"old")
    stale = files.snapshot(files.locate("f"))
    (root / "f").write_bytes(b"odd")
    (root / "f").chmod(0o604)
    before = facts(root / "f")
    fails(Changed, files.replace, stale, b"new")
    assert facts(root / "f") == before
    assert names(root) == ["f"]


def test_a_touch_costs_nothing(root: Path, files: LocalFiles) -> None:
    replace(files, "f", b"old")
    before = files.snapshot(files.locate("f"))
    os.utime(root / "f", (1, 1))
    assert files.replace(before, b"new") == Replaced()


def test_a_same_sized_change_within_the_same_instant_is_seen(root: Path, files: LocalFiles) -> None:
    replace(files, "f", b"old")
    before = files.snapshot(files.locate("f"))
    status = (root / "f").stat()
    (root / "f").write_bytes(b"odd")
    os.utime(root / "f", ns=(status.st_atime_ns, status.st_mtime_ns))
    fails(Changed, files.replace, before, b"new")


def test_a_parent_that_became_a_file_is_told(root: Path, files: LocalFiles) -> None:
    place = files.locate("d/e/f")
    before = files.snapshot(place)
    (root / "d").touch()
    assert fails(ParentNotDirectory, files.replace, before, b"1").reason == str(root / "d")
    assert fails(ParentNotDirectory, files.snapshot, place).reason == str(root / "d")


def test_a_directory_removed_meanwhile_is_a_change(root: Path, files: LocalFiles) -> None:
    replace(files, "d/f", b"1")
    before = files.snapshot(files.locate("d/f"))
    (root / "d/f").unlink()
    (root / "d").rmdir()
    fails(Changed, files.replace, before, b"2")
    assert names(root) == []


# Locks


def test_a_file_locked_by_another_program_is_left_alone(root: Path) -> None:
    files = LocalFiles(root, lock_timeout_s=0.1)
    replace(files, "f", b"old")
    snapshot = files.snapshot(files.locate("f"))
    before = facts(root / "f")
    command = [sys.executable, "-c", HOLD, str(root / "f")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        fails(Locked, files.replace, snapshot, b"new")
        assert files.snapshot(snapshot.place).data == b"old"
        assert facts(root / "f") == before
        assert names(root) == ["f"]
        holder.kill()
    assert files.replace(snapshot, b"new") == Replaced()


def test_one_of_two_edits_of_the_same_bytes_is_refused_through_any_spelling(root: Path, files: LocalFiles) -> None:
    lines = [b"%d\n" % number for number in range(1, 101)]
    (root / "link").symlink_to("n.txt")
    for turn in range(25):
        (root / "n.txt").write_bytes(b"".join(lines))
        start = threading.Barrier(2)
        done: list[bytes] = []

        def edit(path: str, old: bytes, new: bytes, start: threading.Barrier = start, done: list[bytes] = done) -> None:
            before = files.snapshot(files.locate(path))
            start.wait(30)
            try:
                files.replace(before, (before.data or b"").replace(old, new))
            except Changed:
                return
            done.append(new)

        paths_of_turn = (("n.txt", "n.txt"), ("n.txt", "./n.txt"), ("link", f"{root}/n.txt"))[turn % 3]
        changes = ((b"\n50\n", b"\nFIFTY\n"), (b"\n75\n", b"\nSEVENTY-FIVE\n"))
        threads = [
            threading.Thread(target=edit, args=(path, *change))
            for path, change in zip(paths_of_turn, changes, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        data = (root / "n.txt").read_bytes()
        assert len(done) == 1
        assert [new for _, new in changes if new in data] == done
        assert data.count(b"\n") == 100


# What is ours


def test_the_next_write_sweeps_what_a_killed_one_left(root: Path, files: LocalFiles) -> None:
    for path, data in (("f", b"1"), ("f", b"2"), ("g", b"1")):
        leave_behind(root)
        time.sleep(0.01)
        replace(files, path, data)
        assert not any("mmtools" in name for name in names(root))


def test_names_of_ours_are_not_listed_and_what_cannot_be_sent_neither(root: Path, files: LocalFiles) -> None:
    replace(files, "f", b"1")
    leave_behind(root)
    (root / "\udcff").touch()
    assert files.names_beside(files.locate("none")) == ("f",)


def test_bytes_and_name_may_be_asked_to_be_on_disk(root: Path) -> None:
    files = LocalFiles(root, fsync=True)
    assert replace(files, "d/f", b"1") == Replaced()
    assert replace(files, "d/f", b"2") == Replaced()
    (root / "g").hardlink_to(root / "d/f")
    assert replace(files, "g", b"3") == Replaced(in_place=True)
    assert read(files, "d/f") == b"3"


def test_nothing_is_left_open(root: Path, files: LocalFiles) -> None:
    before = set(os.listdir("/dev/fd"))
    for _ in range(3):
        replace(files, "d/f", b"1")
        stale = Snapshot(place=files.locate("d/f"), data=b"0")
        fails(Changed, files.replace, stale, b"2")
        fails(IsDirectory, files.snapshot, files.locate("d"))
        fails(Missing, files.open(files.locate("none")).__enter__)
        fails(Changed, files.replace, Snapshot(place=stale.place, data=None), b"2")
    assert set(os.listdir("/dev/fd")) == before
