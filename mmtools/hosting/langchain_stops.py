"""
A loop stop as the end of a LangChain agent's run: `create_agent(model, tools(runner), middleware=[LoopStops()])`.

The stopped call keeps its answer in the history, so that the conversation can go on.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from mmtools.errors import LoopStopped

try:
    from langchain.agents.middleware import AgentMiddleware, AgentState, ToolCallRequest, hook_config
    from langchain_core.messages import AIMessage, ToolMessage
    from langgraph.runtime import Runtime
    from langgraph.types import Command
except ModuleNotFoundError as missing:
    needed = "mmtools.hosting.langchain_stops needs the package langchain: pip install langchain"
    raise ModuleNotFoundError(needed, name=missing.name) from None

__all__ = ["LoopStops"]

#: Of the artifact of a stopped call's message.
_STATUS = "loop_stopped"


class LoopStops(AgentMiddleware[AgentState[Any], Any, Any]):
    """The end of the run at a loop stop, with the stop's text as the last message."""

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        try:
            return handler(request)
        except LoopStopped as stop:
            return _message(request, stop)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]]
    ) -> ToolMessage | Command[Any]:
        try:
            return await handler(request)
        except LoopStopped as stop:
            return _message(request, stop)

    @hook_config(can_jump_to=["end"])
    def before_model(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        for message in reversed(state["messages"]):
            if not isinstance(message, ToolMessage):
                return None
            if isinstance(message.artifact, dict) and message.artifact.get("status") == _STATUS:
                return {"jump_to": "end", "messages": [AIMessage(message.text)]}
        return None


def _message(request: ToolCallRequest, stop: LoopStopped) -> ToolMessage:
    call = request.tool_call
    return ToolMessage(
        stop.text, artifact={"status": _STATUS}, tool_call_id=call["id"], name=call["name"], status="error"
    )
