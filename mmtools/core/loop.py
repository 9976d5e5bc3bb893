"""Notice a model that repeats itself: the same tool, arguments and output in a row."""

from __future__ import annotations

import json
from typing import TypeAlias

from attrs import frozen

from mmtools.core.digests import Token, tokens

__all__ = ["MARKER", "Fresh", "LoopDetector", "Stop", "Verdict", "Warn"]

#: Source: mm reference, "Loop detection"; stands on a line of its own after the output.
MARKER = (
    "[LOOP_DETECTED: You have attempted the same action multiple times with the same result. "
    "Please try a different approach or provide more information.]"
)


@frozen
class Fresh:
    """
    The verdict that nothing is to be done.

    Args:
        count: How often the call was made in a row; 1 when it differs from the one before.
    """

    count: int


@frozen
class Warn:
    """The verdict that the model should hear of it: append `marker` to the output."""

    count: int
    marker: str


@frozen
class Stop:
    """The verdict that the turn must end, with `error` in place of the output."""

    count: int
    error: str


Verdict: TypeAlias = Fresh | Warn | Stop


class LoopDetector:
    """
    A count of how often the last call was made in a row.

    One detector belongs to one session. It holds the last call's arguments and output, shared where
    they are strings, and no lock: record from one thread at a time.

    Args:
        warn_after: From this count on, warn.
        stop_after: From this count on, stop.

    Raises:
        ValueError: A threshold is below 1.

    Source:
        mm reference, "Loop detection": 3, then 3 more.
    """

    def __init__(self, warn_after: int = 3, stop_after: int = 6) -> None:
        if warn_after < 1 or stop_after < 1:
            raise ValueError(f"thresholds are counts from 1 on, not {warn_after} and {stop_after}")
        self.warn_after = warn_after
        self.stop_after = stop_after
        self._last: tuple[object, ...] | None = None
        self._count = 0

    def record(self, tool: str, arguments: object, output: object) -> Verdict:
        """
        Count a call that has ended, whether it succeeded or failed.

        Args:
            arguments: A mapping, JSON text, None or "" for none, or anything else. Two are the same when
                their JSON is: spaces and the order of keys do not count. Text that is not JSON is itself.
            output: The text before a marker was added; the text of the failure for a call that failed.
        """
        call = (tool, _arguments(arguments), tokens(output))
        self._count = self._count + 1 if call == self._last else 1
        self._last = call
        if self._count >= self.stop_after:
            return Stop(self._count, _error(tool, self._count))
        if self._count >= self.warn_after:
            return Warn(self._count, MARKER)
        return Fresh(self._count)

    def reset(self) -> None:
        """Start a new session; shortening a conversation is not one."""
        self._last = None
        self._count = 0


def _arguments(sent: object) -> tuple[Token, ...] | str:
    value = sent
    if isinstance(sent, str):
        try:
            value = json.loads(sent) if sent else None
        except (ValueError, RecursionError):
            return sent
    return tokens({} if value is None else value)


def _error(tool: str, count: int) -> str:
    # A model may make up a name that holds half a surrogate pair, which no host could send.
    name = tool.encode("utf-8", "replace").decode("utf-8")
    return (
        f"[error: the model repeated the same {name} call {count} times in a row with the same failing result — "
        "turn stopped by the loop detector; rephrase the request, or fix what the tool kept reporting]"
    )
