"""A Runner's tools in the OpenAI Agents SDK: `Agent(…, tools=function_tools(runner))`. Calls that wait are its approvals."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextvars import ContextVar
from typing import Any, TypeAlias, cast

from attrs import define

from mmtools import providers
from mmtools.call import Outcome
from mmtools.errors import LoopStopped
from mmtools.hosting import answers
from mmtools.runner import Runner
from mmtools.tool import ToolSpec

try:
    import agents.tool_context
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError("function_tools needs the SDK: pip install openai-agents", name=missing.name) from None

__all__ = ["Waiting", "function_tools", "in_context", "rejection_texts"]
#: From a run's context to where its waiting calls are kept: call id → `Outcome.pending`.
Waiting: TypeAlias = Callable[[Any], MutableMapping[str, str]]
#: What the SDK's approval check already carried out, for the invocation that follows it; by call id.
_CARRIED_OUT: ContextVar[Mapping[str, Outcome]] = ContextVar("_CARRIED_OUT")
_YES, _NO = answers.decision(allowed=True), answers.decision(allowed=False)
_UNSEEN = answers.decision(allowed=False, feedback="(not seen when it was approved: make the call again, to be shown)")


def function_tools(runner: Runner, *, waiting: Waiting | None = None) -> list[agents.Tool]:
    """
    Return the runner's tools. A loop stop ends the run as ModelBehaviorError, with the LoopStopped as its cause.

    Args:
        waiting: Makes calls that the permission defers into interruptions of the run. What it returns has to outlive
            the process together with the RunState, as `in_context` does; without it no permission may defer.
    """
    offer, shapes = object(), providers.openai_responses(runner.specs)
    told = [(shape["name"], shape["description"], shape["parameters"]) for shape in shapes]
    return [_Hosted(runner, spec, offer, waiting).declare(each) for spec, each in zip(runner.specs, told, strict=True)]


def in_context(context: Any) -> MutableMapping[str, str]:
    """Keep waiting calls in the run's context, a dict, which the RunState takes along."""
    if isinstance(context, MutableMapping):
        return cast("MutableMapping[str, str]", context.setdefault("mmtools", {}))
    raise agents.UserError("waiting calls are kept in the run's context: pass Runner.run(…, context={})")


def rejection_texts(runner: Runner, *, waiting: Waiting) -> agents.ToolErrorFormatter:
    """Return a `RunConfig(tool_error_formatter=…)`: after a no without a message, the model reads the tool's own text."""

    async def say(about: agents.ToolErrorFormatterArgs[Any]) -> str | None:
        rejected = about.kind == "approval_rejected"
        record = waiting(about.run_context.context).pop(about.call_id, None) if rejected else None
        return None if record is None else (await runner.aresume(record, _NO)).text

    return say


@define(eq=False, slots=False)
class _Hosted:
    runner: Runner
    spec: ToolSpec
    #: Shared by the tools of one list, whose calls at once on a loop are taken for those of one response.
    offer: object
    waiting: Waiting | None

    def declare(self, told: tuple[str, str, dict[str, Any]]) -> agents.Tool:
        asks = self.waiting is not None and self.needs_approval
        self.tool = agents.FunctionTool(*told, self.invoke, strict_json_schema=False, needs_approval=asks)
        return self.tool

    async def needs_approval(self, context: agents.RunContextWrapper[Any], sent: dict[str, Any], of: str) -> bool:
        # Only the permission knows whether there is a decision to make, so the call is carried out up to there.
        if self.waiting is None or self.tool.tool_input_guardrails:
            raise agents.UserError(f"input guardrails of {self.spec.name} come too late here: use the permission")
        waiting = self.waiting(context.context)
        outcome = await self.ended(sent, self.runner.acall, self.spec.name, sent, call_id=of)
        if outcome.pending is None:
            _CARRIED_OUT.set({**_CARRIED_OUT.get({}), of: outcome})
            return False
        waiting[of] = outcome.pending
        return True

    async def invoke(self, context: agents.tool_context.ToolContext[Any], sent: str) -> Any:
        outcome = _CARRIED_OUT.get({}).get(context.tool_call_id) or await self.approved(context, sent)
        text, pictures = answers.split(outcome, takes=lambda media: media.mime_type.startswith("image/"))
        shown = [agents.ToolOutputImage(image_url=answers.data_url(picture)) for picture in pictures]
        return [agents.ToolOutputText(text=text), *shown] if shown else text

    async def approved(self, context: agents.tool_context.ToolContext[Any], sent: str) -> Outcome:
        name, of = self.spec.name, context.tool_call_id
        kept = None if self.waiting is None else self.waiting(context.context).pop(of, None)
        if kept is not None:
            outcome = await self.ended(sent, self.runner.aresume, answers.recorded(kept, tool=name, call_id=of), _YES)
        else:
            outcome = await self.ended(sent, self.runner.acall, name, sent, call_id=of)
        if outcome.pending is None:
            return outcome
        if self.waiting is None:
            raise agents.UserError("the permission defers: give function_tools a place for it, waiting=in_context")
        # Whoever approved every call of this tool approved one that nobody has made, too.
        always = kept is None and context.is_tool_approved(name, "")
        return await self.ended(sent, self.runner.aresume, outcome.pending, _YES if always else _UNSEEN)

    async def ended(self, sent: object, call: Callable[..., Awaitable[Outcome]], *given: Any, **named: Any) -> Outcome:
        # Another thread's loop has its own responses.
        response = self.offer, asyncio.get_running_loop()
        with self.runner.reserve(self.spec.name, sent, response=response) as place:
            await place.atake()
            try:
                return await call(*given, **named)
            except LoopStopped as stopped:
                raise agents.ModelBehaviorError(stopped.text) from stopped
