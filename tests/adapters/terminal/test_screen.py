"""The one place where lines reach a person."""

from __future__ import annotations

import io
import os
import sys
import threading
from contextlib import suppress

import pytest

from mmtools.adapters.terminal.screen import STDOUT, Screen, Style, screen_on
from mmtools.testing.terminals import Terminal

SHOW_COLOUR = """
from mmtools.adapters.terminal.screen import STDOUT, Style
STDOUT.write(repr(STDOUT.styled("x", Style.RED, Style.BOLD)) + "\\n")
"""


class Leaving(io.StringIO):
    """A stream whose reader has gone."""

    def write(self, text: str) -> int:
        raise BrokenPipeError


class Moving:
    """Something that moves on a screen, and when it was told to stop and go."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def pause(self) -> None:
        self.told.append("pause")

    def resume(self) -> None:
        self.told.append("resume")


def test_what_is_written_during_a_question_comes_after_it_in_order() -> None:
    stream = io.StringIO()
    screen = screen_on(stream)
    with screen.question() as say:
        say("allow? ")
        others = [threading.Thread(target=screen.write, args=(f"line {number}\n",)) for number in range(3)]
        for other in others:
            other.start()
            other.join(10)
        say("y\n")
        assert stream.getvalue() == "allow? y\n"
    assert stream.getvalue() == "allow? y\nline 0\nline 1\nline 2\n"


def test_a_second_question_waits_for_the_first() -> None:
    stream = io.StringIO()
    screen = screen_on(stream)

    def ask() -> None:
        with screen.question() as say:
            say("second\n")

    with screen.question() as say:
        other = threading.Thread(target=ask)
        other.start()
        say("first, ")
        say("whole\n")
    other.join(10)
    assert stream.getvalue() == "first, whole\nsecond\n"


def test_what_moves_is_held_still_during_a_question_even_one_that_is_interrupted() -> None:
    screen, moving = screen_on(io.StringIO()), Moving()
    screen.add_pausing(moving)
    with suppress(KeyboardInterrupt), screen.question():
        assert moving.told == ["pause"]
        raise KeyboardInterrupt
    assert moving.told == ["pause", "resume"]
    screen.write("written at once again\n")


def test_a_screen_keeps_nothing_alive_that_once_moved() -> None:
    screen, moving = screen_on(io.StringIO()), Moving()
    told = moving.told
    screen.add_pausing(moving)
    del moving
    with screen.question():
        pass
    assert told == []


def closed() -> io.StringIO:
    stream = io.StringIO()
    stream.close()
    return stream


@pytest.mark.parametrize("find", [Leaving, closed, lambda: None])
def test_a_terminal_that_went_away_ends_the_showing_only(find: type[io.StringIO]) -> None:
    Screen(find).write("nobody reads this\n")


@pytest.mark.parametrize("find", [Leaving, closed, lambda: None])
def test_a_question_nobody_can_see_is_an_error(find: type[io.StringIO]) -> None:
    with pytest.raises((OSError, ValueError)), Screen(find).question() as say:
        say("allow? ")


def test_what_a_stream_cannot_encode_does_not_stop_the_rest() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii", newline="")
    screen_on(stream).write("‣ bash\n")
    assert raw.getvalue() == b"? bash\n"


def test_standard_output_is_looked_up_at_each_write(capsys: pytest.CaptureFixture[str]) -> None:
    STDOUT.write("here\n")
    assert capsys.readouterr().out == "here\n"


def test_displays_and_questions_without_a_stream_share_one_screen() -> None:
    assert screen_on(None) is STDOUT
    own = screen_on(io.StringIO())
    assert screen_on(own) is own


@pytest.mark.parametrize(
    ("environment", "shown"),
    [
        ({}, "'\\x1b[31;1mx\\x1b[0m'"),
        ({"NO_COLOR": "1"}, "'x'"),
        ({"NO_COLOR": ""}, "'\\x1b[31;1mx\\x1b[0m'"),
        ({"TERM": "dumb"}, "'x'"),
    ],
)
def test_colours_show_on_a_terminal_unless_it_or_its_owner_wants_none(
    environment: dict[str, str], shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    with Terminal(SHOW_COLOUR, environment=environment) as terminal:
        assert terminal.end() == (0, f"{shown}\r\n")


@pytest.mark.parametrize(("colour", "shown"), [(None, "x"), (False, "x"), (True, "\x1b[2mx\x1b[0m")])
def test_colours_elsewhere_are_for_those_who_ask(colour: bool | None, shown: str) -> None:
    assert screen_on(io.StringIO(), colour=colour).styled("x", Style.DIM) == shown


def test_only_a_terminal_has_a_size() -> None:
    assert screen_on(io.StringIO()).size is None
    ours, theirs = os.openpty()
    with os.fdopen(ours), os.fdopen(theirs, "w") as stream:
        assert screen_on(stream).size == (80, 24), "one that does not know its size"
    with Terminal(
        "from mmtools.adapters.terminal.screen import STDOUT; print(tuple(STDOUT.size))", columns=33, lines=9
    ) as terminal:
        assert terminal.end() == (0, "(33, 9)\r\n")


@pytest.mark.parametrize(("columns", "taken", "left"), [(80, 4, 76), (22, 4, 20), (10, 40, 20)])
def test_columns_are_left_in_the_narrowest_terminal_and_without_one_lines_stay_whole(
    columns: int, taken: int, left: int
) -> None:
    program = f"""
from mmtools.adapters.terminal.screen import STDOUT
STDOUT.write(str([STDOUT.columns_beside({taken}), STDOUT.columns_beside({taken}, least=1)]) + "\\n")
"""
    with Terminal(program, columns=columns) as terminal:
        assert terminal.wait_for("]").endswith(f"[{left}, {max(columns - taken, 1)}]")
    assert screen_on(io.StringIO()).columns_beside(taken) == sys.maxsize
