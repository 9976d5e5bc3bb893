"""What an identifier is, language by language."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto

from attrs import frozen

__all__ = ["NameFlaw", "Names"]


class NameFlaw(Enum):
    """The reason why a name cannot be the new one."""

    NOT_A_NAME = auto()
    RESERVED = auto()
    UNCHANGED = auto()


@frozen(kw_only=True)
class Names:
    """
    What identifiers hold beside letters, digits, `_`, and what Unicode counts with them.

    Args:
        within: Characters that may stand anywhere behind the first one.
        first: Those that may stand in the first place too.
        before: What may stand before a name and belongs to it: `@` for an instance variable in Ruby.
        after: Characters one of which may end it: `?` in Ruby.
        reserved: Words that are no names.
    """

    within: str = ""
    first: str = ""
    before: tuple[str, ...] = ()
    after: str = ""
    reserved: frozenset[str] = frozenset()

    def continues(self, character: str) -> bool:
        """Whether a character may stand inside a name."""
        return f"a{character}".isidentifier() or character in self.first or character in self.within

    def core(self, name: str) -> str:
        """Return a name without what belongs before and after it."""
        core = name[len(next(filter(name.startswith, self.before), "")) :]
        return core[:-1] if core.endswith(tuple(self.after)) else core

    def accepts(self, name: str) -> bool:
        """Whether a text is an identifier, reserved or not."""
        core = self.core(name)
        begins = core[:1].isidentifier() or (core != "" and core[0] in self.first)
        return begins and all(map(self.continues, core)) and any(c == "$" or c.isidentifier() for c in core)

    def flaw(self, new_name: str, old_name: str) -> NameFlaw | None:
        """Find what forbids a rename; None when nothing does. Servers accept almost anything."""
        if not self.accepts(new_name):
            return NameFlaw.NOT_A_NAME
        if new_name in self.reserved:
            return NameFlaw.RESERVED
        return NameFlaw.UNCHANGED if new_name == old_name else None

    def widened(self, text: str, start: int, end: int) -> tuple[int, int]:
        """Return the bounds of the words that a part of a text touches, without what belongs before and after."""
        while start and self.continues(text[start - 1]):
            start -= 1
        while end < len(text) and self.continues(text[end]):
            end += 1
        return start, end

    def at(self, text: str, offset: int) -> str:
        """Return the identifier that an offset is in, or right behind; empty when there is none."""
        start, end = self.widened(text, offset, offset)
        if start == end:
            return ""
        end += end < len(text) and text[end] in self.after
        before = next((prefix for prefix in self.before if text.endswith(prefix, 0, start)), "")
        name = text[start:end]
        return f"{before}{name}" if self.accepts(name) else ""

    def places(self, text: str, name: str, start: int = 0, end: int | None = None) -> Iterator[int]:
        """
        Yield where a name stands in a part of a text, not as a part of a longer one.

        Args:
            name: Not empty.
        """
        at = text.find(name, start, end)
        while at >= 0:
            if self._is_whole(text, at, at + len(name)):
                yield at
            at = text.find(name, at + 1, end)

    def runs(self, text: str) -> Iterator[str]:
        """Yield the identifiers in a text, each with what belongs before and after it."""
        start = 0
        while start < len(text):
            before = next((prefix for prefix in self.before if text.startswith(prefix, start)), "")
            core = end = start + len(before)
            while end < len(text) and self.continues(text[end]):
                end += 1
            following = text[end : end + 1]
            run = text[core:end]
            # Some languages have quotes and dashes in their names; these here are only around one.
            if self.accepts(run) or self.accepts(run := run.strip("'-")):
                if before == following == "'":
                    before = ""
                yield before + run + (following if following and following in self.after else "")
            start = max(end, start + 1)

    def _is_whole(self, text: str, start: int, end: int) -> bool:
        if start and self.continues(text[start]) and self.continues(text[start - 1]):
            return False
        return end == len(text) or not (self.continues(text[end]) or text[end] in self.after)
