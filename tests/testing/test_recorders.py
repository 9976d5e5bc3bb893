"""The recorders keep what they are told, in order."""

from __future__ import annotations

from mmtools.call import Headline, Observation, Outcome, Status, ToolKind
from mmtools.ports.display import Display, FinishedCall, StartedCall
from mmtools.ports.observer import Observer
from mmtools.testing.recorders import RecordingDisplay, RecordingObserver


def test_a_display_keeps_calls_and_chunks() -> None:
    recorder = RecordingDisplay()
    display: Display = recorder
    call = StartedCall(
        call_id="t1", tool="bash", kind=ToolKind.EXECUTE, family="command", headline=Headline(text="make")
    )
    end = FinishedCall(call, Outcome(call_id="t1", tool="bash", text="done", status=Status.OK))
    display.started(call)
    display.output("t1", "a")
    display.output("t2", "x")
    display.output("t1", "b")
    display.finished(end)
    assert recorder.started_calls == [call]
    assert recorder.finished_calls == [end]
    assert recorder.outputs == [("t1", "a"), ("t2", "x"), ("t1", "b")]
    assert recorder.events == [call, ("t1", "a"), ("t2", "x"), ("t1", "b"), end]
    assert recorder.text("t1") == "ab"


def test_an_observer_keeps_observations() -> None:
    recorder = RecordingObserver()
    observer: Observer = recorder
    observation = Observation(
        tool="bash",
        call_seq=1,
        args_digest="a",
        result_digest="b",
        bytes_in=1,
        bytes_out=2,
        duration_ms=3.0,
        outcome="ok",
    )
    observer.record(observation)
    assert recorder.observations == [observation]
