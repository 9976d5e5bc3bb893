"""
Where a program's comments are.

A heuristic, and used as one: it only decides what is tried first. It knows strings that end on their line.
"""

from __future__ import annotations

import re
from functools import cached_property

from attrs import frozen

__all__ = ["Comments"]


@frozen(kw_only=True)
class Comments:
    """
    How a family of languages writes comments.

    Args:
        lines: Patterns for what begins a comment to the end of its line.
        blocks: Pairs of what begins and what ends a comment.
        quotes: What strings stand in.
    """

    lines: tuple[str, ...] = ()
    blocks: tuple[tuple[str, str], ...] = ()
    quotes: str = "\"'`"

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return from where to where comments go, in order; one to the end of its line goes to the next line."""
        return [found.span() for found in self._pattern.finditer(text) if found.lastindex]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """Escapes and strings, to be passed over, and comments, each of which ends with an empty group."""
        # Where every branch begins with a character, the search skips what none begins with.
        quoted = [r"'(?:\\.|[^'\\\n])'", *(rf"{quote}(?:[^{quote}\\\n]++|\\.)*+{quote}" for quote in self.quotes)]
        blocks = [rf"{re.escape(start)}[\s\S]*?(?:{re.escape(end)}|\Z)()" for start, end in self.blocks]
        lines = [rf"{sign}.*\n?()" for sign in self.lines]
        return re.compile("|".join([r"\\.", *quoted, *blocks, *lines]))
