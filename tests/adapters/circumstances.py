"""What a disk may do to us: limits, other users, names of ours that a killed process left."""

from __future__ import annotations

import os
import resource
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from attrs import frozen

from mmtools.adapters.disk.directory_handles import DirectoryHandle
from mmtools.adapters.local_files import LocalFiles
from mmtools.ports.files import FileProblem, Replaced

__all__ = [
    "HOLD", "Facts", "RefusingDirectory", "attempt", "facts", "fails", "file_size_limit", "leave_behind", "names",
    "plain_user", "read", "replace", "shared_folder",
]  # fmt: skip

#: A program that locks the file it is given, says so, and waits.
HOLD = "import fcntl, sys; f = open(sys.argv[1]); fcntl.flock(f, fcntl.LOCK_EX); print(flush=True); sys.stdin.read()"

#: `nobody` on Linux and macOS alike, as far as it matters here: not root.
_NOBODY = 65534


@frozen
class Facts:
    """What must not change when nothing was written."""

    data: bytes
    mode: int
    inode: int
    changed_ns: int


def facts(path: Path) -> Facts:
    status = path.stat()
    return Facts(path.read_bytes(), stat.S_IMODE(status.st_mode), status.st_ino, status.st_mtime_ns)


@contextmanager
def file_size_limit(max_bytes: int) -> Iterator[None]:
    """Let no file of this process grow beyond a size: writes come back short, then fail."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (max_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def plain_user() -> Iterator[None]:
    """Be somebody whom mode bits stop, also where the tests run as root."""
    if os.geteuid() != 0:
        yield
        return
    os.setegid(_NOBODY)
    os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


@contextmanager
def shared_folder() -> Iterator[Path]:
    """Lend a folder that a plain user may use too; pytest's own are closed to others."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        yield Path(folder).resolve()


def replace(files: LocalFiles, path: str, data: bytes) -> Replaced:
    return files.replace(files.snapshot(files.locate(path)), data)


def read(files: LocalFiles, path: str) -> bytes | None:
    return files.snapshot(files.locate(path)).data


def fails(kind: type[FileProblem], action: Callable[..., object], *arguments: object) -> FileProblem:
    with pytest.raises(kind) as problem:
        action(*arguments)
    assert type(problem.value) is kind
    return problem.value


def attempt(action: Callable[..., object], *arguments: object) -> object:
    try:
        return action(*arguments)
    except FileProblem as problem:
        return problem


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def leave_behind(folder: Path, digits: str = "0123456789abcdef") -> Path:
    """Leave what a process killed in the middle of a write leaves."""
    path = folder / f".{digits}.mmtools-tmp"
    path.write_bytes(b"half of the n")
    return path


class RefusingDirectory(DirectoryHandle):
    """A directory whose file system seems to lack one kind of call: `create`, `link`, or `rename` over a file."""

    refused: str = ""
    error: int = 0

    def rename(self, old: str, new: str) -> None:
        if self.has(new):
            self._refuse("rename")
        super().rename(old, new)

    def link(self, old: str, new: str) -> None:
        self._refuse("link")
        super().link(old, new)

    def open(self, name: str, flags: int, mode: int = 0o600) -> int:
        if flags & os.O_CREAT:
            self._refuse("create")
        return super().open(name, flags, mode)

    def _refuse(self, call: str) -> None:
        if call == self.refused:
            raise OSError(self.error, os.strerror(self.error))
