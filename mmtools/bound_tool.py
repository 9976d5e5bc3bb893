"""One tool of a runner, for hosts that keep tools apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from mmtools.tool import ToolSpec

if TYPE_CHECKING:
    from mmtools.runner import Runner

__all__ = ["BoundTool"]


@frozen(kw_only=True)
class BoundTool:
    """One tool of a runner."""

    runner: Runner = field(repr=False)
    spec: ToolSpec

    def execute(self, arguments: Any = None) -> str:
        """Do as `Runner.execute` does."""
        return self.runner.execute(self.spec.name, arguments)

    async def aexecute(self, arguments: Any = None) -> str:
        """Do as `Runner.aexecute` does."""
        return await self.runner.aexecute(self.spec.name, arguments)
