"""Lines as text: numbered, and as many as a budget of characters allows."""

from __future__ import annotations

from typing import TypeAlias

from attrs import field, frozen

__all__ = ["FirstTooLong", "Fitted", "Head", "Whole", "fit", "numbered"]


@frozen
class Whole:
    """A text that fits as it is."""

    text: str = field(repr=False)


@frozen
class Head:
    """
    The first lines of a text, without the last one's line feed.

    Args:
        lines: How many; at least one.
    """

    text: str = field(repr=False)
    lines: int


@frozen
class FirstTooLong:
    """A text of which not even the first line fits."""


Fitted: TypeAlias = Whole | Head | FirstTooLong


def fit(text: str, *, max_chars: int, more: bool) -> Fitted:
    """
    Keep as many whole lines as a budget allows.

    Args:
        text: Not empty. Lines end with a line feed, the last one perhaps without.
        max_chars: A line feed counts, but for that of a single line.
        more: Whether lines follow that are wanted too; then the last line ends with a line feed.
    """
    if not more and len(text) <= max_chars:
        return Whole(text)
    end = text.rfind("\n", 0, min(max_chars + 1, len(text) if more else len(text) - 1))
    if end >= 0:
        return Head(text[:end], text.count("\n", 0, end) + 1)
    return Whole(text) if text.endswith("\n") and len(text) == max_chars + 1 else FirstTooLong()


def numbered(text: str, first: int) -> str:
    """
    Put `<number><tab>` before every line.

    Args:
        first: The number of the first line.
    """
    body = text.removesuffix("\n")
    lines = [f"{number}\t{line}" for number, line in enumerate(body.split("\n"), first)]
    return "\n".join(lines) + text[len(body) :]
