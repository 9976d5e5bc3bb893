"""Claim: the runner adds at most 60 µs to a bare function call with the same JSON parse."""

from __future__ import annotations

import itertools
import json
import statistics
import time
from typing import Annotated, ClassVar

from attrs import frozen
from typing_extensions import Doc

from benchmarks.measure import row
from mmtools import AllowAll, Runner, ToolKind, ToolSpec
from mmtools.call import CommandPreview, GrantScope, Headline, Proposal
from mmtools.ports.display import FinishedCall, StartedCall
from mmtools.tool import Call

CALLS = 2_000


@frozen(kw_only=True)
class NothingArgs:
    path: Annotated[str, Doc("A path.")]
    number: Annotated[int, Doc("A number.")] = 0


@frozen(kw_only=True)
class Nothing:
    """A tool that asks for permission and does nothing."""

    spec: ClassVar = ToolSpec(
        name="nothing", description="Nothing.", kind=ToolKind.EXECUTE, family="command", arguments=NothingArgs
    )

    def headline(self, arguments: NothingArgs) -> Headline:
        return Headline(text=arguments.path)

    def execute(self, arguments: NothingArgs, call: Call) -> str:
        preview = CommandPreview(arguments.path, "/")
        call.approve(Proposal(title="nothing", preview=preview, scope=GrantScope("n", "nothing"), refusal="[no]"))
        return arguments.path


class NullDisplay:
    """A display that shows nothing, at the price of the calls."""

    def started(self, call: StartedCall) -> None: ...

    def output(self, call_id: str, text: str) -> None: ...

    def finished(self, call: FinishedCall) -> None: ...


def bare(path: str, number: int = 0) -> str:
    return path


if __name__ == "__main__":
    runner = Runner([Nothing()], permission=AllowAll(), display=NullDisplay())
    texts = [json.dumps({"path": f"a/{n}.py", "number": n}) for n in range(CALLS)]
    differences = []
    for _ in itertools.repeat(None, 9):
        begun = time.perf_counter()
        for text in texts:
            bare(**json.loads(text))
        between = time.perf_counter()
        for text in texts:
            runner.execute("nothing", text)
        ended = time.perf_counter()
        differences.append(((ended - between) - (between - begun)) / CALLS)
    row("runner, over a bare call", f"{statistics.median(differences) * 1e6:.1f} µs", "", "", "<= 60 µs")
