"""A real terminal for tests: a Python program at one end, the test at the other."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from typing import Self

__all__ = ["Terminal"]

#: 60 s: far beyond what a program needs to answer on a machine under load, so that only a hang meets it.
_PATIENCE_S = 60.0

_TAKE_THE_TERMINAL = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"


class Terminal:
    """
    A Python program whose standard streams and controlling terminal are a pseudo-terminal.

    Args:
        program: Its source.
        columns, lines: The terminal's size.
        environment: In addition to this process's; `TERM` is `xterm` unless given.
    """

    def __init__(
        self, program: str, *, columns: int = 80, lines: int = 24, environment: Mapping[str, str] | None = None
    ) -> None:
        self._ours, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self._child = subprocess.Popen(
            [sys.executable, "-c", _TAKE_THE_TERMINAL + program],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm", **(environment or {})},
            start_new_session=True,
        )
        os.close(theirs)
        self._seen = b""
        self._read_to = 0

    def wait_for(self, text: str) -> str:
        """
        Wait until the program has written `text`.

        Returns:
            What it wrote since the wait before, this text included.

        Raises:
            AssertionError: The program ended first, or took too long; says what it wrote.
        """
        wanted = text.encode()
        deadline = time.monotonic() + _PATIENCE_S
        while (at := self._seen.find(wanted, self._read_to)) < 0:
            if not self._read(deadline):
                raise AssertionError(
                    f"{text!r} never came, but: {self._seen[self._read_to :].decode(errors='replace')}"
                )
        begin, self._read_to = self._read_to, at + len(wanted)
        return self._seen[begin : self._read_to].decode()

    def send(self, keys: str) -> None:
        """Type; `\\x03` is Ctrl-C, `\\x04` at the start of a line ends the input."""
        os.write(self._ours, keys.encode())

    def hang_up(self) -> None:
        """Close the terminal under the program."""
        os.close(self._ours)
        self._ours = -1

    def end(self) -> tuple[int, str]:
        """
        Wait for the program to end.

        Returns:
            Its exit code, and all it wrote.
        """
        deadline = time.monotonic() + _PATIENCE_S
        while self._ours >= 0 and self._read(deadline):
            pass
        return self._child.wait(max(deadline - time.monotonic(), 1)), self._seen.decode(errors="replace")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._child.poll() is None:
            self._child.kill()
            self._child.wait()
        if self._ours >= 0:
            os.close(self._ours)

    def _read(self, deadline: float) -> bool:
        """Take in what there is; False once nothing more will come."""
        if not select.select([self._ours], [], [], max(deadline - time.monotonic(), 0))[0]:
            return False
        try:
            data = os.read(self._ours, 65536)
        except OSError:  # EIO: the program has closed its end
            return False
        self._seen += data
        return bool(data)
