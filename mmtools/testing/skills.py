"""Skills that live in a dictionary."""

from __future__ import annotations

from collections.abc import Mapping

from mmtools.ports.skills import SkillFile

__all__ = ["MemorySkills"]


class MemorySkills:
    """
    The skills of two dictionaries, which may change between calls.

    Args:
        texts: Name → text.
        problems: Name → why that skill cannot be read; stands above a text of the same name.
    """

    def __init__(self, texts: Mapping[str, str] | None = None, *, problems: Mapping[str, str] | None = None) -> None:
        self.texts = dict(texts or {})
        self.problems = dict(problems or {})

    def all(self) -> tuple[SkillFile, ...]:
        return tuple(self._file(name) for name in sorted({*self.texts, *self.problems}))

    def _file(self, name: str) -> SkillFile:
        problem = self.problems.get(name, "")
        text = None if name in self.problems else self.texts[name]
        return SkillFile(name=name, path=f"memory:{name}", text=text, problem=problem)
