"""Which file systems are believed, by the system's own list of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mmtools.adapters.disk.change_times import ChangeTimes


def mount(kind: str, *, device: str, options: str = "shared:1 ") -> str:
    return f"36 35 {device} / /mnt/with\\040blank rw,noatime {options}- {kind} /dev/x rw,errors=continue\n"


def status(major: int = 8, minor: int = 1) -> os.stat_result:
    """A file's status with a device of one's choice."""
    found = os.stat(__file__)
    values = list(found[:10])
    values[2] = os.makedev(major, minor)
    return os.stat_result(values, {"st_mtime_ns": 3, "st_ctime_ns": 4})


@pytest.mark.parametrize(
    ("mounted", "believed"),
    [
        (mount("ext4", device="8:1"), True),
        (mount("xfs", device="8:1", options=""), True),
        (mount("f2fs", device="8:1", options="shared:1 master:2 "), True),
        (mount("ext4", device="8:1") * 3, True),
        (mount("tmpfs", device="8:1"), False),
        (mount("nfs4", device="8:1"), False),
        (mount("overlay", device="8:1"), False),
        (mount("vfat", device="8:1"), False),
        (mount("fuseblk", device="8:1"), False),
        (mount("ext4fuse", device="8:1"), False),
        (mount("ext4", device="8:1") + mount("tmpfs", device="8:1"), False),
        (mount("ext4", device="8:11"), False),
        (mount("ext4", device="8:2") + mount("tmpfs", device="8:1"), False),
        (mount("tmpfs", device="8:2") + mount("ext4", device="8:1"), True),
        ("", False),
        ("nonsense\n", False),
        ("36 35\n", False),
    ],
)
def test_only_file_systems_that_tell_every_change_vouch(tmp_path: Path, mounted: str, believed: bool) -> None:
    (tmp_path / "mounts").write_text(mounted)
    times = ChangeTimes(mounts=str(tmp_path / "mounts"))
    assert times.stamp(status(), 7).vouches == believed


def test_where_there_is_no_list_nothing_vouches(tmp_path: Path) -> None:
    assert not ChangeTimes(mounts=str(tmp_path / "nothing")).stamp(status(), 7).vouches


def test_devices_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "mounts").write_text(mount("ext4", device="8:1") + mount("tmpfs", device="0:27"))
    times = ChangeTimes(mounts=str(tmp_path / "mounts"))
    assert [times.stamp(status(*device), 7).vouches for device in ((8, 1), (0, 27), (8, 1))] == [True, False, True]


def test_a_stamp_holds_what_the_status_says() -> None:
    found = status()
    stamp = ChangeTimes().stamp(found, 7)
    assert (stamp.device, stamp.inode, stamp.size) == (found.st_dev, found.st_ino, found.st_size)
    assert (stamp.mtime_ns, stamp.ctime_ns, stamp.taken_ns) == (3, 4, 7)
