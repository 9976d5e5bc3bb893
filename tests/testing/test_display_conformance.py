"""The laws of displays find the display that breaks them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO

import pytest

from mmtools.ports.display import FinishedCall, StartedCall
from mmtools.testing.conformance import displays


class Careful:
    """A display that does nothing wrong: it says little, in whole lines."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def started(self, call: StartedCall) -> None:
        self.stream.write("\x1b[1mbegin\x1b[0m\n")

    def output(self, call_id: str, text: str) -> None:
        self.stream.write(f"{len(text)}\n")

    def finished(self, call: FinishedCall) -> None:
        self.stream.write(f"end {call.outcome.text!a}\n")


class ForgetsUnknownCalls(Careful):
    """A display that raises for a call it was not told of."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self.calls: dict[str, StartedCall] = {}

    def started(self, call: StartedCall) -> None:
        self.calls[call.call_id] = call

    def output(self, call_id: str, text: str) -> None:
        self.stream.write(f"{self.calls[call_id].tool}\n")


class NeedsAStart(ForgetsUnknownCalls):
    def output(self, call_id: str, text: str) -> None:
        pass

    def finished(self, call: FinishedCall) -> None:
        del self.calls[call.call.call_id]


class OneAtATime(Careful):
    """A display that refuses a call while another runs."""

    running = False

    def started(self, call: StartedCall) -> None:
        assert not self.running
        self.running = True

    def finished(self, call: FinishedCall) -> None:
        self.running = False


class Trusting(Careful):
    """A display that shows the answer as it is."""

    def finished(self, call: FinishedCall) -> None:
        self.stream.write(call.outcome.text.encode("utf-8", "replace").decode() + "\n")


class TrustsTheHeadline(Careful):
    def started(self, call: StartedCall) -> None:
        self.stream.write(call.headline.text.replace("\x1b", "").encode("utf-8", "replace").decode() + "\n")


class StripsEachChunk(Careful):
    """A display that takes whole sequences out of each chunk, so that one that comes in pieces gets through."""

    def output(self, call_id: str, text: str) -> None:
        if len(text) == 1:
            self.stream.write(text.encode("utf-8", "replace").decode())


class CannotEncode(Careful):
    def started(self, call: StartedCall) -> None:
        self.stream.write(f"{call.headline.text!a} {''.join(char for char in call.tool if ord(char) > 0xD7FF)}\n")


class Tearing(Careful):
    """A display that writes a line in two halves."""

    def finished(self, call: FinishedCall) -> None:
        first, second = call.call.headline.text[:3], call.call.headline.text[3:]
        for half in (first, second):
            for char in half:
                self.stream.write(char)
                time.sleep(0.0005)
        self.stream.write("\n")


def test_a_careful_display_keeps_them_all() -> None:
    displays.check_display(Careful)


def test_a_display_is_held_to_each_of_them() -> None:
    for careless in (ForgetsUnknownCalls, NeedsAStart, OneAtATime, Trusting, Tearing):
        with pytest.raises((AssertionError, KeyError)):
            displays.check_display(careless)


@pytest.mark.parametrize(
    ("law", "make"),
    [
        (displays.survives_output_of_an_unknown_call, ForgetsUnknownCalls),
        (displays.survives_a_finish_without_a_start, NeedsAStart),
        (displays.survives_a_start_without_a_finish, OneAtATime),
        (displays.lets_no_control_through, Trusting),
        (displays.lets_no_control_through, TrustsTheHeadline),
        (displays.lets_no_control_through, StripsEachChunk),
        (displays.lets_no_control_through, CannotEncode),
        (displays.keeps_lines_whole_between_threads, Tearing),
        (displays.keeps_lines_whole_between_threads, OneAtATime),
    ],
)
def test_each_law_finds_who_breaks_it(law: Callable[[displays.Make], None], make: displays.Make) -> None:
    with pytest.raises((AssertionError, KeyError, UnicodeEncodeError)):
        law(make)


def test_the_counterexample_names_the_text_and_what_became_of_it() -> None:
    with pytest.raises(AssertionError, match=r"'\\x1b\[8mhidden' let '\\x1b' through"):
        displays.lets_no_control_through(Trusting, ["plain", "\x1b[8mhidden"])
