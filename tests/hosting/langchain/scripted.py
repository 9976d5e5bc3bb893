"""LangChain's fake chat model, made to call tools: its next response follows from the conversation so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import Field

__all__ = ["Script", "Scripted", "calls", "results", "scripted"]

#: A response, or how it follows from the messages.
Script: TypeAlias = AIMessage | Callable[[Sequence[BaseMessage]], AIMessage]


class Scripted(GenericFakeChatModel):
    """A model with the n-th response after n responses in the conversation; so another process can go on with it."""

    script: list[Any]
    asked: list[list[BaseMessage]] = Field(default_factory=list)
    bound: list[Any] = Field(default_factory=list)

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> Scripted:
        self.bound.extend(tools)
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **_: Any,
    ) -> ChatResult:
        self.asked.append(messages)
        step = self.script[sum(isinstance(message, AIMessage) for message in messages)]
        response = step if isinstance(step, AIMessage) else step(messages)
        return ChatResult(generations=[ChatGeneration(message=response)])


def scripted(*script: Script) -> Scripted:
    """Return a model that says these, then "done"."""
    return Scripted(messages=iter(()), disable_streaming=True, script=[*script, *[AIMessage("done")] * 4])


def calls(*named: tuple[str, Any], start: int = 1) -> AIMessage:
    """
    Be a response that calls tools.

    Args:
        start: Of the numbers in the calls' ids.
    """
    return AIMessage(
        "", tool_calls=[{"name": name, "args": args, "id": f"c{n}"} for n, (name, args) in enumerate(named, start)]
    )


def results(messages: Iterable[BaseMessage]) -> list[ToolMessage]:
    """Return what the model read of its calls."""
    return [message for message in messages if isinstance(message, ToolMessage)]
