"""
Children of this process, and how they end.

Where the host ignores SIGCHLD the system tells nobody how a child ended. There a small Python waits for the program
in our place and writes its status to a pipe. Where something else in the host takes the status away, it is not known,
and never taken for success.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress

from attrs import field, frozen

__all__ = ["Child", "start"]

#: Between two looks at a child that was just told to end: from, and to.
_SHORTEST_PAUSE_S, _LONGEST_PAUSE_S = 0.0005, 0.05
#: Waits for a program in place of a host that ignores SIGCHLD. Its arguments: the descriptor for the status, whether
#: LC_CTYPE was set (Python sets it by itself in the C locale), the file of the program, its arguments.
_SUPERVISOR = """
import os, signal, sys
writer, located, program, *arguments = sys.argv[1:]
signal.signal(signal.SIGCHLD, signal.SIG_DFL)
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
if not int(located):
    os.environ.pop("LC_CTYPE", None)
child = os.fork()
if not child:
    os.close(int(writer))
    try:
        os.execv(program, arguments)
    finally:
        os._exit(127)
os.closerange(0, 3)
os.write(int(writer), b"%d" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
_SUPERVISED = ("-I", "-S", "-X", "utf8", "-c", _SUPERVISOR)


@frozen(eq=False)
class Child:
    """
    A started child.

    Args:
        process: As `subprocess` has it; waited for only here, since it takes a status that is gone for 0.
        status: The descriptor of the pipe that a supervisor writes the status to; closed with this object.
    """

    process: subprocess.Popen[bytes]
    _status: int | None = None
    _ended: list[int | None] = field(factory=list, init=False)

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def ended(self) -> bool:
        """Whether it has ended and was waited for."""
        return bool(self._ended)

    @property
    def code(self) -> int | None:
        """Its exit code, negative for a signal; None as long as it is not known, which may be for ever."""
        return self._ended[0] if self._ended else None

    def poll(self) -> bool:
        """Take the status, if it has ended; returns whether it has."""
        if not self._ended:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:
                self._end(None)
            else:
                if pid:
                    self._end(os.waitstatus_to_exitcode(status))
        return self.ended

    def wait(self, seconds: float) -> bool:
        """Wait until it has ended; returns whether it has."""
        deadline, pause_s = time.monotonic() + seconds, _SHORTEST_PAUSE_S
        while not self.poll():
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                return False
            time.sleep(min(pause_s, left_s))
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
        return True

    def close(self) -> None:
        """Close the pipe for the status, if it was not read."""
        if self._status is not None and not self._ended:
            self._ended.append(None)
            os.close(self._status)

    def _end(self, code: int | None) -> None:
        if self._status is not None:
            code = _reported(self._status)
            os.close(self._status)
        self._ended.append(code)
        # Else `subprocess` would wait for it once more.
        self.process.returncode = 0 if code is None else code


def start(
    command: Sequence[str | bytes],
    *,
    program: str | None = None,
    stdin: int,
    output: int,
    directory: str,
    environment: Mapping[str, str],
) -> Child:
    """
    Start a program in a session of its own.

    Args:
        program: Its file; by default the first word of the command, looked up in the PATH of `environment`.
        stdin: A descriptor, or `subprocess.PIPE` or `DEVNULL`; so is
        output: That of stdout and stderr; PIPE is one for each.

    Raises:
        OSError: It cannot be started.
        ValueError: There is a NUL in the command.
    """
    passed: tuple[int, ...] = ()
    with ExitStack() as done, ExitStack() as undo:
        reader: int | None = None
        if sys.executable and signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
            located = program or _located(os.fsdecode(command[0]), environment.get("PATH"))
            reader, writer = os.pipe()
            done.callback(os.close, writer)
            undo.callback(os.close, reader)
            passed, program = (writer,), sys.executable
            command = [program, *_SUPERVISED, str(writer), str(int("LC_CTYPE" in environment)), located, *command]
        process = subprocess.Popen(
            list(command),
            executable=program,
            stdin=stdin,
            stdout=output,
            stderr=output,
            bufsize=0,
            cwd=directory,
            env=environment,
            start_new_session=True,
            pass_fds=passed,
        )
        undo.pop_all()
    return Child(process, reader)


def _located(program: str, path: str | None) -> str:
    found = shutil.which(program, path=path)
    if found is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), program)
    return os.path.abspath(found)


def _reported(reader: int) -> int | None:
    """Read what a supervisor wrote; it has ended."""
    os.set_blocking(reader, False)
    with suppress(BlockingIOError, ValueError):
        return int(os.read(reader, 16))
    return None
