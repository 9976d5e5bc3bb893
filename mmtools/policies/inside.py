"""What a command starts beside its own program, and what of it only the shell can know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from attrs import frozen

from mmtools.core.shell.words import Command, Word

__all__ = ["MORE", "Doubt", "DoubtKind", "Inside", "as_input", "as_joined", "as_line", "text_doubt", "together"]


class DoubtKind(StrEnum):
    """What of a line only the shell can know."""

    PROGRAM = "program"
    TEXT = "text"
    INPUT = "input"
    UNREADABLE = "unreadable"
    TOO_MUCH = "too much"


@frozen
class Doubt:
    """
    The reason why a line may start more than what was found.

    Args:
        near: The word, or where the reading ended.
    """

    kind: DoubtKind
    near: str


@frozen(kw_only=True)
class Inside:
    """
    What a command starts beside its own program.

    Args:
        commands: Commands that begin within its arguments.
        other_commands: What may be commands there, or no commands at all.
        lines: What a shell will read as a line.
        guesses: What may be read as a line, or be none.
        expanded: What a shell will expand, as between double quotes.
    """

    commands: Sequence[Command] = ()
    other_commands: Sequence[Command] = ()
    lines: Sequence[str] = ()
    guesses: Sequence[str] = ()
    expanded: Sequence[str] = ()
    doubt: Doubt | None = None


#: What stands for the words that another place of the line, or the input, adds.
MORE = Word('"$@"', None, splits=True)


def as_joined(words: Sequence[Word]) -> Inside:
    """Take words, joined by blanks, for a line that a shell reads."""
    if unknown := next((word for word in words if word.value is None), None):
        return Inside(doubt=text_doubt(unknown))
    return Inside(lines=[" ".join(word.text for word in words)])


def as_line(word: Word) -> Inside:
    """Take a word for a line that a shell reads."""
    return Inside(doubt=text_doubt(word)) if word.value is None else Inside(lines=[word.value])


def text_doubt(word: Word) -> Doubt:
    """Return the doubt about the commands in a word."""
    return Doubt(DoubtKind.TEXT, word.raw)


def as_input(command: Command) -> Inside:
    """Take what a command reads for lines."""
    if command.input is not None:
        return as_line(command.input)
    return Inside(doubt=Doubt(DoubtKind.INPUT, command.words[0].raw))


def together(parts: Iterable[Inside]) -> Inside:
    """Put together what several parts of a command start; the first doubt counts."""
    parts = list(parts)
    return Inside(
        commands=[each for part in parts for each in part.commands],
        other_commands=[each for part in parts for each in part.other_commands],
        lines=[each for part in parts for each in part.lines],
        guesses=[each for part in parts for each in part.guesses],
        expanded=[each for part in parts for each in part.expanded],
        doubt=next((part.doubt for part in parts if part.doubt), None),
    )
