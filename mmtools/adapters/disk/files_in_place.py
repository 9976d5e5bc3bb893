"""Writing into an existing file, where no new one can take its place: not one step, so the old bytes are put aside first."""

from __future__ import annotations

import errno
import os

from mmtools.adapters.disk.directory_handles import DirectoryHandle
from mmtools.adapters.disk.temporary_files import TemporaryFile, write_all
from mmtools.ports.files import Place, WriteFailed

__all__ = ["Backup", "back_up", "write_in_place"]

#: What a directory answers in which we may not make files.
_NOT_HERE = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
#: Room for the file's own name in the name of the copy, in bytes; the rest is ours, 255 the limit.
_NAME_BYTES = 200


class Backup:
    """The copy of a file's old bytes that outlives a kill."""

    def __init__(self, path: str) -> None:
        self.path = path

    def drop(self) -> None:
        """Remove the copy: the file is whole."""
        os.unlink(self.path)


def back_up(directory: DirectoryHandle, name: str, data: bytes, *, durable: bool) -> Backup:
    """
    Write a copy of a file's bytes beside it, or into the system's directory for temporary files.

    Args:
        name: The file's; the copy is called `.<name>.<16 hex digits>.mmtools-old`, and no sweep removes it.

    Raises:
        OSError: It can be kept in neither; nothing is left.
    """
    try:
        return _put_into(directory, name, data, durable=durable)
    except OSError as error:
        if error.errno not in _NOT_HERE:
            raise
    # Here, for it brings along what only this rare case needs.
    import tempfile

    with DirectoryHandle.at(os.path.realpath(tempfile.gettempdir())) as elsewhere:
        return _put_into(elsewhere, name, data, durable=durable)


def write_in_place(fd: int, old: bytes, new: bytes, *, copy: Backup, place: Place, durable: bool) -> None:
    """
    Make `new` the bytes of an open file; when that fails, make them `old` again.

    Args:
        copy: Of the old bytes: dropped, unless they could not be brought back.

    Raises:
        OSError: The old bytes are there.
        WriteFailed: The old bytes could not be brought back; `reason` names their copy.
    """
    try:
        _write_over(fd, new)
        if durable:
            os.fsync(fd)
    except BaseException as error:
        try:
            _write_over(fd, old)
        except OSError as failure:
            raise WriteFailed(place, f"{failure.strerror}; the old bytes are in {copy.path}") from error
        copy.drop()
        raise
    copy.drop()


def _put_into(directory: DirectoryHandle, name: str, data: bytes, *, durable: bool) -> Backup:
    short = os.fsencode(name)[:_NAME_BYTES].decode("utf-8", "ignore")
    kept = f".{short}.{os.urandom(8).hex()}.mmtools-old"
    with TemporaryFile(directory, 0o600) as copy:
        copy.write(data, durable=durable)
        copy.rename(kept)
    return Backup(os.path.join(directory.path, kept))


def _write_over(fd: int, data: bytes) -> None:
    os.lseek(fd, 0, os.SEEK_SET)
    write_all(fd, data)
    os.ftruncate(fd, len(data))
