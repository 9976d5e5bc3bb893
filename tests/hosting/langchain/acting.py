"""What the tests of this folder do: tools that echo, and graphs that run in both ways."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, ClassVar

import pytest
from attrs import frozen
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from mmtools import Runner, ToolKind, ToolSpec
from mmtools.call import Headline, Media, Report
from mmtools.hosting.langchain import tools
from mmtools.tool import Call
from tests.hosting.langchain.scripted import Scripted

__all__ = ["GO", "THREAD", "WAYS", "Echo", "by_hand", "go"]

GO: Any = {"messages": [HumanMessage("go")]}
THREAD: RunnableConfig = {"configurable": {"thread_id": "1"}}

WAYS = pytest.mark.parametrize("way", ["invoke", "ainvoke"])


def go(graph: CompiledStateGraph[Any, Any, Any, Any], way: str, given: Any = GO, **options: Any) -> dict[str, Any]:
    """Run a graph until it ends or is interrupted."""
    if way == "invoke":
        final: dict[str, Any] = graph.invoke(given, THREAD, **options)
        return final
    return asyncio.run(graph.ainvoke(given, THREAD, **options))


def by_hand(runner: Runner, model: Scripted, **compiled: Any) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Build the agent that LangGraph's own pages build: all calls of a response are one task of a ToolNode."""
    offered = tools(runner)
    bound = model.bind_tools(offered)

    def respond(state: MessagesState) -> dict[str, list[AIMessage]]:
        return {"messages": [bound.invoke(state["messages"])]}

    builder = StateGraph(MessagesState)
    builder.add_node("model", respond)
    builder.add_node("tools", ToolNode(offered))
    builder.add_edge(START, "model")
    builder.add_conditional_edges("model", tools_condition, ["tools", END])
    builder.add_edge("tools", "model")
    return builder.compile(**compiled)


@frozen(kw_only=True)
class Echo:
    """A tool that says what arrived, and shows what a test asks for."""

    media: tuple[Media, ...] = ()

    spec: ClassVar = ToolSpec(
        name="echo",
        description="Say it again.",
        kind=ToolKind.READ,
        family="echo",
        arguments={"type": "object", "properties": {}},
    )

    def headline(self, arguments: Mapping[str, Any]) -> Headline:
        return Headline(text="")

    def execute(self, arguments: Mapping[str, Any], call: Call) -> str:
        call.emit("live ")
        call.emit("output")
        call.report(Report(media=self.media))
        return json.dumps(arguments)
