"""A directory held open stays the one that was found."""

from __future__ import annotations

import os
import stat
import threading
import time
from pathlib import Path

import pytest

from mmtools.adapters.disk.directory_handles import DirectoryHandle, hold_parents
from tests.adapters.circumstances import plain_user, shared_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "d").mkdir()
    return tmp_path / "d"


@pytest.mark.parametrize("path", ["link", "link/inner", "d/loop"])
def test_a_path_with_a_link_on_it_is_refused(folder: Path, path: str) -> None:
    (folder / "inner").mkdir()
    (folder.parent / "link").symlink_to("d")
    (folder / "loop").symlink_to("loop")
    with pytest.raises(OSError, match="symbolic links"):
        DirectoryHandle.at(str(folder.parent / path))


def test_what_is_no_directory_is_refused(folder: Path) -> None:
    (folder / "f").touch()
    with pytest.raises(NotADirectoryError):
        DirectoryHandle.at(str(folder / "f"))
    with pytest.raises(FileNotFoundError):
        DirectoryHandle.at(str(folder / "none"))


def test_no_file_is_left_open(folder: Path) -> None:
    (folder.parent / "link").symlink_to("d")
    before = set(os.listdir("/dev/fd"))
    with DirectoryHandle.at(str(folder)) as directory:
        directory.names()
        with directory.locked(0.0):
            pass
    with pytest.raises(OSError, match="symbolic links"):
        DirectoryHandle.at(str(folder.parent / "link"))
    assert set(os.listdir("/dev/fd")) == before


def test_names_stay_in_the_directory_when_a_link_takes_its_place(folder: Path) -> None:
    (folder.parent / "elsewhere").mkdir()
    with DirectoryHandle.at(str(folder)) as directory:
        folder.rename(folder.parent / "moved")
        folder.symlink_to("elsewhere")
        os.close(directory.open("a", os.O_CREAT | os.O_WRONLY))
        directory.rename("a", "b")
        directory.link("b", "c")
        assert sorted(directory.names()) == ["b", "c"]
        directory.unlink("c")
        assert directory.has("b")
        assert not directory.has("c")
        assert stat.S_ISREG(directory.stat("b").st_mode)
        directory.sync()
    assert os.listdir(folder.parent / "moved") == ["b"]
    assert os.listdir(folder.parent / "elsewhere") == []


def test_a_link_is_neither_followed_nor_missed(folder: Path) -> None:
    (folder / "link").symlink_to("/etc/passwd")
    (folder / "dangling").symlink_to("none")
    with DirectoryHandle.at(str(folder)) as directory:
        for name in ("link", "dangling"):
            assert directory.has(name)
            assert stat.S_ISLNK(directory.stat(name).st_mode)
            with pytest.raises(OSError, match="symbolic links"):
                directory.open(name, os.O_RDONLY)


def test_a_new_name_never_replaces_what_has_it(folder: Path) -> None:
    (folder / "a").write_bytes(b"a")
    (folder / "b").write_bytes(b"b")
    with DirectoryHandle.at(str(folder)) as directory, pytest.raises(FileExistsError):
        directory.link("a", "b")
    assert (folder / "b").read_bytes() == b"b"


def test_a_pipe_is_opened_without_waiting(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with DirectoryHandle.at(str(folder)) as directory:
        os.close(directory.open("pipe", os.O_RDONLY))


def test_the_lock_of_a_directory_is_one_for_all(folder: Path) -> None:
    with DirectoryHandle.at(str(folder)) as first, DirectoryHandle.at(str(folder)) as second:
        with first.locked(0.0) as had:
            assert had
            with second.locked(time.monotonic() + 0.05) as had_too:
                assert not had_too
        with second.locked(0.0) as had:
            assert had


def test_missing_parents_are_made_as_the_umask_says(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        with hold_parents(str(tmp_path / "a/b/c")) as directory:
            os.close(directory.open("f", os.O_CREAT | os.O_WRONLY))
    finally:
        os.umask(before)
    assert (tmp_path / "a/b/c/f").exists()
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a", "a/b", "a/b/c")] == [0o750] * 3


def test_when_the_work_fails_only_what_was_made_for_it_goes(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()

    def fail(inside: list[str]) -> None:
        with hold_parents(str(tmp_path / "a/b/c")):
            for name in inside:
                (tmp_path / "a/b" / name).touch()
            raise KeyboardInterrupt

    for inside in ([], ["kept"]):
        with pytest.raises(KeyboardInterrupt):
            fail(inside)
        left = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*"))
        assert left == (["a", "a/b", "a/b/kept"] if inside else ["a"])


def test_a_parent_that_cannot_be_made_leaves_none(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="too long"), hold_parents(str(tmp_path / "a/b" / ("x" * 300) / "c")):
        pass
    assert list(tmp_path.iterdir()) == []


def test_many_may_make_the_same_parents(tmp_path: Path) -> None:
    failures: list[OSError] = []
    start = threading.Barrier(8)

    def make(number: int) -> None:
        try:
            start.wait(30)
            with hold_parents(str(tmp_path / "a/b/c/d")) as directory:
                os.close(directory.open(str(number), os.O_CREAT | os.O_WRONLY))
        except OSError as failure:
            failures.append(failure)

    threads = [threading.Thread(target=make, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert failures == []
    assert len(list((tmp_path / "a/b/c/d").iterdir())) == 8


def test_a_directory_that_may_only_be_entered_will_do() -> None:
    with shared_folder() as shared, plain_user():
        inner = shared / "inner"
        inner.mkdir()
        (inner / "f").touch()
        inner.chmod(0o311)
        with DirectoryHandle.at(str(inner)) as directory:
            assert directory.has("f")
            with pytest.raises(PermissionError):
                directory.names()
        inner.chmod(0o755)
