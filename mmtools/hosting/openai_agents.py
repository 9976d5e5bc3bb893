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
from mmtools.running.order import Place
from mmtools.running.precheck import Precheck
from mmtools.tool import ToolSpec

try:
    import agents.tool_context
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError("function_tools needs the SDK: pip install openai-agents", name=missing.name) from None

__all__ = ["Waiting", "function_tools", "in_context", "rejection_texts"]
#: From a run's context to where its waiting calls are kept: call id → `Outcome.pending`.
Waiting: TypeAlias = Callable[[Any], MutableMapping[str, str]]
#: What the SDK's approval check found out, for the invocation that follows it, with the call's place; by call id.
_CHECKED: ContextVar[Mapping[str, tuple[Precheck, Place]]] = ContextVar("_CHECKED")
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
        if self.waiting is None:
            return False
        waiting, place = self.waiting(context.context), self.reserve(sent)
        if (task := asyncio.current_task()) is not None:
            # A guardrail may stop the call before it is made; its place ends with its task.
            task.add_done_callback(lambda _: place.leave())
        await place.atake()
        checked = await self.runner.aprecheck(self.spec.name, sent, call_id=of)
        if checked.pending is None:
            _CHECKED.set({**_CHECKED.get({}), of: (checked, place)})
            return False
        place.leave()
        waiting[of] = checked.pending
        return True

    async def invoke(self, context: agents.tool_context.ToolContext[Any], sent: str) -> Any:
        checked, place = _CHECKED.get({}).get(context.tool_call_id) or (None, self.reserve(sent))
        with place:
            await place.atake()
            outcome = await self.made(context, sent, checked)
        text, pictures = answers.split(outcome, takes=lambda media: media.mime_type.startswith("image/"))
        shown = [agents.ToolOutputImage(image_url=answers.data_url(picture)) for picture in pictures]
        return [agents.ToolOutputText(text=text), *shown] if shown else text

    async def made(self, context: agents.tool_context.ToolContext[Any], sent: str, checked: Precheck | None) -> Outcome:
        name, of = self.spec.name, context.tool_call_id
        kept = None if self.waiting is None else self.waiting(context.context).pop(of, None)
        if checked is not None:
            outcome = await _ended(self.runner.aresume(checked))
        elif kept is not None:
            outcome = await _ended(self.runner.aresume(answers.recorded(kept, tool=name, call_id=of), _YES))
        else:
            outcome = await _ended(self.runner.acall(name, sent, call_id=of))
        if outcome.pending is None:
            return outcome
        if self.waiting is None:
            raise agents.UserError("the permission defers: give function_tools a place for it, waiting=in_context")
        # Whoever approved every call of this tool approved one that nobody has made, too.
        always = checked is None and kept is None and context.is_tool_approved(name, "")
        return await _ended(self.runner.aresume(outcome.pending, _YES if always else _UNSEEN))

    def reserve(self, sent: object) -> Place:
        # Another thread's loop has its own responses.
        return self.runner.reserve(self.spec.name, sent, response=(self.offer, asyncio.get_running_loop()))


async def _ended(call: Awaitable[Outcome]) -> Outcome:
    try:
        return await call
    except LoopStopped as stopped:
        raise agents.ModelBehaviorError(stopped.text) from stopped
