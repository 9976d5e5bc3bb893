"""Live output for whoever made the call."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from mmtools import AllowAll, Runner, local
from mmtools.hosting.live import LiveDisplay, listening
from mmtools.testing.recorders import RecordingDisplay

TWICE = {"command": "echo one; sleep 0.05; echo two"}


def test_a_caller_hears_its_call(tmp_path: Path) -> None:
    heard: list[str] = []
    with local.mm(tmp_path, permission=AllowAll(), display=LiveDisplay()) as runner:
        with listening(heard.append):
            runner.execute("bash", TWICE)
        runner.execute("bash", TWICE)
    assert "".join(heard) == "one\ntwo\n"


def test_callers_side_by_side_hear_their_own(tmp_path: Path) -> None:
    async def call(runner: Runner, word: str) -> str:
        heard: list[str] = []
        with listening(heard.append):
            await runner.acall("bash", {"command": f"echo {word}; sleep 0.05; echo {word}"})
        return "".join(heard)

    async def all_at_once() -> list[str]:
        with local.mm(tmp_path, permission=AllowAll(), display=LiveDisplay()) as runner:
            return await asyncio.gather(*(call(runner, str(number)) for number in range(4)))

    assert asyncio.run(all_at_once()) == [f"{number}\n{number}\n" for number in range(4)]


@pytest.mark.parametrize("alone", [True, False])
def test_a_display_beside_it_is_told_everything(tmp_path: Path, alone: bool) -> None:
    beside, plain = RecordingDisplay(), RecordingDisplay()
    with local.mm(tmp_path, permission=AllowAll(), display=LiveDisplay(beside)) as runner:
        if alone:
            runner.call("bash", {"command": "echo hi"}, call_id="c")
        else:
            with listening(print):
                runner.call("bash", {"command": "echo hi"}, call_id="c")
    with local.mm(tmp_path, permission=AllowAll(), display=plain) as runner:
        runner.call("bash", {"command": "echo hi"}, call_id="c")
    assert beside.started_calls == plain.started_calls
    assert beside.text("c") == plain.text("c") == "hi\n"
    assert [call.outcome.text for call in beside.finished_calls] == ["hi\n"]


def test_the_inner_of_two_listeners_hears(tmp_path: Path) -> None:
    outer: list[str] = []
    inner: list[str] = []
    display = LiveDisplay()
    with listening(outer.append):
        with listening(inner.append):
            display.output("c", "a")
        display.output("c", "b")
    display.output("c", "c")
    assert (outer, inner) == (["b"], ["a"])
