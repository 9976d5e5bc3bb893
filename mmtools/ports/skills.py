"""Texts of know-how that a model may ask for by name."""

from __future__ import annotations

from typing import Protocol

from attrs import field, frozen

__all__ = ["SkillFile", "SkillSource"]


@frozen(kw_only=True)
class SkillFile:
    """
    One skill as it is found.

    Args:
        name: What a model calls it.
        path: Absolute, or any address that a person can follow.
        text: The whole text; None when it cannot be read.
        problem: Why it cannot be read, in the system's words.
    """

    name: str
    path: str
    text: str | None = field(repr=False)
    problem: str = ""


class SkillSource(Protocol):
    """A source of skills, found by name."""

    def all(self) -> tuple[SkillFile, ...]:
        """List every skill there is now, sorted by name, names unique; unreadable ones included."""
        ...
