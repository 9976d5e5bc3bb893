"""The words that displays share: what a call is about, how it ended, how long it took, what is folded away."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from attrs import frozen

from mmtools.adapters.terminal.excerpt import LiveLines, redrawn
from mmtools.adapters.terminal.screen import Screen, Style
from mmtools.call import Status, ToolKind
from mmtools.core import screen_text, units
from mmtools.ports.display import FinishedCall, StartedCall

__all__ = ["ENDINGS", "INDENT", "Ending", "Row", "answer", "duration", "folded", "preview", "subject", "tool"]

#: What stands before a line of an answer.
INDENT = "    "

#: 500 columns: six rows of a terminal. A question shows a command whole; a display names it.
_MAX_SUBJECT = 500

#: 100 columns: no tool of ours needs half of them.
_MAX_TOOL = 100


@frozen
class Ending:
    """How a call ended, for a person."""

    sign: str
    words: str
    style: Style


ENDINGS: Mapping[Status, Ending] = MappingProxyType(
    {
        Status.OK: Ending("✓", "", Style.GREEN),
        Status.FAILED: Ending("✗", "failed", Style.RED),
        Status.TIMED_OUT: Ending("✗", "timed out", Style.RED),
        Status.REJECTED: Ending("⊘", "rejected", Style.YELLOW),
        Status.CANCELLED: Ending("⊘", "cancelled", Style.YELLOW),
        Status.PENDING: Ending("…", "waits for a decision", Style.YELLOW),
    }
)


@frozen
class Row:
    """
    The description of a call that runs.

    Args:
        begun: On the display's clock.
        live: What it said so far; another thread may be adding to it.
    """

    tool: str
    subject: str
    begun: float
    live: LiveLines


def tool(call: StartedCall, columns: int = _MAX_TOOL) -> str:
    """
    Return the tool's name on one line; it may be one that a model made up.

    Args:
        columns: 8 or more.
    """
    return screen_text.shown_name(call.tool, min(columns, _MAX_TOOL))


def subject(call: StartedCall, columns: int = _MAX_SUBJECT) -> str:
    """
    Return what the call is about on one line: of a command the first, ` …` where more follow, of a name head and tail.

    Args:
        columns: 8 or more.
    """
    text, room = call.headline.text, min(columns, _MAX_SUBJECT)
    if (call.headline.kind or call.kind) is not ToolKind.EXECUTE:
        return screen_text.shown_name(text, room) if text.strip() else ""
    return screen_text.clipped(screen_text.first_line(screen_text.spelled(text[: 4 * _MAX_SUBJECT])), room)


def answer(call: FinishedCall) -> str:
    """Return the text to show; of what a program drew over and over, the last state."""
    text = call.outcome.text
    return redrawn(text) if call.call.kind is ToolKind.EXECUTE else text


def duration(seconds: float) -> str:
    """Write a time as short as it can be read: 340ms, 1.2s, 34s, 2m 05s, 1h 02m."""
    if seconds < 0.9995:
        return f"{max(seconds, 0) * 1000:.0f}ms"
    if seconds < 9.95:
        return f"{seconds:.1f}s"
    if seconds < 59.5:
        return f"{seconds:.0f}s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes}m {rest:02}s"
    return f"{minutes // 60}h {minutes % 60:02}m"


def preview(screen: Screen, line: str) -> str:
    """Write one line of an answer, cut where the terminal ends."""
    room = screen.columns_beside(len(INDENT))
    return INDENT + screen.styled(screen_text.clipped(line.expandtabs(), room), Style.DIM)


def folded(hidden: int) -> str:
    """Say how many lines are not shown."""
    return f"… {units.count(hidden, 'more line')}"
