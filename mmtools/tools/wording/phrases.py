"""The small phrases that many answers share: how many, which lines, and what is left out."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["are", "counted", "first", "first_line", "left_out", "line_range", "numbers", "plural", "seconds", "stacked"]

_SIBILANTS = ("s", "x", "ch", "sh")


def plural(noun: str, count: int) -> str:
    """Return a noun as it stands behind a number: line, lines, matches."""
    if count == 1:
        return noun
    return f"{noun}es" if noun.endswith(_SIBILANTS) else f"{noun}s"


def counted(count: int, noun: str) -> str:
    """Say how many there are, with no comma in the number: 1 line, 12000 lines."""
    return f"{count} {plural(noun, count)}"


def are(count: int) -> str:
    """Return the verb behind so many: 1 byte is, 2 bytes are."""
    return "is" if count == 1 else "are"


def left_out(count: int, tool: str, *, more: bool = False) -> list[str]:
    """
    Say on a line of its own how many files a denial keeps out of an answer; nothing when it keeps none.

    Args:
        more: Whether there may be more than those that were counted.
    """
    if not count and not more:
        return []
    if not count:
        return [f"[files that are denied to {tool} are left out; there was no time to count them]"]
    least = "at least " if more else ""
    return [f"[{least}{counted(count, 'file')} left out: denied to {tool}]"]


def line_range(first_line: int, last_line: int) -> str:
    """Name lines that follow one another: line 3, lines 3-5."""
    return f"line {first_line}" if first_line == last_line else f"lines {first_line}-{last_line}"


def numbers(noun: str, some: Sequence[int], *, most: int, more: bool = False) -> str:
    """
    Name things by their numbers, the first of them when there are many: lines 3, 5, ….

    Args:
        more: Whether there are more than those in `some`.
    """
    cut = ", …" if more or len(some) > most else ""
    return f"{plural(noun, len(some))} {', '.join(map(str, some[:most]))}{cut}"


def first(rows: Sequence[str], most: int, *, more: str = "and {} more") -> list[str]:
    """
    Keep the first rows, and count the others in a row of their own.

    Args:
        more: That row, with `{}` for how many.
    """
    left = len(rows) - most
    return [*rows[:most], more.format(left)] if left > 0 else list(rows)


def first_line(text: str) -> str:
    """Return the first line of a command, with ` …` where more follow."""
    line, *more = text.strip().split("\n")
    return f"{line} …" if more else line


def seconds(number: float) -> str:
    """Write seconds without a needless `.0`."""
    return str(int(number)) if float(number).is_integer() else str(number)


def stacked(*parts: str) -> str:
    """Begin each part on a line of its own; those that are empty are left out."""
    *above, last = list(filter(None, parts)) or [""]
    return "".join(part if part.endswith("\n") else f"{part}\n" for part in above) + last
