"""
A runner's tools in LangChain and LangGraph: `create_agent(model, tools(runner), middleware=[LoopStops()])`.

A call that the permission defers is an `interrupt` of its graph, in the words of LangChain's own tool approval.
"""

from __future__ import annotations

import asyncio
import functools
from contextlib import AbstractContextManager, nullcontext
from typing import Annotated, Any, TypeAlias

from mmtools import providers
from mmtools.call import ToolCall
from mmtools.hosting import live
from mmtools.runner import Runner

try:
    from langchain_core.runnables import RunnableConfig
    from langchain_core.tools import BaseTool, InjectedToolArg
    from langgraph.prebuilt import ToolRuntime
    from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, create_model

    from mmtools.hosting import langchain_messages, langgraph_call
    from mmtools.hosting.langgraph_waiting import Node
except ModuleNotFoundError as missing:
    needed = "mmtools.hosting.langchain needs two packages: pip install langchain-core langgraph"
    raise ModuleNotFoundError(needed, name=missing.name) from None

__all__ = ["tools"]

_Runtime: TypeAlias = Annotated[ToolRuntime[Any, Any] | None, InjectedToolArg]


def tools(runner: Runner) -> list[BaseTool]:
    """
    Return the runner's tools for `create_agent`, `ToolNode`, or a loop of one's own.

    A loop stop leaves a graph as LoopStopped; with `LoopStops` it ends the agent's run instead.

    Raises:
        DefinitionError: Model APIs do not take a tool's name.
    """
    offer = object()
    return [
        _RunnerTool(
            name=spec.name,
            description=spec.description,
            args_schema=declared["function"]["parameters"],
            runner=runner,
            offer=offer,
        )
        for spec, declared in zip(runner.specs, providers.openai_chat(runner.specs), strict=True)
    ]


@functools.cache
def _injected() -> type[BaseModel]:
    """Tell a ToolNode what to hand over; the model sees `args_schema` only."""
    settings = ConfigDict(arbitrary_types_allowed=True)
    return create_model("Injected", __config__=settings, mmtools_runtime=(ToolRuntime[Any, Any], ...))


class _RunnerTool(BaseTool):
    runner: Runner = Field(exclude=True, repr=False)
    #: Shared by the tools of one list, whose calls at once on a loop are taken for those of one response.
    offer: object = Field(exclude=True, repr=False)
    _asked: langgraph_call.Asked = PrivateAttr(default_factory=set)

    def get_input_schema(self, config: RunnableConfig | None = None) -> type[BaseModel]:
        return _injected()

    def _to_args_and_kwargs(self, tool_input: Any, tool_call_id: str | None) -> tuple[tuple[Any, ...], dict[str, Any]]:
        # By position: an argument may have the name of something that LangChain hands over.
        sent = dict(tool_input) if isinstance(tool_input, dict) else tool_input
        runtime = sent.pop("mmtools_runtime", None) if isinstance(sent, dict) else None
        return (ToolCall(self.name, sent, tool_call_id), runtime), {}

    def _run(self, call: ToolCall, mmtools_runtime: _Runtime, *, config: RunnableConfig) -> Any:
        course, result = self._course(call, mmtools_runtime, config), None
        with _heard(mmtools_runtime), self.runner.reserve(self.name, call.arguments, response=self.offer) as place:
            place.take()
            while True:
                try:
                    step = course.send(result)
                except StopIteration as ended:
                    return langchain_messages.answer(ended.value, call.call_id)
                result = step.now()

    async def _arun(self, call: ToolCall, mmtools_runtime: _Runtime, *, config: RunnableConfig) -> Any:
        course, result = self._course(call, mmtools_runtime, config), None
        # Another thread's loop has its own responses.
        response = self.offer, asyncio.get_running_loop()
        with _heard(mmtools_runtime), self.runner.reserve(self.name, call.arguments, response=response) as place:
            await place.atake()
            while True:
                try:
                    step = course.send(result)
                except StopIteration as ended:
                    return langchain_messages.answer(ended.value, call.call_id)
                result = await step.later()

    def _course(
        self, call: ToolCall, runtime: ToolRuntime[Any, Any] | None, config: RunnableConfig
    ) -> langgraph_call.CallSteps:
        node = Node.of(config, None if runtime is None else runtime.state)
        return langgraph_call.steps(self.runner, call, node, self._asked)


def _heard(runtime: ToolRuntime[Any, Any] | None) -> AbstractContextManager[None]:
    return nullcontext() if runtime is None else live.listening(runtime.emit_output_delta)
