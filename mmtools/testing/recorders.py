"""A display and an observer that only keep what they are told; threads may share them."""

from __future__ import annotations

from attrs import define, field

from mmtools.call import Observation
from mmtools.ports.display import FinishedCall, StartedCall

__all__ = ["RecordingDisplay", "RecordingObserver"]


@define(eq=False)
class RecordingDisplay:
    """
    A display that keeps calls and live output in the order in which they came.

    Args:
        outputs: (call_id, text) per chunk.
        events: All three kinds together.
    """

    started_calls: list[StartedCall] = field(factory=list, init=False)
    outputs: list[tuple[str, str]] = field(factory=list, init=False)
    finished_calls: list[FinishedCall] = field(factory=list, init=False)
    events: list[StartedCall | tuple[str, str] | FinishedCall] = field(factory=list, init=False)

    def started(self, call: StartedCall) -> None:
        self.started_calls.append(call)
        self.events.append(call)

    def output(self, call_id: str, text: str) -> None:
        self.outputs.append((call_id, text))
        self.events.append((call_id, text))

    def finished(self, call: FinishedCall) -> None:
        self.finished_calls.append(call)
        self.events.append(call)

    def text(self, call_id: str) -> str:
        """Return a call's live output, joined."""
        return "".join(text for of, text in self.outputs if of == call_id)


@define(eq=False)
class RecordingObserver:
    """An observer that keeps observations in the order in which they came."""

    observations: list[Observation] = field(factory=list, init=False)

    def record(self, observation: Observation) -> None:
        self.observations.append(observation)
