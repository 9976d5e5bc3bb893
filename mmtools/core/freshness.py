"""What this session has read, and whether it is still so."""

from __future__ import annotations

import hashlib
from typing import TypeAlias

from attrs import define, field, frozen

from mmtools.core.stamps import Stamp
from mmtools.core.writers import Author, ByCall, Writers

__all__ = ["ChangedSince", "Fresh", "Ledger", "NeverRead", "Verdict", "fingerprint"]


@frozen
class Fresh:
    """The finding that the bytes are those that were read."""


@frozen
class NeverRead:
    """The finding that the file was not read in this session."""


@frozen
class ChangedSince:
    """
    The finding that the bytes are not those that were read.

    Args:
        author: Who of us did it, as far as it is known.
    """

    author: Author | None = None


Verdict: TypeAlias = Fresh | NeverRead | ChangedSince

_FRESH = Fresh()


def fingerprint(data: bytes) -> bytes:
    """Return what stands for a file's bytes in the ledger (SHA-256)."""
    return hashlib.sha256(data).digest()


@define(eq=False)
class _Seen:
    """
    What a session knows of a file.

    Args:
        digest: The `fingerprint` of its bytes.
        stamp: Taken before they were read, or since, where they were found to be the same.
        count: How many deeds of tools and commands had been noted by then.
    """

    digest: bytes
    stamp: Stamp | None
    count: int

    def is_proved_by(self, now: Stamp | None) -> bool:
        """Whether a later stamp proves that the file is still the same."""
        return self.stamp is not None and now is not None and self.stamp.proves(now)


@define(eq=False)
class Ledger:
    """
    The memory of what was read, by content: a `touch` costs nothing, a same-second change is seen.

    One per session; used from several threads, each step is a single dictionary operation.

    Args:
        session: What other sessions call this one when they meet what it wrote; empty for no name.
        writers: Who changed what, shared with the other sessions of a host.

    Source:
        crab tools page, "The freshness gate"; decision D5.
    """

    session: str = ""
    writers: Writers = field(factory=Writers)
    _seen: dict[str, _Seen] = field(init=False, factory=dict)

    def saw(self, path: str, digest: bytes, stamp: Stamp | None = None) -> None:
        """
        Note that the model knows these bytes: it read them, or wrote them.

        Args:
            path: Absolute, of the real file.
            digest: Their `fingerprint`.
            stamp: Taken before they were read.
        """
        self._seen[path] = _Seen(digest, stamp, self.writers.count)

    def wrote(self, path: str, digest: bytes, tool: str) -> None:
        """Note that a tool of this session gave a file these bytes."""
        self.writers.wrote(path, digest, ByCall(tool, self.session))
        self.saw(path, digest)

    def ran(self, command: str, begun_ns: int, ended_ns: int) -> None:
        """Note that a command of this session ran, and when by the wall clock."""
        self.writers.ran(command, begun_ns, ended_ns)

    def gone(self, path: str) -> None:
        """Forget a file that no longer exists."""
        self._seen.pop(path, None)

    def proven(self, path: str, stamp: Stamp | None) -> bool:
        """Whether a file's stamp proves that it is still what was read."""
        seen = self._seen.get(path)
        return seen is not None and seen.is_proved_by(stamp)

    def verdict(self, path: str, data: bytes, stamp: Stamp | None = None) -> Verdict:
        """
        Judge the bytes found now against those that were read.

        Args:
            stamp: Of the file while `data` was read; where it proves that nothing changed, the bytes are not hashed.
        """
        seen = self._seen.get(path)
        if seen is None:
            return NeverRead()
        if seen.is_proved_by(stamp):
            return _FRESH
        found = fingerprint(data)
        if found == seen.digest:
            seen.stamp = stamp
            return _FRESH
        since_ns = 0 if seen.stamp is None else seen.stamp.taken_ns
        return ChangedSince(self.writers.author(path, found, stamp=stamp, after=seen.count, since_ns=since_ns))

    def reset(self) -> None:
        """Begin a new session."""
        self._seen.clear()
