"""
The head, the tail or both of a text that is too long, and how much was dropped.

Sizes are characters (code points), so nothing is cut inside one. Cuts prefer line ends.
"""

from __future__ import annotations

from collections import deque

from attrs import frozen

from mmtools.core.text import utf8_size

__all__ = ["HeadAndTail", "Kept", "keep_head", "keep_tail", "shortened"]

#: How far a cut may move, in characters, to fall between two lines.
_LINE_SEARCH = 200


@frozen(kw_only=True)
class Kept:
    """
    What was kept of a text.

    Args:
        text: A prefix or a suffix of the original.
        dropped_chars: 0 when the text is whole.
        dropped_bytes: UTF-8 size of what was dropped.
    """

    text: str
    dropped_chars: int = 0
    dropped_bytes: int = 0


def keep_head(text: str, max_chars: int) -> Kept:
    """
    Keep the beginning of a text.

    Args:
        max_chars: 0 or more.

    Returns:
        At most `max_chars`; cut after a line end when one lies within the last 200 characters of
        these (within the second half, when the budget is smaller than 400).
    """
    if len(text) <= max_chars:
        return Kept(text=text)
    cut = _line_end_before(text, max_chars)
    return Kept(text=text[:cut], dropped_chars=len(text) - cut, dropped_bytes=utf8_size(text[cut:]))


def keep_tail(text: str, max_chars: int) -> Kept:
    """
    Keep the end of a text.

    Args:
        max_chars: 0 or more.

    Returns:
        At most `max_chars`; cut after a line end when one lies just before or within the first 200
        characters of these (within the first half, when the budget is smaller than 400).
    """
    if len(text) <= max_chars:
        return Kept(text=text)
    cut = _line_start_after(text, len(text) - max_chars)
    return Kept(text=text[cut:], dropped_chars=cut, dropped_bytes=utf8_size(text[:cut]))


def shortened(text: str, max_chars: int) -> str:
    """
    Keep the beginning of a text of one line, with `…` for what goes.

    Args:
        max_chars: 1 or more, the `…` among them.
    """
    return text if len(text) <= max_chars else f"{text[: max_chars - 1]}…"


def _line_end_before(text: str, cut: int) -> int:
    reach = min(_LINE_SEARCH, cut // 2)
    return text.rfind("\n", cut - reach, cut) + 1 or cut


def _line_start_after(text: str, cut: int) -> int:
    reach = min(_LINE_SEARCH, (len(text) - cut) // 2)
    return text.find("\n", cut - 1, cut + reach) + 1 or cut


class HeadAndTail:
    """
    Both ends of a stream, about half of the budget each, in memory that does not grow with the stream.

    Args:
        max_chars: 0 or more; head and tail together.
    """

    def __init__(self, max_chars: int) -> None:
        self._head_budget = max_chars // 2
        self._tail_budget = max_chars - self._head_budget
        self._head: list[str] = []
        self._head_room = self._head_budget
        self._tail: deque[str] = deque()
        self._tail_chars = 0
        self._elided_bytes = 0

    def feed(self, text: str) -> None:
        """Take the next piece."""
        if self._head_room:
            start, text = text[: self._head_room], text[self._head_room :]
            self._head.append(start)
            self._head_room -= len(start)
        if text:
            self._tail.append(text)
            self._tail_chars += len(text)
            if self._tail_chars > 2 * self._tail_budget + 1:
                self._shorten_tail()

    def captured(self) -> tuple[str, str, int]:
        """
        Return head, tail and the UTF-8 size of what stood between them, so far.

        Returns:
            The whole text, `""` and 0 when it fits. Else both are cut at line ends where `keep_head`
            and `keep_tail` would.
        """
        head, tail = "".join(self._head), "".join(self._tail)
        if not self._elided_bytes and len(tail) <= self._tail_budget:
            return head + tail, "", 0
        cut = _line_end_before(head, len(head))
        end = keep_tail(tail, self._tail_budget)
        return head[:cut], end.text, utf8_size(head[cut:]) + self._elided_bytes + end.dropped_bytes

    def _shorten_tail(self) -> None:
        """Drop what cannot be part of the tail; one character more tells whether the tail starts a line."""
        spare = self._tail_chars - self._tail_budget - 1
        self._tail_chars -= spare
        while spare:
            piece = self._tail.popleft()
            cut = min(spare, len(piece))
            spare -= cut
            self._elided_bytes += cut if piece.isascii() else utf8_size(piece[:cut])
            if cut < len(piece):
                self._tail.appendleft(piece[cut:])
