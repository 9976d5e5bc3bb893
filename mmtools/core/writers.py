"""Which of us changed a file: the tools and commands of all sessions that may meet on a disk."""

from __future__ import annotations

from typing import TypeAlias

from attrs import define, field, frozen

from mmtools.core.stamps import Stamp

__all__ = ["Author", "ByCall", "ByCommand", "Writers"]

#: 20 ms: how far a file system's clock may lag behind the one that the span of a command is read from.
_LAG_NS = 20_000_000
#: Commands that are remembered.
_MOST_COMMANDS = 64


@frozen
class ByCall:
    """
    A tool that wrote a file.

    Args:
        session: Its session's name; empty for one without a name.
    """

    tool: str
    session: str = ""


@frozen
class ByCommand:
    """
    A command that ran while a file changed.

    Args:
        command: As it was run.
    """

    command: str


Author: TypeAlias = ByCall | ByCommand


@frozen
class _Written:
    digest: bytes
    call: ByCall
    number: int


@frozen
class _Span:
    command: str
    begun_ns: int
    ended_ns: int
    number: int


@define(eq=False)
class Writers:
    """
    The memory of what tools and commands did to files: one record for all the sessions that may meet on a disk.

    Used from several threads, as a ledger is.
    """

    #: How many deeds were noted.
    count: int = field(init=False, default=0)
    _written: dict[str, _Written] = field(init=False, factory=dict)
    _spans: list[_Span] = field(init=False, factory=list)

    def wrote(self, path: str, digest: bytes, call: ByCall) -> None:
        """
        Note that a tool gave a file these bytes.

        Args:
            path: Absolute, of the real file.
            digest: Their `freshness.fingerprint`.
        """
        self.count += 1
        self._written[path] = _Written(digest, call, self.count)

    def ran(self, command: str, begun_ns: int, ended_ns: int) -> None:
        """Note that a command ran, and when by the wall clock."""
        self.count += 1
        self._spans.append(_Span(command, begun_ns, ended_ns, self.count))
        del self._spans[:-_MOST_COMMANDS]

    def author(self, path: str, digest: bytes, *, stamp: Stamp | None, after: int, since_ns: int) -> Author | None:
        """
        Find out who gave a file the bytes that it has now.

        Args:
            stamp: Of the file now.
            after: `count` when it was still as before; who did something earlier did not do this.
            since_ns: The wall clock's time then, or 0.
        """
        written = self._written.get(path)
        if written is not None and written.number > after and written.digest == digest:
            return written.call
        if stamp is None:
            return None
        # Who puts the time of the content back cannot do so with that of the status.
        changed_ns = stamp.mtime_ns if stamp.mtime_ns > since_ns else stamp.ctime_ns
        for span in reversed(self._spans[:]):
            if span.number > after and span.begun_ns - _LAG_NS <= changed_ns <= span.ended_ns:
                return ByCommand(span.command)
        return None
