"""
What this session has read, and whether it is still so.
"""

from __future__ import annotations

import hashlib
from typing import TypeAlias

from attrs import define, field, frozen

__all__ = ["ChangedSince", "Fresh", "Ledger", "NeverRead", "Verdict", "fingerprint"]


@frozen
class Fresh:
    """
    Say that the bytes are those that were read.
    """


@frozen
class NeverRead:
    """
    Say that the file was not read in this session.
    """


@frozen
class ChangedSince:
    """
    Say that the bytes are not those that were read.
    """


Verdict: TypeAlias = Fresh | NeverRead | ChangedSince


def fingerprint(data: bytes) -> bytes:
    """
    Return what stands for a file's bytes in the ledger (SHA-256).
    """
    return hashlib.sha256(data).digest()


@define(eq=False)
class Ledger:
    """
    Remember what was read, by content: a `touch` costs nothing, a same-second change is seen.

    One per session; used from several threads, each step is a single dictionary operation.

    Source:
        crab tools page, "The freshness gate"; decision D5.
    """

    _seen: dict[str, bytes] = field(init=False, factory=dict)

    def saw(self, path: str, print_of: bytes) -> None:
        """
        Note that the model knows these bytes: it read them, or wrote them.

        Args:
            path: Absolute, of the real file.
            print_of: Their `fingerprint`.
        """
        self._seen[path] = print_of

    def gone(self, path: str) -> None:
        """
        Forget a file that no longer exists.
        """
        self._seen.pop(path, None)

    def verdict(self, path: str, data: bytes) -> Verdict:
        """
        Judge the bytes found now against those that were read.
        """
        seen = self._seen.get(path)
        if seen is None:
            return NeverRead()
        return Fresh() if seen == fingerprint(data) else ChangedSince()

    def reset(self) -> None:
        """
        Begin a new session.
        """
        self._seen.clear()
