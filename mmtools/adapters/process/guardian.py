"""
Somebody to clean up after a host that is killed: one small process for all that this one has started.

It is no child of the host, holds none of its files, and ends when nothing is left to guard. Without /proc, or where no
Python can be run (`sys.executable` is the host's own program), nobody guards.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress

from mmtools.adapters.process import guard as script
from mmtools.adapters.process.tables import Process

__all__ = ["guard", "know", "release", "settle"]

#: Starts a program that is nobody's child, with our stdin.
_LAUNCH = 'exec 3<&0; "$@" <&3 3<&- &'


class _Guardian:
    """The guarding process of this process, as long as something is guarded."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        # Reentrant: whatever it does here, the collector may find a port that nobody closed, which is released then.
        self._lock = threading.RLock()
        self._marks: dict[str, list[str]] = {}
        self._pipe: int | None = None
        self._launcher: subprocess.Popen[bytes] | None = None

    def add(self, mark: str) -> None:
        with self._lock:
            self._marks[mark] = []
            if self._pipe is None:
                self._launch()
            self._say(f"+{mark}\n")

    def know(self, mark: str, lines: list[str]) -> None:
        with self._lock:
            if mark in self._marks:
                self._marks[mark] += lines
                self._say("".join(lines))

    def discard(self, mark: str) -> None:
        with self._lock:
            if self._marks.pop(mark, None) is None:
                return
            self._say(f"-{mark}\n")
            if not self._marks and self._pipe is not None:
                os.close(self._pipe)
                self._pipe = None
        self.settle()

    def settle(self) -> None:
        """Take the launcher's status, once it has ended; waiting for that at its start would cost a first command."""
        if self._launcher is None:
            return
        with self._lock:
            if self._launcher is not None and self._launcher.poll() is not None:
                self._launcher = None

    def _launch(self) -> None:
        if self._launcher is not None:
            self._launcher.wait()
        launched = _launched()
        self._launcher, self._pipe = launched or (None, None)

    def _say(self, lines: str) -> None:
        if self._pipe is None:
            return
        try:
            os.write(self._pipe, lines.encode())
        except BrokenPipeError:
            # Somebody killed it: another one is told all.
            os.close(self._pipe)
            self._pipe = None
            self._launch()
            self._say_all()

    def _say_all(self) -> None:
        if self._pipe is not None:
            told = "".join(f"+{mark}\n{''.join(known)}" for mark, known in self._marks.items())
            os.write(self._pipe, told.encode())


_current = _Guardian()


def guard(mark: str) -> None:
    """Have what carries a mark in its environment killed when this process dies without having released it."""
    _here().add(mark)


def know(mark: str, processes: Iterable[Process]) -> None:
    """Have processes killed too that are the mark's, though they do not carry it, or may come to carry none."""
    lines = [f"={mark} {each.pid} {each.started:.0f}\n" for each in processes]
    if lines:
        _here().know(mark, lines)


def release(mark: str) -> None:
    """Let what carries a mark live on; what is not guarded is no matter."""
    _here().discard(mark)


def settle() -> None:
    """Leave no zombie of ours; costs nothing where there is none."""
    _here().settle()


def _here() -> _Guardian:
    """Return that of this process; a fork has none of what it was forked from."""
    global _current
    if _current.owner != os.getpid():
        _current = _Guardian()
    return _current


def _launched() -> tuple[subprocess.Popen[bytes], int] | None:
    """Start a guarding process; returns its launcher, and the descriptor by which it is told."""
    started = _started()
    if not started or not sys.executable or getattr(sys, "frozen", False) or not os.path.isfile(script.__file__):
        return None
    reader, writer = os.pipe()
    try:
        launcher = subprocess.Popen(
            ["/bin/sh", "-c", _LAUNCH, "sh", sys.executable, "-I", "-S", script.__file__, str(os.getpid()), started],
            stdin=reader,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env={},
            start_new_session=True,
        )
    except OSError:
        os.close(writer)
        return None
    finally:
        os.close(reader)
    return launcher, writer


def _started() -> str:
    """Return when this process started, as /proc tells it; empty where there is no /proc."""
    with suppress(OSError), open("/proc/self/stat", "rb") as stat:
        return stat.read().rpartition(b") ")[2].split()[19].decode()
    return ""
