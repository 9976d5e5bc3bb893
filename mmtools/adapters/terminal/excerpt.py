"""The first lines of an answer, for a person: read off the whole text, or off live output as it comes."""

from __future__ import annotations

from attrs import define, field, frozen

from mmtools.core import screen_text
from mmtools.core.escapes import EscapeStripper
from mmtools.core.truncation import shortened

__all__ = ["NO_OUTPUT", "Excerpt", "LiveLines", "excerpt", "redrawn"]

#: What stands where an answer has nothing to show. Source: mm reference, "Terminal display".
NO_OUTPUT = "(no output)"

#: 500 characters: what is kept of one line. No terminal shows more in a row, and a preview is not for reading.
_MAX_LINE = 500


@frozen
class Excerpt:
    """
    What a display shows of an answer.

    Args:
        shown: The first lines, clean.
        hidden: How many lines follow.
        last: The last line of all, clean; "" for no text.
    """

    shown: tuple[str, ...]
    hidden: int
    last: str


def excerpt(text: str, limit: int) -> Excerpt:
    """Take the first `limit` lines; blank lines at the end do not count, nor does a text that says it is empty."""
    body = screen_text.plain(text).rstrip()
    if body in ("", NO_OUTPUT):
        return Excerpt((), 0, "")
    lines = body.split("\n", limit)
    hidden = lines.pop().count("\n") + 1 if len(lines) > limit else 0
    last = body[body.rfind("\n") + 1 :]
    return Excerpt(tuple(shortened(line.rstrip(), _MAX_LINE) for line in lines), hidden, shortened(last, _MAX_LINE))


def redrawn(text: str) -> str:
    """
    Keep what carriage returns let stand, line by line, as a progress bar means it; one at the end may be
    half of a line end, and stays.
    """
    return "\n".join(map(_redrawn_line, text.split("\n"))) if "\r" in text else text


@define(eq=False)
class LiveLines:
    """
    The lines of live output: its first whole ones are kept, and the newest. Memory stays small, whatever comes.

    Args:
        limit: How many lines are kept.
        lines: The first ones that are complete, clean.
        count: How many lines were completed in all.
    """

    limit: int
    lines: list[str] = field(init=False, factory=list)
    count: int = field(init=False, default=0)
    _newest: str = field(init=False, default="")
    _open: str = field(init=False, default="")
    _stripper: EscapeStripper = field(init=False, factory=EscapeStripper)

    @property
    def newest(self) -> str:
        """The line that was written to last, complete or not; clean."""
        return _presentable(self._open) or _presentable(self._newest)

    def feed(self, text: str) -> None:
        """Take the next piece, cut anywhere."""
        text = self._open + self._stripper.feed(text)
        completed = text.count("\n")
        if completed:
            wanted = self.limit - len(self.lines)
            self.lines += map(_presentable, text.split("\n", wanted)[: min(wanted, completed)])
            self.count += completed
            end = text.rfind("\n")
            self._newest = text[text.rfind("\n", 0, end) + 1 : end][:_MAX_LINE]
            text = text[end + 1 :]
        self._open = _redrawn_line(text)[:_MAX_LINE]


def _presentable(line: str) -> str:
    return shortened(screen_text.plain(_redrawn_line(line)).rstrip(), _MAX_LINE)


def _redrawn_line(line: str) -> str:
    return line[line.rstrip("\r").rfind("\r") + 1 :]
