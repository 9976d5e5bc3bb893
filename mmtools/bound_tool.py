"""One tool of a runner, for hosts that keep tools apart."""

from __future__ import annotations

from typing import Any, Protocol

from attrs import field, frozen

from mmtools.tool import ToolSpec

__all__ = ["BoundTool", "ToolRunner"]


class ToolRunner(Protocol):
    """What a bound tool needs of its runner."""

    def execute(self, name: str, arguments: Any = None) -> str:
        """Run one call and return the text for the model."""
        ...

    async def aexecute(self, name: str, arguments: Any = None) -> str:
        """Do as `execute` does, without blocking the event loop."""
        ...


@frozen(kw_only=True)
class BoundTool:
    """One tool of a runner."""

    runner: ToolRunner = field(repr=False)
    spec: ToolSpec

    def execute(self, arguments: Any = None) -> str:
        """Do as `Runner.execute` does."""
        return self.runner.execute(self.spec.name, arguments)

    async def aexecute(self, arguments: Any = None) -> str:
        """Do as `Runner.aexecute` does."""
        return await self.runner.aexecute(self.spec.name, arguments)
