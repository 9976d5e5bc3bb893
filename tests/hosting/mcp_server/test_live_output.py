"""Live output: all of it, in order, without terminal sequences, in few notifications."""

from __future__ import annotations

import asyncio
import threading

from hypothesis import given
from hypothesis import strategies as st

from mmtools.core import escapes
from mmtools.hosting.mcp.live_output import LiveOutput
from tests.hypothesis_profiles import scaled

chunks = st.lists(st.text("ab\n\x1b[1m\r\0", max_size=12), max_size=12)


async def sent(pieces: list[str], *, thread: bool = True) -> list[tuple[int, str]]:
    reports: list[tuple[int, str]] = []

    async def send(seen: int, text: str) -> None:
        await asyncio.sleep(0)
        reports.append((seen, text))

    output = LiveOutput(send)
    if thread:
        feeding = threading.Thread(target=lambda: list(map(output.feed, pieces)))
        feeding.start()
        await asyncio.to_thread(feeding.join)
    else:
        for piece in pieces:
            output.feed(piece)
        await asyncio.sleep(0)
    await output.close()
    return reports


@scaled(40)
@given(chunks)
def test_what_arrives_is_what_was_said(pieces: list[str]) -> None:
    reports = asyncio.run(sent(pieces))
    assert "".join(text for _, text in reports) == escapes.strip("".join(pieces))
    positions = [seen for seen, _ in reports]
    assert positions == sorted(set(positions))
    assert all(text for _, text in reports)


def test_a_flood_is_few_notifications_and_says_what_it_leaves_out() -> None:
    reports = asyncio.run(sent(["x" * 100 + "\n"] * 1_000))
    assert len(reports) < 100
    assert reports[-1][0] == 101_000
    assert any("characters not shown live" in text for _, text in reports) or len(reports) > 20
    assert all(len(text) < 5_000 for _, text in reports)


def test_nobody_hears_of_nothing() -> None:
    assert asyncio.run(sent([])) == []
    assert asyncio.run(sent(["\x1b[1m", "\0"], thread=False)) == []


def test_what_is_dropped_is_not_sent() -> None:
    reports: list[str] = []

    async def send(seen: int, text: str) -> None:
        reports.append(text)

    async def drop() -> LiveOutput:
        output = LiveOutput(send)
        output.feed("one")
        output.drop()
        await asyncio.sleep(0.01)
        output.drop()
        return output

    output = asyncio.run(drop())
    assert reports == ["one"]
    output.feed("late")
    assert reports == ["one"]
