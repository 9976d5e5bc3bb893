"""The mm window mode. Source: mm reference, "Window mode"."""

from __future__ import annotations

import io
import os
from collections.abc import Callable

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.terminal.screen import Screen
from mmtools.adapters.window_display import WindowDisplay
from mmtools.call import Headline, Status, ToolKind
from mmtools.core import screen_text
from mmtools.testing.conformance import displays
from mmtools.testing.terminals import Terminal
from tests.adapters.shown_calls import ended, started
from tests.hostile_requests import HOSTILE, is_shown, unseen
from tests.hypothesis_profiles import scaled

WITHOUT_RICH = "import sys\nsys.modules['rich'] = None\nfrom mmtools.adapters.window_display import WindowDisplay\n"


def show(text: str, status: Status = Status.OK, *, headline: str = "make test", preview_lines: int = 5) -> list[str]:
    stream = io.StringIO()
    display = WindowDisplay(stream, preview_lines=preview_lines)
    call = started(headline)
    display.started(call)
    assert stream.getvalue() == "", "a call is one line, written when it is known how it ended"
    display.finished(ended(call, text, status))
    return stream.getvalue().split("\n")[:-1]


@pytest.mark.parametrize("law", displays.LAWS, ids=lambda law: law.__name__)
def test_it_keeps_the_laws_of_displays(law: Callable[[displays.Make], None]) -> None:
    law(WindowDisplay)


@given(st.text(st.one_of(st.sampled_from("\x1b[8m\x9b\r\n\b\u202e"), st.characters(exclude_categories=[]))))
def test_no_text_at_all_lets_a_control_through(text: str) -> None:
    displays.lets_no_control_through(WindowDisplay, [text])


@pytest.mark.parametrize(
    ("status", "line"),
    [
        (Status.OK, "‣ bash  make test  ✓ 1.2s"),
        (Status.FAILED, "‣ bash  make test  ✗ failed 1.2s"),
        (Status.TIMED_OUT, "‣ bash  make test  ✗ timed out 1.2s"),
        (Status.REJECTED, "‣ bash  make test  ⊘ rejected 1.2s"),
        (Status.CANCELLED, "‣ bash  make test  ⊘ cancelled 1.2s"),
    ],
)
def test_a_call_is_one_line_with_its_status_and_time(status: Status, line: str) -> None:
    assert show("text", status) == [line, "    text"]


def test_a_command_of_several_lines_is_one_line() -> None:
    assert show("", headline="make\nmake test") == ["‣ bash  make …  ✓ 1.2s", "    (no output)"]


def test_a_call_about_nothing_leaves_no_gap() -> None:
    assert show("x", headline="")[0] == "‣ bash  ✓ 1.2s"


@given(st.integers(0, 9), st.integers(0, 5), st.sampled_from([Status.OK, Status.FAILED]))
def test_the_answer_is_folded_and_every_line_accounted_for(count: int, limit: int, status: Status) -> None:
    """A failure shows its last line too: that is where it says why."""
    lines = [f"line {number}" for number in range(count)]
    first, *shown = show("\n".join(lines), status, preview_lines=limit)
    expected = lines[:limit]
    rest = lines[limit:]
    why = rest[-1:] if status is Status.FAILED else []
    hidden = len(rest) - len(why)
    if hidden:
        expected.append(f"… {hidden} more line{'s' if hidden > 1 else ''}")
    expected += why
    assert shown == [f"    {line}" for line in expected or ["(no output)"]]
    assert first.startswith("‣ bash  make test  ")


def test_an_answer_that_is_not_echoed_stays_unseen() -> None:
    stream = io.StringIO()
    call = evolve(started(tool="read_skill"), headline=Headline(text="deploy", echoes=False))
    display = WindowDisplay(stream)
    display.started(call)
    display.output("1", "secret\n")
    display.finished(ended(call, "secret"))
    assert stream.getvalue() == "‣ read_skill  deploy  ✓ 1.2s\n"


def test_a_missing_extra_that_was_asked_for_is_named() -> None:
    # Newer Pythons colour a traceback.
    with Terminal(f"{WITHOUT_RICH}WindowDisplay(running='rich')\n", environment={"PYTHON_COLORS": "0"}) as terminal:
        code, screen = terminal.end()
    assert code == 1
    assert screen.endswith('ModuleNotFoundError: running="rich" needs the package rich: pip install rich\r\n')


@pytest.mark.parametrize("running", ["auto", "hidden"])
def test_without_the_extra_the_lines_are_plain(running: str) -> None:
    program = f"""{WITHOUT_RICH}
from tests.adapters.shown_calls import ended, started
display, call = WindowDisplay(running={running!r}), started("make " + "x" * 50)
display.started(call)
display.finished(ended(call, "y" * 50))
"""
    with Terminal(program, columns=40, environment={"NO_COLOR": "1"}) as terminal:
        code, screen = terminal.end()
    assert code == 0
    head, answer = screen.split("\r\n")[:-1]
    assert head == "‣ bash  make " + "x" * (40 - 13 - 9) + "…  ✓ 1.2s"
    assert answer == "    " + "y" * 35 + "…"
    assert len(head) == len(answer) == 40


def test_a_number_of_lines_is_not_negative() -> None:
    with pytest.raises(ValueError, match="preview_lines"):
        WindowDisplay(preview_lines=-1)


class WideScreen(Screen):
    """A screen of a given width, on a stream that is no terminal."""

    def __init__(self, stream: io.StringIO, columns: int) -> None:
        super().__init__(lambda: stream)
        self._wide = os.terminal_size((columns, 24))

    @property
    def size(self) -> os.terminal_size:
        return self._wide


@given(HOSTILE, HOSTILE, HOSTILE, st.sampled_from(ToolKind), st.sampled_from(Status), st.integers(70, 120))
@scaled(60)
def test_the_tool_and_the_target_stand_on_one_row_that_no_string_forges(
    tool: str, about: str, text: str, kind: ToolKind, status: Status, columns: int
) -> None:
    stream = io.StringIO()
    call = evolve(started(about, tool), kind=kind)
    WindowDisplay(WideScreen(stream, columns)).finished(ended(call, text, status))
    head, *answer = stream.getvalue().removesuffix("\n").split("\n")
    assert not unseen(head)
    assert screen_text.width(head) <= columns
    assert all(row.startswith("    ") for row in answer)
    assert head.startswith("‣ ")
    name_ends = [at for at in range(2, len(head)) if is_shown(head[2:at], tool)]
    assert name_ends
    if kind is not ToolKind.EXECUTE and about.strip():
        rests = [head[at:].removeprefix("  ") for at in name_ends]
        assert any(
            is_shown(rest[:at], about) for rest in rests for at in range(len(rest)) if rest[at:].startswith("  ")
        )
