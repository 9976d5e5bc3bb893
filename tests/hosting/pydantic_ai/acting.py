"""Tools that do nothing but show how they were run."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Annotated

from attrs import define, field, frozen
from typing_extensions import Doc

from mmtools import AllowAll, Runner, ToolKind, ToolSpec
from mmtools.call import Headline, Media, Report
from mmtools.core.loop import LoopDetector
from mmtools.tool import Call


@frozen(kw_only=True)
class StepArgs:
    number: Annotated[int, Doc("Which step this is.")] = 0


@define(eq=False)
class Step:
    """
    A tool that notes when a call begins and ends.

    Args:
        meeting: Where calls wait for one another before they end; None lets each end by itself.
        shown: Media of every answer.
    """

    kind: ToolKind
    notes: list[tuple[str, int]] = field(factory=list)
    meeting: threading.Barrier | None = None
    shown: tuple[Media, ...] = ()

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(
            name=f"step_{self.kind.value}", description="Step.", kind=self.kind, family="step", arguments=StepArgs
        )

    def headline(self, arguments: StepArgs) -> Headline:
        return Headline(text=str(arguments.number))

    def execute(self, arguments: StepArgs, call: Call) -> str:
        self.notes.append(("begin", arguments.number))
        if self.meeting is not None:
            self.meeting.wait(timeout=10)
        call.report(Report(media=self.shown))
        self.notes.append(("end", arguments.number))
        return f"step {arguments.number}"


def runner_of(tools: Iterable[Step]) -> Runner:
    """Build a runner that stops no loop."""
    return Runner(list(tools), permission=AllowAll(), loop_detector=LoopDetector(warn_after=900, stop_after=1000))
