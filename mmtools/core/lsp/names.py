"""What an identifier is, language by language."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto

from attrs import frozen

__all__ = ["NameFlaw", "Names", "flaw", "holds", "is_whole", "runs"]


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


class NameFlaw(Enum):
    """The reason why a name cannot be the new one."""

    MISSING = auto()
    NOT_A_NAME = auto()
    RESERVED = auto()
    UNCHANGED = auto()


def flaw(new_name: str, old_name: str, names: Names) -> NameFlaw | None:
    """Find what forbids a rename; None when nothing does. Servers accept almost anything."""
    if not new_name:
        return NameFlaw.MISSING
    if not names.accepts(new_name):
        return NameFlaw.NOT_A_NAME
    if new_name in names.reserved:
        return NameFlaw.RESERVED
    return NameFlaw.UNCHANGED if new_name == old_name else None


def is_whole(text: str, start: int, end: int, names: Names) -> bool:
    """Whether a name that stands in a text is no part of a longer one."""
    if start and names.continues(text[start]) and names.continues(text[start - 1]):
        return False
    return end == len(text) or not (names.continues(text[end]) or text[end] in names.after)


def holds(text: str, name: str, names: Names) -> bool:
    """
    Whether a text holds a name, not as a part of a longer one.

    Args:
        name: Not empty.
    """
    at = text.find(name)
    while at >= 0 and not is_whole(text, at, at + len(name), names):
        at = text.find(name, at + 1)
    return at >= 0


def runs(text: str, names: Names) -> Iterator[str]:
    """Yield the identifiers in a text, each with what belongs before and after it."""
    start = 0
    while start < len(text):
        before = next((prefix for prefix in names.before if text.startswith(prefix, start)), "")
        core = end = start + len(before)
        while end < len(text) and names.continues(text[end]):
            end += 1
        following = text[end : end + 1]
        run = text[core:end]
        # Some languages have quotes and dashes in their names; these here are only around one.
        if names.accepts(run) or names.accepts(run := run.strip("'-")):
            if before == following == "'":
                before = ""
            yield before + run + (following if following and following in names.after else "")
        start = max(end, start + 1)
