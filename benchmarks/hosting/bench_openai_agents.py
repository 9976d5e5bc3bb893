"""
Claims: a tool call through the adapter takes at most 1.15x the same call through a minimal tool of the SDK that calls
the runner itself; importing the adapter takes at most 20 ms more than importing the SDK.

    python -m benchmarks.hosting.bench_openai_agents    # where openai-agents is installed
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import agents
from agents import Agent, FunctionTool, RunConfig
from agents.testing import ScriptedModel, assistant_message, function_call
from agents.tool_context import ToolContext

from benchmarks.measure import row
from mmtools import AllowAll, LoopDetector, Runner, local
from mmtools.hosting.openai_agents import function_tools, in_context

CALLS, ROUNDS = 10, 9


def by_hand(runner: Runner) -> list[agents.Tool]:
    """Write the least that hosts a runner."""

    def minimal(name: str, description: str, schema: dict[str, Any]) -> FunctionTool:
        async def invoke(context: ToolContext[Any], arguments: str) -> str:
            return (await runner.acall(name, arguments, call_id=context.tool_call_id)).text

        return FunctionTool(name, description, schema, invoke, strict_json_schema=False)

    return [minimal(spec.name, spec.description, spec.arguments_schema) for spec in runner.specs]


async def run(tools: list[agents.Tool], step: tuple[str, dict[str, Any]]) -> float:
    """Return the seconds of one run of many calls, one a response."""
    responses = [[function_call(*step, call_id=f"c{number}")] for number in range(CALLS)]
    agent = Agent[Any](name="coder", model=ScriptedModel([*responses, [assistant_message("done")]]), tools=tools)
    begun = time.perf_counter()
    await agents.Runner.run(agent, "go", context={}, max_turns=CALLS + 1, run_config=RunConfig(tracing_disabled=True))
    return time.perf_counter() - begun


def calls(name: str, runner: Runner, step: tuple[str, dict[str, Any]]) -> None:
    """Print the rows of one kind of call: directly, and by way of the SDK's approval check."""
    ways = {
        "by hand": by_hand(runner),
        "direct": function_tools(runner),
        "approvals": function_tools(runner, waiting=in_context),
    }
    spent: dict[str, list[float]] = {way: [] for way in ways}
    for counted in range(ROUNDS + 1):
        for way, tools in ways.items():
            seconds = asyncio.run(run(tools, step))
            if counted:
                spent[way].append(seconds / CALLS)
    raw = statistics.median(spent.pop("by hand"))
    for way, times in spent.items():
        ours = statistics.median(times)
        row(f"{name}, {way}", f"{ours * 1e3:.2f} ms", f"raw {raw * 1e3:.2f} ms", f"{ours / raw:.2f}x", "<= 1.15x")


def imports() -> None:
    """Print the least CPU time that the adapter's import takes beyond the SDK's, in processes of their own."""
    code = (
        "import sys, time, agents, mmtools.runner, json\nbegun = time.process_time()\n"
        "import mmtools.hosting.openai_agents\njson.dump(time.process_time() - begun, sys.stdout)"
    )
    took = [json.loads(subprocess.check_output([sys.executable, "-c", code])) for _ in range(3)]
    row("import, beyond the SDK and the runner, CPU", f"{min(took) * 1e3:.1f} ms", "", "", "<= 20 ms")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as root:
        (Path(root) / "a.txt").write_text("one\ntwo\n")
        detector = LoopDetector(warn_after=10**9, stop_after=10**9)
        with local.mm(root, permission=AllowAll(), loop_detector=detector) as runner:
            calls("read_file", runner, ("read_file", {"path": "a.txt"}))
            calls("bash true", runner, ("bash", {"command": "true"}))
    imports()
