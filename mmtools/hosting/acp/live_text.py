"""The end of what a call has printed so far, for looking on."""

from __future__ import annotations

from mmtools.core import screen_text, truncation
from mmtools.core.escapes import EscapeStripper
from mmtools.hosting.acp import editor_text

__all__ = ["LiveText"]

#: Characters shown while a call runs; every update carries all of them again.
_SHOWN = 4_000


class LiveText:
    """The end of a stream of output."""

    def __init__(self) -> None:
        self._escapes = EscapeStripper()
        self._end = ""
        self._dropped = 0

    def feed(self, piece: str) -> None:
        """Take the next piece, cut anywhere but inside a character."""
        self._end += self._escapes.feed(piece)
        if len(self._end) > 2 * _SHOWN:
            kept = truncation.keep_tail(self._end, _SHOWN)
            self._end = kept.text
            self._dropped += kept.dropped_chars

    def __bool__(self) -> bool:
        """Whether there is anything to show."""
        return bool(self._end.strip())

    def shown(self) -> str:
        """Return the end, and above it how much went before."""
        kept = truncation.keep_tail(self._end, _SHOWN)
        dropped = self._dropped + kept.dropped_chars
        body = editor_text.fenced(screen_text.plain(kept.text))
        return f"[… {dropped:,} characters before this …]\n\n{body}" if dropped else body
