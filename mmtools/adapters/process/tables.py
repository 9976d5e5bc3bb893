"""What the system tells about its processes: from /proc, or from `ps` where there is none."""

from __future__ import annotations

import os
import stat
import subprocess
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Protocol

from attrs import field, frozen

__all__ = ["ProcTable", "Process", "ProcessTable", "PsTable", "open_pidfd", "process_table"]

#: The kernel's PF_EXITING, in the flags of /proc/<pid>/stat: set before a process's files are closed.
_EXITING = 0x4


@frozen(kw_only=True)
class Process:
    """
    One process at one moment; two are equal when they are the same process.

    Args:
        started: Grows with the time of the start; with `pid` it tells a process from a later one.
        running: Not when it is ending, or has ended and only waits to be reaped.
    """

    pid: int
    started: float
    parent: int = field(eq=False)
    group: int = field(eq=False)
    session: int = field(eq=False)
    running: bool = field(eq=False)
    _table: ProcessTable = field(eq=False, repr=False)

    @cached_property
    def environment(self) -> bytes:
        """The environment that it was started with; empty when it is not to be had."""
        return self._table.environment(self.pid)


class ProcessTable(Protocol):
    """A way to look at processes. None of this raises: what may not be seen is not there."""

    def all(self) -> Sequence[Process]:
        """List every process; those who ask at the same time may share an answer."""
        ...

    def younger_than(self, pid: int) -> Sequence[Process]:
        """List at least the processes that were started after `pid`, if that was less than a second ago."""
        ...

    def find(self, pid: int) -> Process | None:
        """Look at one process."""
        ...

    def environment(self, pid: int) -> bytes:
        """Return the environment that a process was started with; empty when it is not to be had."""
        ...

    def writes_to(self, pid: int, inode: int) -> bool:
        """Say whether a process has the pipe `inode` open for writing."""
        ...

    def command(self, pid: int) -> str:
        """Return a process's arguments, joined by spaces."""
        ...


class ProcTable:
    """The table in /proc, as Linux has it."""

    #: So many single looks cost less than looking at all.
    _FEW = 32

    def __init__(self) -> None:
        self._looking = threading.Lock()
        self._looked_at = 0.0
        self._processes: Sequence[Process] = ()

    def all(self) -> Sequence[Process]:
        asked_at = time.monotonic()
        with self._looking:
            if self._looked_at < asked_at:
                self._looked_at = time.monotonic()
                self._processes = self._look(int(name) for name in os.listdir("/proc") if name.isdecimal())
            return self._processes

    def younger_than(self, pid: int) -> Sequence[Process]:
        last = _last_pid()
        return self._look(range(pid + 1, last + 1)) if pid <= last <= pid + self._FEW else self.all()

    def find(self, pid: int) -> Process | None:
        fields = _read(f"/proc/{pid}/stat").rpartition(b") ")[2].split()
        if not fields:
            return None
        return Process(
            pid=pid,
            started=int(fields[19]),
            parent=int(fields[1]),
            group=int(fields[2]),
            session=int(fields[3]),
            running=fields[0] not in (b"Z", b"X") and not int(fields[6]) & _EXITING,
            table=self,
        )

    def environment(self, pid: int) -> bytes:
        return _read(f"/proc/{pid}/environ")

    def writes_to(self, pid: int, inode: int) -> bool:
        folder, wanted = f"/proc/{pid}/fd", f"pipe:[{inode}]"
        with suppress(OSError):
            for name in os.listdir(folder):
                with suppress(OSError):
                    link = f"{folder}/{name}"
                    if os.readlink(link) == wanted and os.lstat(link).st_mode & stat.S_IWUSR:
                        return True
        return False

    def command(self, pid: int) -> str:
        arguments = _read(f"/proc/{pid}/cmdline") or _read(f"/proc/{pid}/comm")
        return arguments.decode(errors="replace").rstrip("\0\n").replace("\0", " ")

    def _look(self, pids: Iterable[int]) -> list[Process]:
        return [process for pid in pids if (process := self.find(pid))]


class PsTable:
    """The table that `ps` shows, as every POSIX system has it; it holds neither environments nor open files."""

    _COLUMNS = "pid=,ppid=,pgid=,sess=,stat=,lstart="

    def all(self) -> list[Process]:
        lines = self._ask("-A", "-o", self._COLUMNS)
        return [process for line in lines if (process := self._parse(line))]

    def younger_than(self, pid: int) -> list[Process]:
        return self.all()

    def find(self, pid: int) -> Process | None:
        lines = self._ask("-p", str(pid), "-o", self._COLUMNS)
        return self._parse(lines[0]) if lines else None

    def environment(self, pid: int) -> bytes:
        return b""

    def writes_to(self, pid: int, inode: int) -> bool:
        return False

    def command(self, pid: int) -> str:
        return " ".join(self._ask("-p", str(pid), "-o", "args=")).strip()

    def _ask(self, *arguments: str) -> list[str]:
        with suppress(OSError):
            answer = subprocess.run(
                ["ps", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "LC_ALL": "C"},
                check=False,
            )
            return answer.stdout.decode(errors="replace").splitlines()
        return []

    def _parse(self, line: str) -> Process | None:
        """Read a line; macOS shows every session as 0, so there the group stands for it."""
        with suppress(ValueError):
            pid, parent, group, session, state, *start = line.split()
            return Process(
                pid=int(pid),
                started=time.mktime(time.strptime(" ".join(start), "%a %b %d %H:%M:%S %Y")),
                parent=int(parent),
                group=int(group),
                session=int(session) or int(group),
                running=not state.startswith("Z"),
                table=self,
            )
        return None


def process_table() -> ProcessTable:
    """Return the table of this system."""
    return ProcTable() if Path("/proc/self/stat").exists() else PsTable()


def open_pidfd(pid: int) -> int | None:
    """
    Return a descriptor that means this process for ever and is readable once it has ended.

    Returns:
        None where the system has no such thing, or no such process.
    """
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def _read(path: str) -> bytes:
    data = b""
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            while piece := os.read(descriptor, 1 << 14):
                data += piece
        finally:
            os.close(descriptor)
    return data


def _last_pid() -> int:
    """Return the pid given out last; the next pids go up from it, and start again at their limit."""
    fields = _read("/proc/loadavg").split()
    return int(fields[-1]) if fields else 0
