"""Why a rule applies to a command or does not, in words."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import join
from typing import assert_never

from mmtools.core.screen_text import one_line
from mmtools.core.shell.reader import MOST_CHARS
from mmtools.core.visibility import is_unseen
from mmtools.policies import harmless
from mmtools.policies.harmless import Kind, Uncovered
from mmtools.policies.inside import Doubt, DoubtKind
from mmtools.policies.subjects import Command

__all__ = ["allowing", "denying", "doubt_reason", "only_whole_tool", "remedy", "would_allow"]

#: How much of a word is shown.
_SHOWN_CHARS = 60

#: Words that are no wildcard's, of one command.
_MOST_TRIES = 6

#: The longest pattern that is proposed.
_MOST_PROPOSED = 2_000


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
        return f"does not cover it, since {_not_plain(command)}"
    if not command.matches(pattern) and pattern not in command.texts:
        return "does not match it"
    if pattern in command.texts or not (found := command.uncovered(pattern)):
        return "covers it"
    return f"does not cover it, since {_uncovered_reason(command.words, found)}"


def would_allow(command: Command, tool: str) -> Sequence[str]:
    """Return rules that would allow a command, the narrowest first; each may be written as it stands here."""
    words = command.words
    spelled = _least_spelled(words)
    patterns = [join(words)] if words else []
    if spelled is not None:
        patterns.append(f"{join(words[:spelled])} *")
    shown = (one_line(_without_unseen(pattern)) for pattern in patterns if len(pattern) <= _MOST_PROPOSED)
    return [f"{tool}({pattern})" for pattern in shown if command.surely(pattern)] or [tool]


def _least_spelled(words: Sequence[str]) -> int | None:
    """Return how many words a rule must spell so that a wildcard may stand for the rest; None when there is no such rest."""
    spelled = 2 if len(words) > 1 and not words[1].startswith("-") else 1
    for _ in range(_MOST_TRIES):
        if spelled >= len(words):
            return None
        found = harmless.uncovered(words, spelled)
        if found is None:
            return spelled
        spelled = found.at + 1
    return None


def only_whole_tool(command: Command) -> str:
    """Say why no pattern would allow a command."""
    if command.words:
        return "no pattern that fits on a line allows it"
    return f"a pattern does not allow it, since {_not_plain(command)}"


def _not_plain(command: Command) -> str:
    if len(command.line) > MOST_CHARS:
        return "the line is too long to be read"
    return "the line is not one plain command"


def _without_unseen(pattern: str) -> str:
    """Put a question mark, which stands for any character, for each that cannot be seen."""
    return "".join("?" if is_unseen(char) or char in "\n\t" else char for char in pattern)


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
    """Put the beginning of a text on one line."""
    text = text.strip()
    return one_line(text[:_SHOWN_CHARS]) + ("…" if len(text) > _SHOWN_CHARS else "")
