"""
The mm terminal display: an icon, the tool and what it is about, then the first lines of the answer.

    🛠️  bash: make test
        collected 3 items
        … 12 more lines
        ✗ failed · 1.2s · [exit code: exit status 1]

Source: mm reference, the "Terminal display" rows.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TextIO

from attrs import define, field

from mmtools.adapters.terminal import call_text
from mmtools.adapters.terminal.call_text import INDENT, preview
from mmtools.adapters.terminal.excerpt import NO_OUTPUT, LiveLines, excerpt
from mmtools.adapters.terminal.screen import Screen, Style, screen_on
from mmtools.call import Outcome, Status
from mmtools.core import screen_text
from mmtools.ports.display import FinishedCall, StartedCall

__all__ = ["ICONS", "TerminalDisplay"]

#: By family. The first takes one space more, for terminals draw it wider than they count it.
ICONS: Mapping[str, str] = MappingProxyType({"command": "🛠️  ", "file": "📝 ", "skill": "📖 ", "lsp": "🔎 "})

_OTHER_ICON = "🔹 "


@define(eq=False)
class _Running:
    call: StartedCall
    live: LiveLines
    printed: list[str] = field(factory=list)


class TerminalDisplay:
    """
    A display that prints calls as they go, in whole lines.

    Live output is printed as it comes while one call runs; of calls that run side by side each prints
    at its end, under a line that names it again. What is printed is cut; the model's text never is.

    Args:
        stream: None means standard output as it is at each moment. Give a `Screen` to share one with
            a permission that asks elsewhere.
        preview_lines: Lines of each answer.
    """

    def __init__(self, stream: TextIO | Screen | None = None, *, preview_lines: int = 10) -> None:
        if preview_lines < 0:
            raise ValueError("preview_lines is a number of lines: 0 or more")
        self._screen = screen_on(stream)
        self._limit = preview_lines
        self._lock = threading.Lock()
        self._running: dict[str, _Running] = {}
        self._lowest: str | None = None

    def started(self, call: StartedCall) -> None:
        with self._lock:
            self._running[call.call_id] = _Running(call, LiveLines(self._limit))
            self._announce(call)

    def output(self, call_id: str, text: str) -> None:
        with self._lock:
            running = self._running.get(call_id)
            if running is None or not running.call.headline.echoes:
                return
            running.live.feed(text)
            if len(self._running) == 1 and self._lowest == call_id:
                fresh = running.live.lines[len(running.printed) :]
                running.printed += fresh
                self._print([preview(self._screen, line) for line in fresh])

    def finished(self, call: FinishedCall) -> None:
        with self._lock:
            running = self._running.pop(call.call.call_id, None)
            if running is None:
                running = _Running(call.call, LiveLines(self._limit))
                self._announce(call.call)
            lines = self._answer(running, call)
            if lines and self._lowest != call.call.call_id:
                lines = [self._screen.styled(line, Style.DIM) for line in self._titled("↳ ", call.call)] + lines
            self._print(lines)
            self._lowest = None

    def _announce(self, call: StartedCall) -> None:
        self._print(self._titled(ICONS.get(call.family, _OTHER_ICON), call))
        self._lowest = call.call_id

    def _titled(self, icon: str, call: StartedCall) -> list[str]:
        line = ": ".join(filter(None, [f"{icon}{call_text.tool(call)}", call_text.subject(call)]))
        first, *rest = screen_text.wrapped(line, self._room)
        return [first, *(f"{INDENT}{piece}" for piece in rest)]

    def _answer(self, running: _Running, call: FinishedCall) -> list[str]:
        """Write what is not printed yet: the rest of the preview, the fold, and an end that was not a good one."""
        shown = excerpt(call_text.answer(call), self._limit)
        printed = running.printed
        reason = shown.last
        if not running.call.headline.echoes:
            fresh, hidden, reason = [], 0, ""
        elif list(shown.shown[: len(printed)]) == printed:
            fresh, hidden = list(shown.shown[len(printed) :]), shown.hidden
            if not hidden:
                reason = ""
            if not (printed or fresh or hidden):
                fresh = [NO_OUTPUT]
        else:  # the model's text begins otherwise than what was shown live: it was cut, or replaced
            fresh, hidden = [], running.live.count - len(printed)
        lines = [preview(self._screen, line) for line in fresh]
        if hidden:
            lines.append(preview(self._screen, call_text.folded(hidden)))
        if call.outcome.status is not Status.OK:
            lines.append(self._ending(call.outcome, reason))
        return lines

    def _ending(self, outcome: Outcome, reason: str) -> str:
        ending = call_text.ENDINGS[outcome.status]
        sign = f"{ending.sign} {ending.words}"
        facts = "".join(f" · {fact}" for fact in (call_text.duration(outcome.duration_s), reason) if fact)
        rest = screen_text.clipped(facts, self._room - len(sign))
        return f"{INDENT}{self._screen.styled(sign, ending.style)}{self._screen.styled(rest, Style.DIM)}"

    @property
    def _room(self) -> int:
        """Columns beside the indentation."""
        return self._screen.columns_beside(len(INDENT))

    def _print(self, lines: Sequence[str]) -> None:
        if lines:
            self._screen.write("".join(f"{line}\n" for line in lines))
