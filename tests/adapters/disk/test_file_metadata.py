"""A new file takes on what makes another one itself."""

from __future__ import annotations

import os
import stat
import struct
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mmtools.adapters.disk.file_metadata import copy_metadata
from tests.adapters.circumstances import plain_user


def take(new: Path, old: Path) -> bool:
    with open(new, "wb") as target, open(old, "rb") as source:
        own, of = os.fstat(target.fileno()), os.fstat(source.fileno())
        return copy_metadata(target.fileno(), own, of_fd=source.fileno(), of=of)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mode=st.integers(0, 0o777), other=st.integers(0, 0o777))
def test_any_mode_is_taken_on_from_any_other(tmp_path: Path, mode: int, other: int) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for path, bits in ((old, mode | 0o400), (new, other | 0o600)):
        path.touch()
        path.chmod(bits)
    assert take(new, old)
    assert stat.S_IMODE(new.stat().st_mode) == mode | 0o400


@pytest.mark.parametrize("bits", [0o4755, 0o2755, 0o6711])
def test_special_bits_stay(tmp_path: Path, bits: int) -> None:
    (tmp_path / "old").touch()
    (tmp_path / "old").chmod(bits)
    assert take(tmp_path / "new", tmp_path / "old")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == bits


def test_the_owner_is_taken_on_where_we_may(tmp_path: Path) -> None:
    owner = (12345, 23456) if os.geteuid() == 0 else (os.geteuid(), os.getgroups()[-1])
    (tmp_path / "old").touch()
    os.chown(tmp_path / "old", *owner)
    (tmp_path / "old").chmod(0o4750)
    assert take(tmp_path / "new", tmp_path / "old")
    status = (tmp_path / "new").stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (*owner, 0o4750)


def test_an_owner_that_cannot_be_taken_on_is_told() -> None:
    with plain_user(), open("/etc/passwd", "rb") as roots, tempfile.TemporaryFile() as mine:
        own, of = os.fstat(mine.fileno()), os.fstat(roots.fileno())
        assert not copy_metadata(mine.fileno(), own, of_fd=roots.fileno(), of=of)


def test_attributes_are_those_of_the_old_file_and_no_others(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for path, attributes in ((old, {"kept": b"1", "same": b"2"}), (new, {"same": b"2", "gone": b"3", "kept": b"0"})):
        path.touch()
        for name, value in attributes.items():
            os.setxattr(path, f"user.{name}", value)
    assert take(new, old)
    assert attributes_of(new) == {"user.kept": b"1", "user.same": b"2"}


def test_an_access_list_is_kept_and_one_from_the_directory_is_not_added(tmp_path: Path) -> None:
    listed = access_list(group_bits=6, named_user=12345)
    for inherits, own in ((False, True), (True, False), (True, True)):
        folder = tmp_path / f"{inherits}{own}"
        folder.mkdir()
        (folder / "old").touch()
        (folder / "old").chmod(0o640)
        if own:
            os.setxattr(folder / "old", "system.posix_acl_access", listed)
        if inherits:
            os.setxattr(folder, "system.posix_acl_default", access_list(group_bits=7, named_user=54321))
        assert take(folder / "new", folder / "old")
        assert attributes_of(folder / "new") == attributes_of(folder / "old")
        assert (folder / "new").stat().st_mode == (folder / "old").stat().st_mode


def attributes_of(path: Path) -> dict[str, bytes]:
    return {name: os.getxattr(path, name) for name in os.listxattr(path)}


def access_list(*, group_bits: int, named_user: int) -> bytes:
    """Write an access list as Linux keeps it: version, then tag, permissions and id of each entry."""
    anybody = 0xFFFFFFFF
    entries = [(1, 6, anybody), (2, 7, named_user), (4, group_bits, anybody), (16, 7, anybody), (32, 0, anybody)]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
