"""A Runner as a toolset of pydantic-ai: `Agent(…, toolsets=[RunnerToolset(runner)])`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from attrs import define, field

from mmtools import providers
from mmtools.call import Outcome, Status
from mmtools.errors import LoopStopped
from mmtools.hosting import json_objects, live, waiting
from mmtools.ports.permission import Decision
from mmtools.runner import Runner

try:
    from pydantic_ai import exceptions, messages, tools, toolsets
    from pydantic_ai.messages import INVALID_JSON_KEY
    from pydantic_ai.tools import AgentDepsT, RunContext
except ModuleNotFoundError as missing:
    needed = "RunnerToolset needs the package pydantic-ai: pip install pydantic-ai-slim"
    raise ModuleNotFoundError(needed, name=missing.name) from missing

__all__ = ["LiveOutput", "RunnerToolset", "decided"]


@define(eq=False, slots=False)
class RunnerToolset(toolsets.AbstractToolset[AgentDepsT]):
    """A runner's tools, offered to agents. The runner stays its maker's: no run closes it."""

    runner: Runner
    _id: str | None = field(kw_only=True, default=None)

    def __attrs_post_init__(self) -> None:
        self._offered = [_definition(tool) for tool in providers.mcp(self.runner.specs)]

    @property
    def id(self) -> str | None:
        return self._id

    async def get_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, toolsets.ToolsetTool[AgentDepsT]]:
        offer = partial(toolsets.ToolsetTool[Any], toolset=self, max_retries=ctx.max_retries, args_validator=_AsSent())
        return {each.name: offer(tool_def=each) for each in self._offered}

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[AgentDepsT], tool: object
    ) -> messages.ToolReturn[Any]:
        loop = asyncio.get_running_loop()
        try:
            with live.listening(lambda text: asyncio.run_coroutine_threadsafe(ctx.emit(LiveOutput(text=text)), loop)):
                outcome = await self._ended(name, tool_args, ctx)
        except LoopStopped as stopped:
            raise exceptions.UnexpectedModelBehavior(stopped.text) from stopped
        if outcome.status is Status.PENDING:
            raise exceptions.ApprovalRequired(waiting.keep(outcome, tool_args))
        media = [messages.BinaryContent(each.data, media_type=each.mime_type) for each in outcome.media]
        said = [outcome.text, *media] if media else outcome.text
        return messages.ToolReturn(said, metadata={"status": outcome.status.value})

    async def _ended(self, name: str, given: dict[str, Any], ctx: RunContext[AgentDepsT]) -> Outcome:
        kept, of = ctx.tool_call_metadata, ctx.tool_call_id
        if ctx.tool_call_approved and waiting.is_kept(kept):
            return await self.runner.aresume(*waiting.recall(kept, tool=name, call_id=of, arguments=given))
        unread = given.get(INVALID_JSON_KEY) if len(given) == 1 else None
        arguments = unread if isinstance(unread, str) else given
        outcome = await self.runner.acall(name, arguments, call_id=of)
        if ctx.tool_call_approved and outcome.status is Status.PENDING:
            raise exceptions.UserError(f"{name} was approved without its record: pass metadata=requests.metadata")
        return outcome


def decided(requests: tools.DeferredToolRequests, decisions: Mapping[str, Decision]) -> tools.DeferredToolResults:
    """Hand decisions to the run that goes on, so that a no reads as any no of the runner that asked."""
    kept = requests.metadata
    ours = {of: waiting.decided(kept[of], each) for of, each in decisions.items() if waiting.is_kept(kept.get(of))}
    return requests.build_results(
        approvals={of: of in ours or each.allowed or tools.ToolDenied(each.feedback) for of, each in decisions.items()},
        metadata={**kept, **ours},
    )


@dataclass(kw_only=True)
class LiveOutput(messages.CustomEvent, name="mmtools_live_output"):
    """A chunk of a call's output while it runs, of a runner with a `LiveDisplay`."""

    text: str


class _AsSent:
    def validate_json(self, input: str | bytes | bytearray, **_: Any) -> dict[str, Any]:  # noqa: A002 - the framework's names
        text = input if isinstance(input, str) else input.decode(errors="replace")
        members = json_objects.as_object(text)
        return {INVALID_JSON_KEY: text} if members is None else members

    def validate_python(self, input: Any, **_: Any) -> Any:  # noqa: A002 - the framework's names
        return input


def _definition(tool: Mapping[str, Any]) -> tools.ToolDefinition:
    return tools.ToolDefinition(
        name=tool["name"],
        description=tool["description"],
        parameters_json_schema=tool["inputSchema"],
        strict=False,
        sequential=not tool["annotations"]["readOnlyHint"],
        metadata={"annotations": tool["annotations"]},
    )
