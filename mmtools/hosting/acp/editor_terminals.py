"""Commands in the editor's own terminals, where a person sees them run."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from attrs import define, evolve, field, frozen

from mmtools.call import Cancellation
from mmtools.core import escapes
from mmtools.core.environment import NON_INTERACTIVE
from mmtools.core.truncation import HeadAndTail
from mmtools.hosting.acp import sdk
from mmtools.hosting.acp.sdk import schema
from mmtools.hosting.acp.session import AcpSession
from mmtools.ports.processes import Captured, End, Exit, Processes, ProcessesClosed, ProcessProblem

__all__ = ["EditorTerminals"]

#: Bytes of output that the editor keeps at most: six on the wire each at worst, of the 50 MB that the SDK reads.
_MAX_BYTES = 4_000_000

#: 5 s: how long an editor has to say how a command ended that it was told to kill.
_KILL_S = 5.0

#: For a shell that ended, the editor does not say how.
_UNKNOWN = -1

#: A person looks at the terminal: colours stay.
_VARIABLES = {name: value for name, value in NON_INTERACTIVE.items() if name not in ("NO_COLOR", "TERM")}

#: Above an output whose beginning the editor no longer had.
_LOST = f"[the beginning is lost: the editor's terminal keeps {_MAX_BYTES:,} bytes]"


@frozen
class _Ended:
    """How a command ended."""

    end: End
    output: str
    code: int | None = None
    signal: int | None = None


@define(eq=False)
class EditorTerminals:
    """
    Commands, each run by `bash -c` in a terminal of the editor's, if the editor offers them; else by `processes`.

    What goes on in a terminal is the editor's: its environment with ours on top, what it kills and what it leaves
    running. Survivors are not named, and of output past 4 MB the beginning is lost, which the text says.

    Args:
        processes: Says where commands run.
    """

    processes: Processes
    session: AcpSession
    _stops: set[asyncio.Event] = field(init=False, factory=set)
    _late: list[asyncio.Future[None]] = field(init=False, factory=list)
    _lock: threading.Lock = field(init=False, factory=threading.Lock)
    _closed: bool = field(init=False, default=False)

    @property
    def directory(self) -> str:
        return self.processes.directory

    def run(
        self,
        command: str,
        *,
        timeout_s: float,
        max_chars: int,
        on_output: Callable[[str], None],
        cancellation: Cancellation,
    ) -> Exit:
        if not sdk.has_terminals(self.session.capabilities):
            return self.processes.run(
                command, timeout_s=timeout_s, max_chars=max_chars, on_output=on_output, cancellation=cancellation
            )
        stop = asyncio.Event()
        with self._lock:
            if self._closed:
                raise ProcessesClosed("the terminals are closed")
            self._stops.add(stop)
        unsubscribe = cancellation.subscribe(partial(self.session.host_loop.soon, stop.set))
        try:
            if cancellation.requested:
                return Exit(end=End.CANCELLED, output=Captured(head=""))
            ended = self.session.wait_for(self._run(command, timeout_s, stop))
        except (sdk.RequestError, OSError) as error:
            raise ProcessProblem(f"the editor's terminal: {sdk.reason(error)}") from error
        finally:
            unsubscribe()
            with self._lock:
                self._stops.discard(stop)
        on_output(ended.output)
        kept = HeadAndTail(max_chars)
        kept.feed(ended.output)
        head, tail, elided = kept.captured()
        captured = Captured(head=head, tail=tail, elided_bytes=elided)
        return Exit(end=ended.end, output=captured, code=ended.code, signal=ended.signal)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            stops = list(self._stops)
        for stop in stops:
            self.session.host_loop.soon(stop.set)
        self.processes.close()

    async def _run(self, command: str, timeout_s: float, stop: asyncio.Event) -> _Ended:
        creating = asyncio.ensure_future(
            self.session.connection.create_terminal(
                session_id=self.session.session_id,
                command="bash",
                args=["-c", command],
                env=[schema.EnvVariable(name=name, value=value) for name, value in _VARIABLES.items()],
                cwd=self.directory,
                output_byte_limit=_MAX_BYTES,
            )
        )
        if await _first(creating, stop, None) is not End.EXITED:
            # An editor may ask its person first. What it makes after all is ended at once.
            self._late.append(asyncio.ensure_future(self._release(creating)))
            return _Ended(End.CANCELLED, "")
        try:
            return await self._watch(creating.result().terminal_id, timeout_s, stop)
        finally:
            await self._release(creating)

    async def _watch(self, terminal_id: str, timeout_s: float, stop: asyncio.Event) -> _Ended:
        connection, session_id = self.session.connection, self.session.session_id
        self.session.embed(terminal_id)
        await self.session.flush()
        exiting = asyncio.ensure_future(
            connection.wait_for_terminal_exit(session_id=session_id, terminal_id=terminal_id)
        )
        try:
            end = await _first(exiting, stop, timeout_s)
            if end is not End.EXITED:
                with suppress(sdk.RequestError):
                    await connection.kill_terminal(session_id=session_id, terminal_id=terminal_id)
                await asyncio.wait([exiting], timeout=_KILL_S)
            said = await connection.terminal_output(session_id=session_id, terminal_id=terminal_id)
            output = escapes.strip(said.output.replace("\r\n", "\n"))
            ended = _Ended(end, f"{_LOST}\n{output}" if said.truncated else output)
            if end is not End.EXITED:
                return ended
            exited = exiting.result()
            number = _signal(exited.signal)
            code = _UNKNOWN if exited.exit_code is None and number is None else exited.exit_code
            return evolve(ended, code=code, signal=number)
        finally:
            exiting.cancel()
            if exiting.done() and not exiting.cancelled():
                exiting.exception()

    async def _release(self, creating: asyncio.Future[Any]) -> None:
        with suppress(sdk.RequestError, OSError):
            terminal = await creating
            await self.session.connection.release_terminal(
                session_id=self.session.session_id, terminal_id=terminal.terminal_id
            )


async def _first(exiting: asyncio.Future[Any], stop: asyncio.Event, timeout_s: float | None) -> End:
    stopping: asyncio.Future[Any] = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait([exiting, stopping], timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
        if exiting.done():
            return End.EXITED
        return End.CANCELLED if stopping.done() else End.TIMED_OUT
    finally:
        stopping.cancel()


def _signal(name: str | None) -> int | None:
    """Return a signal's number by its name, as editors write it: SIGKILL, KILL or 9."""
    if name is None:
        return None
    if name.isdecimal():
        return int(name)
    known = signal.Signals.__members__
    found = known.get(name.upper()) or known.get(f"SIG{name.upper()}")
    return None if found is None else int(found)
