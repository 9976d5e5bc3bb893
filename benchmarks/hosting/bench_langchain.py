"""
Claims: a call through the LangChain tools costs at most 1.15 times the same call through a hand-written StructuredTool,
and importing them at most 20 ms on top of the framework and a Runner.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Send

from benchmarks.measure import compare, row
from mmtools import AllowAll, LoopDetector, Runner, local
from mmtools.hosting.langchain import tools

CALLS = 20
NAMES = ("read_file", "bash")
ARGUMENTS: dict[str, dict[str, Any]] = {"read_file": {"path": "a.txt"}, "bash": {"command": "true"}}
IMPORT = """
import time, langchain_core.tools, langgraph.prebuilt, langgraph.graph, mmtools.runner
begun = time.perf_counter()
import mmtools.hosting.langchain
print((time.perf_counter() - begun) * 1000)
"""


def by_hand(runner: Runner) -> list[BaseTool]:
    """Return what a host would write without us, around the same runner."""

    def tool(name: str) -> BaseTool:
        def run(**arguments: Any) -> str:
            return runner.call(name, arguments).text

        async def arun(**arguments: Any) -> str:
            return (await runner.acall(name, arguments)).text

        spec = runner[name].spec
        schema = spec.arguments_schema
        return StructuredTool.from_function(run, arun, name, spec.description, args_schema=schema)

    return [tool(spec.name) for spec in runner.specs]


def alone(offered: list[BaseTool], name: str) -> Callable[[], object]:
    """Return CALLS calls of a loop of one's own."""
    tool = next(each for each in offered if each.name == name)
    call = {"type": "tool_call", "id": "c1", "name": name, "args": ARGUMENTS[name]}

    def work() -> None:
        for _ in range(CALLS):
            tool.invoke(call)

    return work


def graph(offered: list[BaseTool], name: str, *, way: str) -> Callable[[], object]:
    """Return CALLS runs of a graph with a checkpointer, of one call each."""
    builder = StateGraph(MessagesState)
    builder.add_node("tools", ToolNode(offered))
    builder.add_conditional_edges(
        START, lambda state: [Send("tools", [call]) for call in state["messages"][-1].tool_calls], ["tools"]
    )
    builder.add_edge("tools", END)
    response = AIMessage("", tool_calls=[{"name": name, "args": ARGUMENTS[name], "id": "c1"}])
    given: Any = {"messages": [response]}

    def work() -> None:
        compiled = builder.compile(checkpointer=InMemorySaver())
        for number in range(CALLS):
            compiled.invoke(given, {"configurable": {"thread_id": str(number)}})

    async def awork() -> None:
        compiled = builder.compile(checkpointer=InMemorySaver())
        for number in range(CALLS):
            await compiled.ainvoke(given, {"configurable": {"thread_id": str(number)}})

    return work if way == "invoke" else lambda: asyncio.run(awork())


def main() -> None:
    """Print every way of calling, and the import."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.txt").write_text("one\n" * 40)
        patient = LoopDetector(warn_after=10**8, stop_after=10**9)
        with local.mm(folder, permission=AllowAll(), loop_detector=patient) as runner:
            ours, theirs = tools(runner), by_hand(runner)
            for name in NAMES:
                compare(f"{CALLS} x {name}, own loop", alone(ours, name), alone(theirs, name), target="<= 1.15x")
                for way in ("invoke", "ainvoke"):
                    compare(
                        f"{CALLS} x {name}, graph.{way}",
                        graph(ours, name, way=way),
                        graph(theirs, name, way=way),
                        target="<= 1.15x",
                    )
    times = [float(subprocess.check_output([sys.executable, "-c", IMPORT])) for _ in range(7)]
    row("import, over the framework and a Runner", f"{statistics.median(times):.1f} ms", "", "", "<= 20 ms")


if __name__ == "__main__":
    main()
