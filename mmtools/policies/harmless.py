"""
Which words a wildcard of an allow rule may stand for: operands, and options that are known to be harmless.

What a rule spells before its first wildcard is meant and may be anything. Behind a program that nobody has listed a
wildcard stands for words that are no options.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from types import MappingProxyType

from attrs import frozen

from mmtools.policies.harmless_programs import INTERPRETERS, OPERANDS_ACT, OTHER_NAMES, PROGRAMS, UNKNOWN, WRAPPERS
from mmtools.policies.options import Harmless
from mmtools.policies.scripts import SCRIPTED

__all__ = ["Kind", "Uncovered", "uncovered"]


#: At the end of an interpreter's name.
_VERSION = re.compile(r"(?<=[a-z])[\d.]+\Z")

#: With which an interpreter only looks at its script.
_CHECKS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        **dict.fromkeys(["bash", "dash", "sh", "zsh"], ("-n",)),
        "node": ("--check", "-c"),
        "php": ("-l",),
        "ruby": ("-c",),
    }
)


class Kind(StrEnum):
    """What a word is that no wildcard stands for."""

    PROGRAM = "program"
    OPTION = "option"
    OPERAND = "operand"


@frozen
class Uncovered:
    """
    A word that no wildcard stands for.

    Args:
        at: Which word.
    """

    at: int
    kind: Kind


def uncovered(words: Sequence[str], spelled: int) -> Uncovered | None:
    """
    Find the first word of a command that no wildcard may stand for; None when there is none.

    Args:
        words: The program and its arguments, without quotes.
        spelled: So many words from the first on are meant, and do not count.
    """
    name = words[0].rpartition("/")[2]
    name = OTHER_NAMES.get(name, name)
    program = PROGRAMS.get(name)
    if program is None and name not in OPERANDS_ACT:
        name = _VERSION.sub("", name)
    if not spelled and ("/" in words[0] or program is None or program.spelled) and name not in SCRIPTED:
        return Uncovered(0, Kind.PROGRAM)
    if spelled >= len(words):
        return None
    if name in SCRIPTED:
        at = SCRIPTED[name](words[1:], max(spelled - 1, 0))
        return None if at is None else Uncovered(at + 1, Kind.OPERAND)
    if inner := _wrapped([name, *words[1:]], spelled):
        found = uncovered(words[inner:], spelled - inner)
        return Uncovered(found.at + inner, found.kind) if found else None
    if program is None and name in OPERANDS_ACT | INTERPRETERS:
        return _behind(name, words, spelled)
    if name == "tar" and len(words) > 1 and not words[1].startswith("-"):
        # Its first argument may do without the dash.
        words = [words[0], f"-{words[1]}", *words[2:]]
    return _Walk(words, spelled).through(program or UNKNOWN, 1)


def _wrapped(words: Sequence[str], spelled: int) -> int:
    """Return where a program begins that is spelled behind another one, as in `python -m pytest`; 0 when none is."""
    for wrapper in WRAPPERS:
        first = len(wrapper)
        begins = spelled > first and not words[first].startswith("-") and "=" not in words[first]
        if begins and all(map(fnmatchcase, words, wrapper)):
            return first
    return 0


def _behind(name: str, words: Sequence[str], spelled: int) -> Uncovered | None:
    """Judge the words behind a script that is spelled; nothing else is harmless where operands act."""
    is_script = name in INTERPRETERS and not words[1].startswith("-")
    if spelled > 1 and (is_script or words[1] in _CHECKS.get(name, ())):
        return _Walk(words, spelled).through(UNKNOWN, 2)
    return Uncovered(spelled, Kind.OPERAND)


@frozen
class _Walk:
    """A walk along the words of a command."""

    words: Sequence[str]
    spelled: int

    def through(self, harmless: Harmless, first: int) -> Uncovered | None:
        """Find the first word from `first` on that is not harmless."""
        if harmless.needs and not harmless.needs & set(self.words):
            return self._from(first)
        at, operands = first, 0
        most = None if harmless.lists & set(self.words) else harmless.operands
        while at < len(self.words):
            word = self.words[at]
            if word == "--":
                return self._rest(harmless, at + 1, None if most is None else most - operands)
            if word.startswith("-") and word != "-":
                verdict = harmless.option(word)
                if not verdict.harmless:
                    if at >= self.spelled:
                        return Uncovered(at, Kind.OPTION)
                    # Who spells what acts means the operands, too.
                    most = None
                if verdict.takes_next:
                    at += 1
                    if at == len(self.words):
                        # Without its value some programs take it for an operand.
                        return Uncovered(at - 1, Kind.OPTION) if at > self.spelled else None
                    if not self._takes(harmless, at, verdict.name):
                        return Uncovered(at, Kind.OPTION)
            elif not operands and (inner := self._inner(harmless, at)) is not None:
                return self._below(inner, at)
            elif at >= self.spelled and ((most is not None and operands >= most) or not harmless.is_operand(word)):
                return Uncovered(at, Kind.OPERAND)
            else:
                operands += 1
            at += 1
        return None

    def _from(self, first: int) -> Uncovered | None:
        at = max(first, self.spelled)
        if at >= len(self.words):
            return None
        return Uncovered(at, Kind.OPTION if self.words[at].startswith("-") else Kind.OPERAND)

    def _takes(self, harmless: Harmless, at: int, option: str) -> bool:
        """Whether a word may be the value of the option before it; what looks like an option is none."""
        value = self.words[at]
        looks = value.startswith("-") and len(value) > 1 and not value[1:].isdigit() and not harmless.whole
        return at < self.spelled or (not looks and harmless.takes(value, option))

    def _inner(self, harmless: Harmless, at: int) -> Harmless | None:
        """Return what is harmless behind a subcommand or script; None when the word is an operand."""
        if inner := harmless.subcommands.get(self.words[at]):
            return inner
        return UNKNOWN if at < self.spelled and (harmless.subcommands or harmless.runs) else None

    def _below(self, inner: Harmless, at: int) -> Uncovered | None:
        if inner.spelled and at >= self.spelled:
            return Uncovered(at, Kind.OPERAND)
        return self.through(inner, at + 1)

    def _rest(self, harmless: Harmless, first: int, most: int | None) -> Uncovered | None:
        """Judge the words after `--`: operands, unless the program hands them to another."""
        if harmless.rest or harmless is UNKNOWN:
            return self.through(harmless.rest or UNKNOWN, first)
        for at in range(max(first, self.spelled), len(self.words)):
            if (most is not None and at - first >= most) or not harmless.is_operand(self.words[at]):
                return Uncovered(at, Kind.OPERAND)
        return None
