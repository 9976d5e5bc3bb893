"""
Compare-and-replace of one file, as one step for every process that does it this way.

The lock is on the file itself, so all its names share it. The new bytes are written beside it and
renamed over it: a killed process leaves the old file or the new one.
"""

from __future__ import annotations

import errno
import stat
import time
from enum import Enum, auto

from mmtools.adapters.disk.directory_handles import DirectoryHandle
from mmtools.adapters.disk.file_metadata import copy_metadata
from mmtools.adapters.disk.files_in_place import back_up, write_in_place
from mmtools.adapters.disk.followed_paths import name_of
from mmtools.adapters.disk.regular_files import LockedFile
from mmtools.adapters.disk.temporary_files import TemporaryFile
from mmtools.ports.files import Changed, Locked, Place, Replaced

__all__ = ["create_file", "replace_file"]

#: What answers a new name or a rename where the file itself may be written: a directory that is not
#: ours, or a file that something is mounted on.
_NOT_REPLACEABLE = frozenset({errno.EACCES, errno.EBUSY, errno.EPERM, errno.EROFS})
#: What file systems without hard links answer.
_NO_LINKS = frozenset({errno.EMLINK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM})


class _Attempt(Enum):
    DONE = auto()
    RACED = auto()
    NOT_REPLACEABLE = auto()


def replace_file(
    directory: DirectoryHandle, place: Place, old: bytes, new: bytes, *, deadline: float, durable: bool
) -> Replaced:
    """
    Replace the bytes of the file at `place`, if they are `old`.

    Args:
        directory: Holds the place's directory.
        deadline: On the monotonic clock: until when to wait for the file's lock.
        durable: Whether bytes and name are to be on disk at the return.

    Raises:
        Changed, Locked, IsDirectory, NotRegularFile, WriteFailed: As the port says.
        OSError: The system's refusal; the old bytes are there.
    """
    while True:
        with LockedFile(directory, place, deadline) as file:
            if not file.holds(old):
                raise Changed(place)
            attempt = _by_rename(file, new, durable=durable)
            in_place = attempt is _Attempt.NOT_REPLACEABLE
            if in_place:
                attempt = _in_place(file, place, old, new, durable=durable)
            if attempt is _Attempt.DONE:
                return Replaced(in_place=in_place)
        if time.monotonic() >= deadline:
            raise Locked(place)


def create_file(directory: DirectoryHandle, place: Place, data: bytes, *, deadline: float, durable: bool) -> None:
    """
    Make a file at `place`, if nothing is there.

    Args:
        directory, deadline, durable: As for `replace_file`.

    Raises:
        Changed: Something is there now.
        Locked: On a file system without links, others of our kind make files here for too long.
        OSError: The system's refusal; nothing is left.
    """
    name = name_of(place.path)
    with TemporaryFile(directory, 0o666) as file:
        file.write(data, durable=durable)
        try:
            file.link(name)
        except FileExistsError as error:
            raise Changed(place) from error
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            _claim_by_rename(directory, file, place, deadline)
        if durable:
            directory.sync()


def _by_rename(file: LockedFile, data: bytes, *, durable: bool) -> _Attempt:
    if file.status.st_nlink > 1:
        return _Attempt.NOT_REPLACEABLE
    try:
        temporary = TemporaryFile(file.directory, stat.S_IMODE(file.status.st_mode) & 0o777)
    except OSError as error:
        return _unless_replaceable(error)
    with temporary:
        if not copy_metadata(temporary.fd, temporary.status, of_fd=file.fd, of=file.status):
            return _Attempt.NOT_REPLACEABLE
        temporary.write(data, durable=durable)
        if not file.is_untouched():
            return _Attempt.RACED
        try:
            temporary.rename(file.name)
        except OSError as error:
            return _unless_replaceable(error)
        if durable:
            file.directory.sync()
    return _Attempt.DONE


def _in_place(file: LockedFile, place: Place, old: bytes, new: bytes, *, durable: bool) -> _Attempt:
    copy = back_up(file.directory, file.name, old, durable=durable)
    if not file.is_untouched():
        copy.drop()
        return _Attempt.RACED
    write_in_place(file.fd, old, new, copy=copy, place=place, durable=durable)
    return _Attempt.DONE


def _unless_replaceable(error: OSError) -> _Attempt:
    if error.errno in _NOT_REPLACEABLE:
        return _Attempt.NOT_REPLACEABLE
    raise error


def _claim_by_rename(directory: DirectoryHandle, file: TemporaryFile, place: Place, deadline: float) -> None:
    """Name a new file where links are unknown: the directory's lock keeps others of our kind away meanwhile."""
    name = name_of(place.path)
    with directory.locked(deadline) as had:
        if not had:
            raise Locked(place)
        if directory.has(name):
            raise Changed(place)
        file.rename(name)
