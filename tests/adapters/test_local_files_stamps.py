"""Stamps of a real disk, held against what programs do to files: no change goes unseen."""

from __future__ import annotations

import mmap
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mmtools.adapters.local_files import LocalFiles
from mmtools.core.freshness import Ledger, fingerprint
from mmtools.core.stamps import Stamp

#: An hour ahead, so that every stamp looks settled.
AHEAD_NS = 3_600_000_000_000


def next_tick(folder: Path) -> None:
    """Wait until the clock of a disk has moved on."""
    probe = folder / "probe"
    probe.touch()
    first = probe.stat().st_ctime_ns
    while probe.stat().st_ctime_ns == first:
        probe.touch()


@pytest.fixture
def files(tmp_path: Path) -> LocalFiles:
    (tmp_path / "f").write_bytes(b"a" * 8192)
    return LocalFiles(tmp_path, clock=lambda: time.time_ns() + AHEAD_NS)


def overwrite(path: Path) -> None:
    path.write_bytes(b"b" * 8192)


def overwrite_a_byte(path: Path) -> None:
    with path.open("r+b") as stream:
        stream.write(b"b")


def overwrite_through_a_map(path: Path) -> None:
    fd = os.open(path, os.O_RDWR)
    # Its pages are clean, as after a minute.
    os.fsync(fd)
    with mmap.mmap(fd, 0) as mapped:
        mapped[:1] = b"b"
    os.close(fd)


def put_the_time_back(path: Path) -> None:
    status = path.stat()
    overwrite(path)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def rename_another_over(path: Path) -> None:
    status = path.stat()
    other = path.with_name("other")
    other.write_bytes(b"b" * 8192)
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.rename(path)


def make_anew(path: Path) -> None:
    path.unlink()
    overwrite(path)


@pytest.mark.parametrize(
    "change",
    [
        overwrite,
        overwrite_a_byte,
        overwrite_through_a_map,
        put_the_time_back,
        rename_another_over,
        make_anew,
    ],
)
def test_no_change_leaves_a_stamp_that_proves_there_was_none(
    files: LocalFiles, tmp_path: Path, change: Callable[[Path], None]
) -> None:
    place = files.locate("f")
    before = files.snapshot(place)
    assert before.stamp is not None
    next_tick(tmp_path)
    change(tmp_path / "f")
    after = files.snapshot(place)
    assert after.stamp is not None
    assert after.data != before.data
    assert not before.stamp.proves(after.stamp)


def test_an_untouched_file_is_proved_where_the_disk_can_be_believed(files: LocalFiles) -> None:
    place = files.locate("f")
    with files.open(place) as reader:
        opened = reader.stamp
    stamp = files.snapshot(place).stamp
    assert stamp is not None
    assert opened is not None
    assert opened.proves(stamp) == opened.vouches == stamp.vouches


def test_what_changed_just_now_proves_nothing(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"1")
    files = LocalFiles(tmp_path)
    before, after = (files.snapshot(files.locate("f")).stamp for _ in range(2))
    assert before is not None
    assert after is not None
    assert not before.proves(after)
    assert abs(time.time_ns() - after.taken_ns) < AHEAD_NS


def test_a_file_that_changes_while_it_is_read_has_no_say(
    files: LocalFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = files.locate("f")
    ledger = Ledger()
    first = files.snapshot(place)
    assert first.data is not None
    ledger.saw(place.path, fingerprint(first.data), first.stamp)
    system_read = os.read

    def disturbed(fd: int, length: int) -> bytes:
        monkeypatch.undo()
        next_tick(tmp_path)
        overwrite(tmp_path / "f")
        return system_read(fd, length)

    monkeypatch.setattr(os, "read", disturbed)
    torn = files.snapshot(place)
    assert torn.data == b"b" * 8192
    assert isinstance(torn.stamp, Stamp)
    assert not torn.stamp.vouches
    assert first.stamp is not None
    assert not first.stamp.proves(torn.stamp)
