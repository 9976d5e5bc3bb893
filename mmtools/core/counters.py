"""A turn's answers, counted by family, for the line shown after it."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["Counters"]

#: In the order of the line. Source: mm reference, "Counters shown after a turn".
_WORDS: Mapping[str, str] = {
    "command": "⚙ {} command(s)",
    "file": "📝 {} file op(s)",
    "skill": "📖 {} skill(s)",
    "lsp": "🔎 {} lsp call(s)",
}

_NOTHING = "no tool calls"


class Counters:
    """A count of answers by the family of their tool; from one thread at a time."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    @property
    def counts(self) -> dict[str, int]:
        """The families seen so far, in order, each with its count; a copy."""
        return dict(self._counts)

    def count(self, family: str) -> None:
        """Count one answer."""
        self._counts[family] = self._counts.get(family, 0) + 1

    def reset(self) -> None:
        """Start a new turn."""
        self._counts.clear()

    def recap(self) -> str:
        """Return one line: families with a sign of their own first, then the others as they came; never empty."""
        others = [family for family in self._counts if family not in _WORDS]
        known = [words.format(self._counts[family]) for family, words in _WORDS.items() if family in self._counts]
        return "  ".join([*known, *(f"{self._counts[family]} {family} call(s)" for family in others)]) or _NOTHING
