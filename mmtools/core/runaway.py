"""Notice a tool call whose streamed arguments repeat themselves or swell, while they are streamed."""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

__all__ = ["Fine", "Runaway", "RunawayGuard", "Verdict"]

#: The bytes of UTF-8 that do not start a character.
_CONTINUATION = bytes(range(0x80, 0xC0))

#: A position that no stream reaches.
_NEVER = 1 << 62


@frozen
class Fine:
    """The verdict that the stream may go on."""


@frozen
class Runaway:
    """
    The verdict that the generation must be stopped, and the call not be run.

    Args:
        characters: How many had come when a rule was first broken.
    """

    error: str
    characters: int


Verdict: TypeAlias = Fine | Runaway

_FINE = Fine()


class RunawayGuard:
    """
    A watch over the arguments of one tool call; feed it from one thread at a time.

    What is said about a text, and the number of characters in it, do not depend on how the text was
    cut into deltas. Content that repeats honestly, such as a rule of 256 dashes, is stopped too: a
    host that wants it sets the numbers.

    Args:
        window: Characters at the end that must not be one pattern repeated.
        min_pattern: Characters of the shortest pattern; "-" counts as "----".
        max_pattern: Characters of the longest; at most half a window.
        max_bytes: UTF-8 bytes that the arguments may have.

    Raises:
        ValueError: The numbers fit no rule.

    Source:
        mm reference, "Loop detection": 256 characters, patterns of 4 to 64, 256 KB.
    """

    def __init__(
        self, *, window: int = 256, min_pattern: int = 4, max_pattern: int = 64, max_bytes: int = 256 * 1024
    ) -> None:
        if not 1 <= min_pattern <= max_pattern <= window // 2 or max_bytes < 0:
            raise ValueError("need 1 <= min_pattern <= max_pattern <= window / 2 and max_bytes >= 0")
        self.window = window
        self.min_pattern = min_pattern
        self.max_pattern = max_pattern
        self.max_bytes = max_bytes
        self.reset()

    def reset(self) -> None:
        """Begin with the next tool call."""
        self._runaway: Runaway | None = None
        # The end of what was looked at, then what was not.
        self._pieces = [""]
        # All positions count the characters of the whole stream.
        self._chars = 0
        self._measured = 0
        self._bytes = 0
        self._probe_at = 2 * self.max_pattern
        self._suspect_at = _NEVER
        self._suspect_period = 0
        self._look_at = min(self._probe_at, self._measure(""))

    def feed(self, delta: str) -> Verdict:
        """
        Take the next piece, of any length.

        Returns:
            `Runaway` from the piece on in which a rule is broken, until `reset`.
        """
        self._pieces.append(delta)
        self._chars += len(delta)
        return _FINE if self._chars < self._look_at else self._look()

    def _look(self) -> Verdict:
        text = "".join(self._pieces)
        self._pieces = [text[-self.window :]]
        if self._runaway is not None:
            return self._runaway
        overflow_at = self._measure(text)
        self._runaway = self._repetition(text, min(overflow_at, self._chars))
        if self._runaway is None and overflow_at <= self._chars:
            self._runaway = Runaway(_too_large(self.max_bytes, overflow_at), overflow_at)
        self._look_at = min(self._probe_at, self._suspect_at, overflow_at)
        return self._runaway or _FINE

    def _measure(self, text: str) -> int:
        """Return after how many characters the size is first over its limit, or could be; `text` ends the stream."""
        fresh = self._chars - self._measured
        self._measured = self._chars
        left = self.max_bytes - self._bytes
        if text.isascii():
            self._bytes += fresh
            if fresh > left:
                return self._chars - fresh + left + 1
        else:
            encoded = text[len(text) - fresh :].encode("utf-8", "surrogatepass")
            self._bytes += len(encoded)
            if len(encoded) > left:
                return self._chars - fresh + len(encoded[: left + 1].translate(None, _CONTINUATION))
        # A character has at most 4 bytes.
        return self._chars + (self.max_bytes - self._bytes) // 4 + 1

    def _repetition(self, text: str, end: int) -> Runaway | None:
        """
        Find the first window up to `end` that is one pattern repeated; `text` ends the stream.

        Few windows need be compared as a whole. Probes stand so close that each window holds one with
        `2 * max_pattern` characters before it; there, a window of period p repeats its `max_pattern`
        last characters p earlier. Of several periods the shortest will do: two that share so much text
        are multiples of a common one (Fine and Wilf), and a window that has one has the other.
        """
        base = self._chars - len(text)
        longest, window = self.max_pattern, self.window
        while True:
            if self._suspect_at <= self._probe_at:
                if self._suspect_at > end:
                    return None
                stop = self._suspect_at - base
                start, period = stop - window, self._suspect_period
                if text[start + period : stop] == text[start : stop - period]:
                    return Runaway(_repeats(text[start : start + period], self._suspect_at), self._suspect_at)
                self._suspect_at = _NEVER
            if self._probe_at > end:
                return None
            here = self._probe_at - base
            self._probe_at += window - 2 * longest + 1
            sample = here - longest
            found = text.rfind(text[sample:here], sample - longest, here - self.min_pattern)
            if found < 0:
                self._suspect_at = _NEVER
            else:
                self._suspect_period = sample - found
                start = _start(text, found, self._suspect_period, max(0, here - window))
                self._suspect_at = base + start + window


def _start(text: str, known: int, period: int, lowest: int) -> int:
    """Return where the text begins to have a period that it has from `known` on; not below `lowest`."""
    while lowest < known:
        middle = (lowest + known) // 2
        if text[middle:known] == text[middle + period : known + period]:
            known = middle
        else:
            lowest = middle + 1
    return known


def _repeats(pattern: str, characters: int) -> str:
    shown = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in pattern)
    return (
        f"[error: the model's tool call ran away: its arguments repeat the same pattern ({characters} characters so far: "
        f"{shown}) — generation stopped; rephrase the request, or try another model]"
    )


def _too_large(max_bytes: int, characters: int) -> str:
    limit = f"{max_bytes // 1024} KB" if max_bytes and max_bytes % 1024 == 0 else f"{max_bytes} bytes"
    return (
        f"[error: the model's tool call ran away: its arguments exceed {limit} ({characters} characters so far) "
        "— generation stopped; rephrase the request, or try another model]"
    )
