"""Calls that run, drawn with rich in a real terminal."""

from __future__ import annotations

import io
import re
import time

import pytest

from mmtools.adapters.terminal.call_text import Row
from mmtools.adapters.terminal.excerpt import LiveLines
from mmtools.adapters.terminal.rich_region import RichRegion
from mmtools.adapters.terminal.screen import screen_on
from mmtools.testing.terminals import Terminal

pytestmark = pytest.mark.slow

BEGIN = """
import time
from mmtools.adapters.window_display import WindowDisplay
from tests.adapters.shown_calls import ended, running, started
display = WindowDisplay(running="rich")
one, two = started("make [bold]lint[/bold] :smile:", call_id="1"), started("make docs", call_id="2")
"""

HIDE_CURSOR, SHOW_CURSOR = "\x1b[?25l", "\x1b[?25h"


def readable(screen: str) -> str:
    return re.sub(r"\x1b\[[0-?]*[ -/]*[@-~]", "", screen)


def test_a_running_call_moves_and_its_end_takes_its_place() -> None:
    program = f"""{BEGIN}
display.started(one)
display.output("1", "checking \\x1b[31ma.py\\x1b[0m\\n")
input()
display.finished(ended(one, "all good"))
"""
    with Terminal(program) as terminal:
        first = terminal.wait_for("make [bold]lint[/bold] :smile:")
        newest = terminal.wait_for("checking a.py")
        terminal.wait_for("1s")
        terminal.send("\n")
        last = terminal.wait_for("all good")
        code, screen = terminal.end()
    assert code == 0
    assert HIDE_CURSOR in first
    assert readable(first + newest).strip().startswith("⠋ bash  make [bold]lint[/bold] :smile:")
    assert SHOW_CURSOR in last
    assert "\x1b[31ma.py" not in screen


def test_several_running_calls_are_drawn_together() -> None:
    with Terminal(f"{BEGIN}display.started(one)\ndisplay.started(two)\ninput()\n") as terminal:
        terminal.wait_for("make docs")
        drawn = terminal.wait_for("make docs")
        assert ":smile:" in drawn


def test_nothing_moves_while_a_question_is_open() -> None:
    program = f"""{BEGIN}
from mmtools.adapters.console import ConsolePermission
display.started(one)
display.started(two)
print(ConsolePermission().decide(running("make")).choice, flush=True)
display.finished(ended(two, "built"))
"""
    with Terminal(program) as terminal:
        terminal.wait_for("[a]ll: ")
        time.sleep(0.3)  # three frames, were they drawn
        terminal.send("maybe\n")
        between = terminal.wait_for("[a]ll: ")
        terminal.send("y\n")
        after = terminal.wait_for("built")
    assert readable(between).replace("\r", "") == "maybe\nallow? [y]es/[n]o/[a]ll: "
    assert "allow_once" in after
    assert "make docs" in after


def test_a_program_that_dies_in_the_middle_gives_the_cursor_back() -> None:
    with Terminal(f"{BEGIN}display.started(one)\ninput()\nraise SystemExit(3)\n") as terminal:
        terminal.wait_for(HIDE_CURSOR)
        terminal.send("\n")
        code, screen = terminal.end()
    assert code == 3
    assert screen.rindex(SHOW_CURSOR) > screen.rindex(HIDE_CURSOR)


def test_where_there_is_no_terminal_nothing_is_drawn() -> None:
    stream = io.StringIO()
    region = RichRegion(screen_on(stream), lambda: 0.0)
    region.show([Row("bash", "make", 0.0, LiveLines(0))])
    region.pause()
    region.resume()
    region.show([])
    assert stream.getvalue() == ""
