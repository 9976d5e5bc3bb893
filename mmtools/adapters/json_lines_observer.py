"""Observations as lines of JSON, in a file or on a stream."""

from __future__ import annotations

import json
import os
import threading
from io import FileIO
from typing import Self, TextIO

import attrs

from mmtools.call import Observation

__all__ = ["JsonLinesObserver"]


class JsonLinesObserver:
    """
    An observer that appends one JSON object per observation, with exactly its fields; each is out when `record` returns.

    Threads may share an observer, and processes a file: a line is one write at the end. A line that a
    crash or a full disk cut short stays as it is, and the next begins on a new line.

    Args:
        target: A file's path, created when missing; or an open text stream, which stays the caller's to close.

    Raises:
        OSError: The file cannot be opened.
    """

    def __init__(self, target: str | os.PathLike[str] | TextIO) -> None:
        self._lock = threading.Lock()
        self._closed = False
        self._stream: TextIO | None = None
        self._file: FileIO | None = None
        if isinstance(target, str | os.PathLike):
            self._file = FileIO(os.fspath(target), "a+")
            self._torn = _ends_inside_a_line(self._file)
        else:
            self._stream = target

    def record(self, observation: Observation) -> None:
        """
        Append it.

        Raises:
            OSError: It could not be written.
            ValueError: The observer, or the stream, is closed.
        """
        line = json.dumps(attrs.asdict(observation, recurse=False)) + "\n"
        with self._lock:
            if self._closed:
                raise ValueError("this observer is closed")
            if self._file is not None:
                self._append(self._file, line.encode())
            elif self._stream is not None:
                self._stream.write(line)
                self._stream.flush()

    def close(self) -> None:
        """Close the file; a second close does nothing."""
        with self._lock:
            self._closed = True
            if self._file is not None:
                self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _append(self, file: FileIO, line: bytes) -> None:
        rest = memoryview(b"\n" + line if self._torn else line)
        self._torn = True
        while rest:
            rest = rest[file.write(rest) :]
        self._torn = False


def _ends_inside_a_line(file: FileIO) -> bool:
    if not file.seekable() or file.seek(0, os.SEEK_END) == 0:
        return False
    file.seek(-1, os.SEEK_END)
    return file.read(1) != b"\n"
