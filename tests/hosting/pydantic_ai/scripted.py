"""The framework's own model for tests, led by a script, and what it was told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import count
from typing import Any, TypeAlias

from pydantic_ai import Agent, AgentRunResult, DeferredToolRequests
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from mmtools import Runner
from mmtools.hosting.pydantic_ai import RunnerToolset

#: A tool's name and its arguments, as an object or as text.
Call: TypeAlias = tuple[str, Any]
#: A response: text ends the run; else calls, or how they follow from what the model read last.
Step: TypeAlias = str | list[Call] | Callable[[str], list[Call]]


class Script:
    """A model that plays the steps one by one, over as many runs as they take."""

    def __init__(self, *steps: Step) -> None:
        self._steps = iter(steps)
        self._numbers = count(1)
        self.offered: AgentInfo | None = None

    @property
    def model(self) -> FunctionModel:
        return FunctionModel(self._answer, stream_function=self._stream)

    def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.offered = info
        step = next(self._steps)
        if isinstance(step, str):
            return ModelResponse(parts=[TextPart(step)])
        calls = step(told(messages)[-1]) if callable(step) else step
        return ModelResponse(
            parts=[ToolCallPart(name, sent, tool_call_id=f"c{next(self._numbers)}") for name, sent in calls]
        )

    async def _stream(self, messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        for index, part in enumerate(self._answer(messages, info).parts):
            if isinstance(part, ToolCallPart):
                sent = part.args if isinstance(part.args, str) else json.dumps(part.args)
                yield {index: DeltaToolCall(part.tool_name, sent, tool_call_id=part.tool_call_id)}
            elif isinstance(part, TextPart):
                yield part.content


def agent(runner: Runner, *steps: Step) -> Agent[None, str | DeferredToolRequests]:
    """Build an agent over a runner, as its host would."""
    toolset = RunnerToolset[None](runner)
    return Agent(Script(*steps).model, toolsets=[toolset], output_type=[str, DeferredToolRequests])


def ran(agent: Agent[None, str | DeferredToolRequests], prompt: str | None, **options: Any) -> AgentRunResult[Any]:
    """Run an agent on a loop that is closed afterwards."""
    return asyncio.run(agent.run(prompt, **options))


def returns(messages: list[ModelMessage]) -> Iterator[ToolReturnPart]:
    """Every tool return that the model was given, in order."""
    for message in messages:
        if isinstance(message, ModelRequest):
            yield from (part for part in message.parts if isinstance(part, ToolReturnPart))


def told(messages: list[ModelMessage]) -> list[Any]:
    """What the model read of each call, in order."""
    return [part.content for part in returns(messages)]
