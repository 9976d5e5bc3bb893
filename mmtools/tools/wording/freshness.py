"""
Why a file must be read before it is changed, in words a model can act on.
"""

from __future__ import annotations

from typing import assert_never

from mmtools.core.freshness import ChangedSince, Fresh, Ledger, NeverRead
from mmtools.ports.files import Snapshot

__all__ = ["objection"]


def objection(ledger: Ledger | None, before: Snapshot) -> str | None:
    """
    Say that a file was not read, or not as it is now; None when it may be changed.

    Args:
        ledger: None where nothing needs to be read first.

    Source:
        crab tools page, "The freshness gate"; decision D5.
    """
    if ledger is None or before.data is None:
        return None
    place = before.place
    match ledger.verdict(place.path, before.data):
        case Fresh():
            return None
        case NeverRead():
            return f"{place.shown} was not read yet; nothing was written. Read it first, then repeat the change"
        case ChangedSince():
            return (
                f"{place.shown} changed since it was read; nothing was written. Read it again, then repeat the change"
            )
        case never:
            assert_never(never)
