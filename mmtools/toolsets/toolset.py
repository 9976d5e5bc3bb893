"""An ordered choice of tools with unique names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Self

from attrs import field, frozen

from mmtools.errors import DefinitionError
from mmtools.tool import AnyTool, ToolSpec, by_name

__all__ = ["Toolset"]


def _unique(tools: Iterable[AnyTool]) -> tuple[AnyTool, ...]:
    return tuple(by_name(tools).values())


@frozen
class Toolset:
    """
    Some tools, in the order in which a model sees them.

    Args:
        tools: Names must be unique; DefinitionError otherwise.
    """

    tools: tuple[AnyTool, ...] = field(converter=_unique)

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools' declarations, in order."""
        return tuple(tool.spec for tool in self.tools)

    def __iter__(self) -> Iterator[AnyTool]:
        return iter(self.tools)

    def __len__(self) -> int:
        return len(self.tools)

    def only(self, *names: str) -> Self:
        """
        Keep the named tools, in their old order.

        Raises:
            DefinitionError: A name is not there.
        """
        self._require(names)
        return type(self)(tool for tool in self.tools if tool.spec.name in names)

    def without(self, *names: str) -> Self:
        """
        Drop the named tools.

        Raises:
            DefinitionError: A name is not there.
        """
        self._require(names)
        return type(self)(tool for tool in self.tools if tool.spec.name not in names)

    def plus(self, *tools: AnyTool) -> Self:
        """
        Add tools at the end.

        Raises:
            DefinitionError: A name is taken.
        """
        return type(self)((*self.tools, *tools))

    def _require(self, names: tuple[str, ...]) -> None:
        known = {spec.name for spec in self.specs}
        for name in names:
            if name not in known:
                raise DefinitionError(f"no tool {name!r} in this toolset: {', '.join(sorted(known))}")
