"""Why a rule applies to a command or does not, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shlex import join
from typing import assert_never

from mmtools.policies.harmless import Kind, Uncovered
from mmtools.policies.inside import Doubt, DoubtKind
from mmtools.policies.subjects import Command

__all__ = ["allowing", "denying", "doubt_reason", "remedy", "would_allow"]

#: How much of a word is shown.
_SHOWN_CHARS = 60


def doubt_reason(doubt: Doubt) -> str:
    """Say what of a line nobody but the shell can know."""
    near = _shown(doubt.near)
    match doubt.kind:
        case DoubtKind.PROGRAM:
            return f"only the shell can know what `{near}` starts"
        case DoubtKind.TEXT:
            return f"only the shell can know which commands `{near}` holds"
        case DoubtKind.INPUT:
            return f"only the shell can know which commands `{near}` reads"
        case DoubtKind.UNREADABLE:
            return f"what the line starts cannot be read from `{near}` on"
        case DoubtKind.TOO_MUCH:
            return f"there is too much to read at `{near}`"
        case _:
            assert_never(doubt.kind)


def remedy(doubt: Doubt) -> str:
    """Say what a model may do instead of a line in doubt."""
    match doubt.kind:
        case DoubtKind.PROGRAM:
            return "Write the command out, or ask the user."
        case DoubtKind.TEXT | DoubtKind.INPUT:
            return "Write the commands out, or ask the user."
        case DoubtKind.UNREADABLE:
            return "Write it more simply, or ask the user."
        case DoubtKind.TOO_MUCH:
            return "Split it into several calls, or ask the user."
        case _:
            assert_never(doubt.kind)


def denying(command: Command, pattern: str | None) -> str:
    """Say why a rule that denies or asks applies to a command, or that it does not."""
    if pattern is None:
        return "applies to every call of the tool"
    if met := command.met(pattern):
        return f"meets `{_shown(met)}`"
    if command.doubt:
        return f"applies, since {doubt_reason(command.doubt)}"
    return "meets no part of it"


def allowing(command: Command, pattern: str | None) -> str:
    """Say that a rule that allows covers a command, or why it does not."""
    if pattern is None:
        return "covers every call of the tool"
    if not command.words:
        return "does not cover it, since the line is not one plain command"
    if not command.matches(pattern) and pattern not in command.texts:
        return "does not match it"
    if pattern in command.texts or not (found := command.uncovered(pattern)):
        return "covers it"
    return f"does not cover it, since {_uncovered_reason(command.words, found)}"


def would_allow(command: Command, tool: str) -> Iterator[str]:
    """Iterate over rules that would allow a command, the narrowest first."""
    words = command.words
    if not words:
        yield f"{tool}, the whole tool; a pattern only allows one plain command"
        return
    yield f"{tool}({join(words)})"
    least = 2 if len(words) > 1 and not words[1].startswith("-") else 1
    spelled = next((at for at in range(least, len(words)) if _covers(command, at)), None)
    if spelled is not None:
        yield f"{tool}({join(words[:spelled])} *)"


def _covers(command: Command, spelled: int) -> bool:
    return command.surely(f"{join(command.words[:spelled])} *")


def _uncovered_reason(words: Sequence[str], found: Uncovered) -> str:
    word, before = _shown(words[found.at]), _shown(join(words[: found.at]))
    match found.kind:
        case Kind.PROGRAM:
            return f"a wildcard does not stand for the program `{word}`"
        case Kind.OPTION:
            return f"`{word}` is not known to be harmless behind `{before}`, and the rule does not spell it"
        case Kind.OPERAND:
            return f"`{word}` may act behind `{before}`, and the rule does not spell it"
        case _:
            assert_never(found.kind)


def _shown(text: str) -> str:
    """Put a text on one line, and cut it."""
    line = "".join(char if char.isprintable() else " " for char in text).strip()
    return line if len(line) <= _SHOWN_CHARS else f"{line[:_SHOWN_CHARS]}…"
