"""
Claims: a call through RunnerToolset costs at most 1.15 times the same call through a hand-written tool of pydantic-ai, and
importing it at most 20 ms on top of the framework and a Runner.
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

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.tools import Tool
from pydantic_ai.toolsets import AbstractToolset, FunctionToolset

from benchmarks.measure import compare, row
from mmtools import AllowAll, LoopDetector, Runner, local
from mmtools.hosting.pydantic_ai import RunnerToolset

CALLS = 30
IMPORT = """
import time, pydantic_ai, pydantic_ai.toolsets, mmtools.runner
begun = time.perf_counter()
import mmtools.hosting.pydantic_ai
print((time.perf_counter() - begun) * 1000)
"""


def by_hand(runner: Runner) -> AbstractToolset[None]:
    """What a host would write without us, around the same runner."""

    def tool(name: str) -> Callable[..., str]:
        def run(**arguments: Any) -> str:
            return runner.call(name, arguments).text

        return run

    return FunctionToolset(
        [
            Tool.from_schema(tool(spec.name), spec.name, spec.description, spec.arguments_schema, sequential=True)
            if spec.name != "read_file"
            else Tool.from_schema(tool(spec.name), spec.name, spec.description, spec.arguments_schema)
            for spec in runner.specs
        ]
    )


def turns(
    toolset: AbstractToolset[None], name: str, arguments: dict[str, Any], *, at_once: int
) -> Callable[[], object]:
    """Return a run of CALLS calls, so many to a response."""

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        made = (len(messages) // 2) * at_once
        if made >= CALLS:
            return ModelResponse(parts=[TextPart("done")])
        calls = [ToolCallPart(name, arguments, tool_call_id=f"c{made + number}") for number in range(at_once)]
        return ModelResponse(parts=calls)

    agent = Agent(FunctionModel(answer), toolsets=[toolset])
    return lambda: asyncio.run(agent.run("go"))


def main() -> None:
    """Print both ways of calling and the import."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.txt").write_text("one\n" * 40)
        detector = LoopDetector(warn_after=10**8, stop_after=10**9)
        with local.mm(folder, permission=AllowAll(), loop_detector=detector) as runner:
            ours, raw = RunnerToolset[None](runner), by_hand(runner)
            read, echo = {"path": "a.txt"}, {"command": "echo hi"}
            for name, arguments in (("read_file", read), ("bash", echo)):
                for at_once in (1, 10):
                    compare(
                        f"{CALLS} calls of {name}, {at_once} to a response",
                        turns(ours, name, arguments, at_once=at_once),
                        turns(raw, name, arguments, at_once=at_once),
                        target="<= 1.15x",
                    )
    spent = [float(subprocess.check_output([sys.executable, "-c", IMPORT])) for _ in range(5)]
    row("import, on top of the framework and a Runner", f"{statistics.median(spent):.1f} ms", "", "", "<= 20 ms")


if __name__ == "__main__":
    main()
