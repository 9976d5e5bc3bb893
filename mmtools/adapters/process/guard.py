"""
The program that outlives a host, and ends what a host leaves behind that was killed.

Run as a script by `guardian`, so it knows nothing but the standard library. It reads from stdin:

    +MARK                what carries this mark in its environment is the host's
    -MARK                … and is no more
    =MARK PID STARTED    a process of this mark that may not carry it; when it started, as /proc tells it

Once the host is dead, it tells all that is left to end, kills what does not, and ends. It ends at once when the host
closes the pipe and left no mark.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time

__all__ = ["main"]

#: Of the variable that holds the marks.
_NAME = b"MMTOOLS_CALL="
#: What ends politely has this long; then it is killed.
_GRACE_S = 0.3
#: Between two looks; after so many at which nothing was left, nothing can come any more: what the host was just
#: starting when it died has begun by then.
_PAUSE_S, _QUIET_LOOKS = 0.05, 4
#: What cannot be killed hangs in the kernel, or belongs to somebody else.
_LONGEST_S = 10.0


class Belongings:
    """What the host has said that is its own."""

    def __init__(self) -> None:
        #: The processes that were named, by mark.
        self._marks: dict[bytes, set[tuple[int, bytes]]] = {}
        self._rest = b""

    def __bool__(self) -> bool:
        return bool(self._marks)

    def take(self, data: bytes) -> None:
        """Take the next bytes of what the host says."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            sign, told = line[:1], line[1:]
            if sign == b"+":
                self._marks.setdefault(told, set())
            elif sign == b"-":
                self._marks.pop(told, None)
            elif sign == b"=":
                mark, pid, started = told.split()
                self._marks.setdefault(mark, set()).add((int(pid), started))

    def running(self) -> list[tuple[int, bytes]]:
        """Return the host's processes: these, those in their sessions, and their children; each with its start."""
        own = os.getpid()
        others = [each for each in map(_look, os.listdir("/proc")) if each and each[0] != own]
        found = {each[0] for each in others if self._is_root(each)}
        sessions = {session for pid, _, session, _ in others if pid in found}
        grown = bool(found)
        while grown:
            joining = {
                pid
                for pid, parent, session, _ in others
                if pid not in found and (parent in found or session in sessions)
            }
            found |= joining
            sessions |= {session for pid, _, session, _ in others if pid in joining}
            grown = bool(joining)
        return sorted((pid, started) for pid, _, _, started in others if pid in found)

    def _is_root(self, process: tuple[int, int, int, bytes]) -> bool:
        pid, _, _, started = process
        if any((pid, started) in named for named in self._marks.values()):
            return True
        variables = _read(f"/proc/{pid}/environ").split(b"\0")
        carried = next((each for each in variables if each.startswith(_NAME)), b"")
        return any(mark in carried for mark in self._marks)


def main(host: int, started: bytes) -> None:
    """
    Wait until a host is dead, or needs nobody any more.

    Args:
        started: When the host did, as /proc tells it.
    """
    belongings = Belongings()
    if _outlives(host, started, belongings):
        _end(belongings)


def _outlives(host: int, started: bytes, belongings: Belongings) -> bool:
    """Listen; returns whether the host died with something left."""
    handle = _handle(host)
    poll = select.poll()
    poll.register(0, select.POLLIN)
    if handle is not None:
        poll.register(handle, select.POLLIN)
    now = _look(str(host))
    alive = now is not None and now[3] == started
    os.set_blocking(0, False)
    while True:
        ready = {descriptor for descriptor, _ in poll.poll()} if alive else {handle}
        closed = _listen(belongings)
        # A fork of the host may keep the pipe open, so its end alone says less than the host's.
        if handle in ready or not alive or (closed and handle is None):
            return bool(belongings)
        if closed and not belongings:
            return False
        if closed:
            poll.unregister(0)


def _listen(belongings: Belongings) -> bool:
    """Take what was said; returns whether nothing more can come."""
    while True:
        try:
            data = os.read(0, 1 << 16)
        except BlockingIOError:
            return False
        if not data:
            return True
        belongings.take(data)


def _end(belongings: Belongings) -> None:
    begun, quiet, told = time.monotonic(), 0, set[tuple[int, bytes]]()
    while quiet < _QUIET_LOOKS and time.monotonic() - begun < _LONGEST_S:
        running = belongings.running()
        quiet = 0 if running else quiet + 1
        kills = time.monotonic() - begun >= _GRACE_S
        for process in running:
            if kills:
                _send(*process, signal.SIGKILL)
            elif process not in told:
                told.add(process)
                _send(*process, signal.SIGTERM, signal.SIGCONT)
        time.sleep(_PAUSE_S)


def _send(pid: int, started: bytes, *numbers: signal.Signals) -> None:
    """Send signals to this process and to no later one of its pid."""
    handle = _handle(pid)
    now = _look(str(pid))
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if now is not None and now[3] == started:
            for number in numbers:
                if handle is None:
                    os.kill(pid, number)
                else:
                    signal.pidfd_send_signal(handle, number)
    if handle is not None:
        os.close(handle)


def _handle(pid: int) -> int | None:
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def _look(name: str) -> tuple[int, int, int, bytes] | None:
    """Return a process's pid, parent, session and start; None for what is none, or has ended."""
    if not name.isdecimal():
        return None
    fields = _read(f"/proc/{name}/stat").rpartition(b") ")[2].split()
    if not fields or fields[0] in (b"Z", b"X"):
        return None
    return int(name), int(fields[1]), int(fields[3]), fields[19]


def _read(path: str) -> bytes:
    try:
        with open(path, "rb", buffering=0) as stream:
            return stream.read()
    except OSError:
        return b""


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2].encode())
