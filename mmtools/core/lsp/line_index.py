"""Which line an offset is on, and where a line is."""

from __future__ import annotations

from bisect import bisect_right

__all__ = ["LineIndex"]

#: Characters whose line breaks are counted at once, and looked for one by one: a dozen lines.
_BLOCK = 512


class LineIndex:
    """
    An index of lines by number and by offset, after one count of line breaks, block by block.

    A table of all line starts would take ten times as long to make as one place takes to be found.

    Args:
        text: Raw.
        page: The same with a `\\n` at the end of every line, and nowhere else.
    """

    def __init__(self, text: str, page: str) -> None:
        self._text = text
        self._page = page
        #: How many lines have ended before each block.
        self._ended = [0]
        for start in range(0, len(page), _BLOCK):
            self._ended.append(self._ended[-1] + page.count("\n", start, start + _BLOCK))

    @property
    def breaks(self) -> int:
        """How many lines end with a line break."""
        return self._ended[-1]

    def line_of(self, offset: int) -> int:
        """Return the line, 0-based, that an offset is on."""
        block = min(offset // _BLOCK, len(self._ended) - 1)
        return self._ended[block] + self._page.count("\n", block * _BLOCK, offset)

    def span(self, line: int) -> tuple[int, int]:
        """
        Return where a line's text starts and ends.

        Args:
            line: 0-based, not past the last one.
        """
        start = self._start(line)
        end = self._page.find("\n", start)
        if end < 0:
            return start, len(self._page)
        return start, end - (end > start and self._text[end - 1 : end + 1] == "\r\n")

    def _start(self, line: int) -> int:
        if not line:
            return 0
        block = bisect_right(self._ended, line - 1) - 1
        at = block * _BLOCK - 1
        for _ in range(line - self._ended[block]):
            at = self._page.find("\n", at + 1)
        return at + 1
