"""
A little host that stores what waits, to be killed then, and its successor that goes on with what was decided.

    python -m tests.hosting.pydantic_ai.desk ROOT…     one agent per root, each stored when it waits
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

from pydantic import TypeAdapter
from pydantic_ai import DeferredToolRequests
from pydantic_ai.messages import ModelMessagesTypeAdapter

from mmtools import Choice, Decision, Defer, Rule, Rules, local
from mmtools.hosting.pydantic_ai import decided
from tests.hosting.pydantic_ai.scripted import agent, told

REQUESTS = TypeAdapter(DeferredToolRequests)
POLICY = Rules([Rule.allow("read*")], inner=Defer())


async def ask(root: Path) -> None:
    call = json.loads((root / "call.json").read_text())
    with local.mm(root, permission=POLICY) as runner:
        result = await agent(runner, [tuple(call)]).run("go")
    assert isinstance(result.output, DeferredToolRequests)
    (root / "messages.json").write_bytes(ModelMessagesTypeAdapter.dump_json(result.all_messages()))
    (root / "requests.json").write_bytes(REQUESTS.dump_json(result.output))


async def go_on(root: Path) -> list[str]:
    messages = ModelMessagesTypeAdapter.validate_json((root / "messages.json").read_bytes())
    requests = REQUESTS.validate_json((root / "requests.json").read_bytes())
    if (root / "no.txt").exists():
        no = Decision(Choice.REJECT_ONCE, (root / "no.txt").read_text())
        results = decided(requests, {call.tool_call_id: no for call in requests.approvals})
    else:
        results = requests.build_results(approve_all=True, metadata=requests.metadata)
    with local.mm(root, permission=POLICY) as runner:
        result = await agent(runner, "done").run(message_history=messages, deferred_tool_results=results)
    assert result.output == "done"
    return told(result.all_messages())


async def main(*roots: str) -> None:
    for root in roots:
        await ask(Path(root))
    print("stored", flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
    time.sleep(60)
