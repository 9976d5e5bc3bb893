"""A search engine as a child program: read while it runs, and ended when its time is over or nobody wants more."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress

from attrs import define, field, frozen

from mmtools.adapters.process import children
from mmtools.adapters.process.children import Child
from mmtools.adapters.process.output import Wake
from mmtools.call import Cancellation
from mmtools.ports.search import Ended, EngineFailed, PlaceMissing

__all__ = ["Ending", "EngineRun", "run_engine"]

#: What is read at once, and what the pipe is asked to hold.
_READ_BYTES = 1 << 18
#: What every pipe takes without a reader.
_PIPE_BYTES = 1 << 12
#: Of standard error so much is kept from the start, and from the end.
_COMPLAINT_BYTES, _LAST_COMPLAINT_BYTES = 1 << 18, 1 << 12
#: How each complaint begins.
_BEGIN = b"\nrg: "
#: A child that has closed its output, or was killed, is reaped within microseconds, or never.
_REAP_S = 1.0
#: The longest sleep in one piece; only to stay within what the system's poll can count.
_LONGEST_WAIT_S = 3600.0


@frozen(kw_only=True)
class EngineRun:
    """
    What to start, and until when it may run.

    Args:
        arguments: The program first, by its path.
        directory: Where it runs; absolute.
        input: What it reads from standard input.
        deadline: By `time.monotonic`.
    """

    arguments: tuple[str, ...]
    directory: str
    input: bytes = b""
    environment: Mapping[str, str]
    deadline: float
    cancellation: Cancellation


@frozen(kw_only=True)
class Ending:
    """
    How an engine ended.

    Args:
        ended: LIMIT when the reader wanted no more.
        code: Its exit code, negative for a signal; None when it was stopped, and for ALL when it is not known.
        complaints: What it wrote to standard error.
    """

    ended: Ended
    code: int | None = None
    complaints: bytes = b""


def run_engine(
    run: EngineRun, take: Callable[[bytes], bool], *, more_time: Callable[[], float] | None = None
) -> Ending:
    """
    Run an engine to its end, or until it must stop; nothing that it started in its process group lives on.

    Args:
        take: Gets each piece of its standard output, cut anywhere; returns whether it wants more.
        more_time: Asked once, when the deadline has passed, for another.

    Raises:
        PlaceMissing: The directory cannot be entered.
        EngineFailed: It cannot be started.
    """
    if run.cancellation.requested:
        return Ending(ended=Ended.CANCELLED)
    wake = Wake()
    unsubscribe = run.cancellation.subscribe(wake.set)
    try:
        child = _start(run)
        try:
            return _Listener(run, child, take, wake, more_time).until_end()
        finally:
            _end(child)
    finally:
        unsubscribe()
        wake.close()


def _start(run: EngineRun) -> Child:
    with _standard_input(run.input) as reader:
        try:
            child = children.start(
                # In UTF-8, whatever the locale: patterns are text, and names are what the disk holds.
                [argument.encode("utf-8", "surrogateescape") for argument in run.arguments],
                stdin=reader,
                output=subprocess.PIPE,
                directory=run.directory,
                environment=run.environment,
            )
        except OSError as problem:
            reason = problem.strerror or str(problem)
            if problem.filename == run.directory:
                raise PlaceMissing(reason) from problem
            raise EngineFailed(f"{run.arguments[0]}: {reason}") from problem
    if hasattr(fcntl, "F_SETPIPE_SZ") and child.process.stdout:
        with suppress(OSError):
            fcntl.fcntl(child.process.stdout, fcntl.F_SETPIPE_SZ, _READ_BYTES)
    return child


@contextmanager
def _standard_input(data: bytes) -> Iterator[int]:
    """Give a descriptor that `data` can be read from, with nobody left to wait for."""
    if not data:
        yield subprocess.DEVNULL
    elif len(data) <= _PIPE_BYTES:
        reader, writer = os.pipe()
        try:
            os.write(writer, data)
            os.close(writer)
            yield reader
        finally:
            os.close(reader)
    else:
        with tempfile.TemporaryFile() as file:
            file.write(data)
            file.seek(0)
            yield file.fileno()


def _end(child: Child) -> None:
    """Kill what still runs, and reap it; what hangs in the kernel is not waited for."""
    if not child.poll():
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait(_REAP_S)
    child.close()
    for pipe in (child.process.stdout, child.process.stderr):
        if pipe:
            pipe.close()


@define
class _Listener:
    """A reader of both outputs of a child; no thread but the caller's has a part in it."""

    _run: EngineRun
    _child: Child
    _take: Callable[[bytes], bool]
    _wake: Wake
    _more_time: Callable[[], float] | None
    _complaints: bytearray = field(factory=bytearray, init=False)
    _last_complaints: bytes = field(default=b"", init=False)
    _deadline: float = field(init=False)

    def until_end(self) -> Ending:
        assert self._child.process.stdout
        assert self._child.process.stderr
        stdout, stderr = self._child.process.stdout.fileno(), self._child.process.stderr.fileno()
        poll = select.poll()
        for descriptor in (stdout, stderr, self._wake.reader):
            poll.register(descriptor, select.POLLIN)
        open_outputs = {stdout, stderr}
        self._deadline = self._run.deadline
        while open_outputs:
            left_s = self._left_s()
            if self._run.cancellation.requested:
                return self._stopped(Ended.CANCELLED, stderr)
            if left_s <= 0:
                return self._stopped(Ended.TIME, stderr)
            for descriptor, _ in poll.poll(min(left_s, _LONGEST_WAIT_S) * 1000):
                if descriptor == self._wake.reader:
                    continue
                data = os.read(descriptor, _READ_BYTES)
                if not data:
                    poll.unregister(descriptor)
                    open_outputs.discard(descriptor)
                elif descriptor == stderr:
                    self._complain(data)
                elif not self._take(data):
                    return self._stopped(Ended.LIMIT, stderr)
        if not self._child.wait(max(self._left_s(), 0)):
            return self._stopped(Ended.TIME, stderr)
        return Ending(ended=Ended.ALL, code=self._child.code, complaints=self._all_complaints())

    def _left_s(self) -> float:
        left_s = self._deadline - time.monotonic()
        if left_s <= 0 and self._more_time:
            self._deadline = self._more_time()
            self._more_time = None
            left_s = self._deadline - time.monotonic()
        return left_s

    def _stopped(self, ended: Ended, stderr: int) -> Ending:
        """End here, with what the child has complained about until now."""
        os.set_blocking(stderr, False)
        with suppress(BlockingIOError):
            if data := os.read(stderr, _READ_BYTES):
                self._complain(data)
        return Ending(ended=ended, complaints=self._all_complaints())

    def _complain(self, data: bytes) -> None:
        room = max(_COMPLAINT_BYTES - len(self._complaints), 0)
        self._complaints += data[:room]
        self._last_complaints = (self._last_complaints + data[room:])[-_LAST_COMPLAINT_BYTES:]

    def _all_complaints(self) -> bytes:
        """Join both ends, without the complaints that are broken where the middle is left out."""
        first, last = bytes(self._complaints), self._last_complaints
        if len(last) == _LAST_COMPLAINT_BYTES:
            # Where there is one complaint only, it has many lines.
            whole, begins, _ = first.rpartition(_BEGIN)
            first = (whole if begins else first.rpartition(b"\n")[0]) + b"\n"
            _, begins, rest = last.partition(_BEGIN)
            last = begins[1:] + rest if begins else last.partition(b"\n")[2] or last
        return first + last
