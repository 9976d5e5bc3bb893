"""
What every `Display` must hold, checked against one that you bring.

    def test_my_display() -> None:
        displays.check_display(MyDisplay)

Each law takes a function that makes a display writing to the stream it is given (one that writes elsewhere
ignores it), and raises `AssertionError` with the counterexample, or lets out what the display raised.
"""

from __future__ import annotations

import io
import re
import threading
import unicodedata
from collections.abc import Callable, Sequence
from functools import partial
from typing import TextIO, TypeAlias

from mmtools.call import Headline, Outcome, Status, ToolKind
from mmtools.ports.display import Display, FinishedCall, StartedCall
from mmtools.testing.conformance.acts import hold, side_by_side

__all__ = [
    "HOSTILE",
    "LAWS",
    "Make",
    "check_display",
    "keeps_lines_whole_between_threads",
    "lets_no_control_through",
    "survives_a_finish_without_a_start",
    "survives_a_start_without_a_finish",
    "survives_output_of_an_unknown_call",
]

#: Makes the display under test.
Make: TypeAlias = Callable[[TextIO], Display]

#: Text that must not reach a terminal as it is: one of each kind, none of which a display would write itself.
HOSTILE: tuple[str, ...] = (
    "\x1b[38;5;213mcoloured\x1b[0;7m",
    "\x1b[8mhidden",
    "\x1b[2J\x1b[3;1Hcleared",
    "\x1b]0;title\x07",
    "\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\",
    "\x1b]52;c;cm0gLXJm\x07clipboard",
    "\x1bP1$r0m\x1b\\device",
    "\x1bcreset",
    "\x1b",
    "broken off \x1b[38;5",
    "broken off \x1b]0;never ended",
    "\x9b31meight bits\x9d0;title\x9c",
    "over\rwritten",
    "back\b\b\b\bspace",
    "bell \x07 null \x00 delete \x7f shift \x0e\x0f form \x0c\x0b",
    "next\x85line",
    "\u202egnp.exe\u202c \u2067isolate\u2069 \u200fmark",
    "lone \ud800 surrogate",
    "\r",
    "a\r\nb\rc\n\rd",
)

_OWN_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[@-Z\\^_a-z])")

#: UAX #9, section 2: marks, embeddings, overrides and isolates.
_BIDI_CONTROLS = frozenset(map(chr, (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))))

_THREADS = 6
_LINES = 40

#: 60 s: only a display that never returns meets it.
_PATIENCE_S = 60.0


def check_display(make: Make) -> None:
    """Hold a display to all the laws, and tell every one that it breaks."""
    hold([partial(law, make) for law in LAWS])


def survives_output_of_an_unknown_call(make: Make) -> None:
    """Require that a chunk of a call never announced, or finished already, does no harm."""
    with _Stage(make) as stage:
        stage.display.output("never started", "text\n")
        call = _started("known")
        stage.display.started(call)
        stage.display.finished(_finished(call, "done"))
        stage.display.output("known", "late\n")


def survives_a_finish_without_a_start(make: Make) -> None:
    """Require that an end that nothing announced does no harm, in whichever way the call ended."""
    with _Stage(make) as stage:
        for status in Status:
            stage.display.finished(_finished(_started(f"never started, {status}"), "done", status))


def survives_a_start_without_a_finish(make: Make) -> None:
    """Require that the next call is shown although one before it never ended: a host may be interrupted."""
    with _Stage(make) as stage:
        stage.display.started(_started("interrupted"))
        call = _started("next")
        stage.display.started(call)
        stage.display.output("next", "text\n")
        stage.display.finished(_finished(call, "text\n"))


def lets_no_control_through(make: Make, texts: Sequence[str] = HOSTILE) -> None:
    """
    Require that nothing a tool or a model says can move the cursor, change colours or reorder a line.

    Args:
        texts: Sent as name, headline, answer and live output, there in one piece and in single characters.
            What the display writes itself for harmless text is allowed.
    """
    allowed = set(_OWN_SEQUENCE.findall(_everywhere(make, "harmless"))) | {"\n", "\t"}
    own = re.compile("|".join(sorted(map(re.escape, allowed), key=len, reverse=True)))
    for text in texts:
        written = _everywhere(make, text)
        left = [char for char in own.sub("", written) if _is_control(char)]
        assert not left, f"{text!r} let {left[0]!r} through:\n{written!r}"


def keeps_lines_whole_between_threads(make: Make) -> None:
    """Require that calls that run side by side never write into one another's lines."""
    with _Stage(make) as stage:
        all_announced = threading.Barrier(_THREADS)

        def run(name: str) -> None:
            try:
                _run_in_pieces(stage.display, name, all_announced)
            except threading.BrokenBarrierError:
                pass
            except BaseException:
                all_announced.abort()
                raise

        side_by_side((partial(run, f"call{number}") for number in range(_THREADS)), patience_s=_PATIENCE_S)
    for line in stage.written.split("\n"):
        names = set(re.findall(r"call\d+", line))
        assert len(names) <= 1, f"one line holds parts of {sorted(names)}: {line!r}"
        assert line.count("«") == line.count("»"), f"a torn line: {line!r}"


#: All of them, the most dangerous to break first.
LAWS: tuple[Callable[[Make], None], ...] = (
    lets_no_control_through,
    survives_output_of_an_unknown_call,
    survives_a_finish_without_a_start,
    survives_a_start_without_a_finish,
    keeps_lines_whole_between_threads,
)


class _Stage:
    """A display on a stream that refuses what UTF-8 cannot carry."""

    def __init__(self, make: Make) -> None:
        self._bytes = io.BytesIO()
        self._stream = io.TextIOWrapper(self._bytes, encoding="utf-8", newline="", write_through=True)
        self.display = make(self._stream)
        self.written = ""

    def __enter__(self) -> _Stage:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.flush()
        self.written = self._bytes.getvalue().decode("utf-8")


def _everywhere(make: Make, text: str) -> str:
    """Put a text wherever a call can carry one, and return all that was written."""
    with _Stage(make) as stage:
        for number, chunks in enumerate([[text], list(text), []]):
            for status in (Status.OK, Status.FAILED):
                call = _started(f"call {number} {status}", tool=f"tool{text}", headline=f"{text} line")
                stage.display.started(call)
                for chunk in chunks:
                    stage.display.output(call.call_id, chunk)
                stage.display.output(call.call_id, "\n" if chunks else "")
                stage.display.finished(_finished(call, f"{text}\n{text}", status))
    return stage.written


def _run_in_pieces(display: Display, name: str, all_announced: threading.Barrier) -> None:
    lines = [f"«{name} says {number}»\n" for number in range(_LINES)]
    call = _started(name, headline=f"«{name}»")
    display.started(call)
    all_announced.wait(_PATIENCE_S)
    for line in lines:
        display.output(name, line[:5])
        display.output(name, line[5:])
    display.finished(_finished(call, "".join(lines)))


def _started(call_id: str, *, tool: str = "tool", headline: str = "headline") -> StartedCall:
    return StartedCall(
        call_id=call_id, tool=tool, kind=ToolKind.EXECUTE, family="command", headline=Headline(text=headline)
    )


def _finished(call: StartedCall, text: str, status: Status = Status.OK) -> FinishedCall:
    return FinishedCall(call, Outcome(call_id=call.call_id, tool=call.tool, text=text, status=status))


def _is_control(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Zl", "Zp") or char in _BIDI_CONTROLS
