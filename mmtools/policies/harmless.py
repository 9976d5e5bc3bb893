"""
Which words a wildcard of an allow rule may stand for: operands, and options that are known to be harmless.

What a rule spells before its first wildcard is meant and may be anything. Behind a program that nobody has listed a
wildcard stands for words that are no options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

from attrs import frozen

from mmtools.core.shell.words import Word
from mmtools.policies import runners
from mmtools.policies.harmless_programs import OPERANDS_ACT, PROGRAMS, UNKNOWN
from mmtools.policies.options import Harmless
from mmtools.policies.runner_table import EXEC_OPTIONS, INTERPRETERS, RUN_OPTIONS, RUNNERS, TEXT_KEEPERS, known_name
from mmtools.policies.runners import Place
from mmtools.policies.scripts import SCRIPTED
from mmtools.policies.subcommand_table import SUBCOMMANDS

__all__ = ["Kind", "Uncovered", "uncovered"]


#: Programs one behind another, as in `sudo nice ls`: more than any person writes.
_MOST_RUNNERS = 20

#: Where programs are named.
_KNOWN = (PROGRAMS, RUNNERS, SUBCOMMANDS, INTERPRETERS, OPERANDS_ACT, TEXT_KEEPERS)

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
    begin = 0
    for _ in range(_MOST_RUNNERS):
        if begin and spelled >= len(words):
            return None
        name = known_name(words[begin].rpartition("/")[2], *_KNOWN)
        place = _place(name, words[begin:])
        if place is None:
            found = _uncovered(name, words[begin:], spelled - begin)
            return Uncovered(found.at + begin, found.kind) if found else None
        if place.looks and spelled > begin:
            return None
        if not place.certain or begin + place.program >= spelled:
            break
        begin += place.program
    return _first_unspelled(words, spelled)


def _place(name: str, words: Sequence[str]) -> Place | None:
    """Return where the command of a program that runs others begins; None when it runs none."""
    if name not in RUNNERS and not any(set(words).issuperset(each.after) for each in SUBCOMMANDS.get(name, ())):
        return None
    known = name in PROGRAMS or name in INTERPRETERS
    places = runners.places(name, [Word(word, word) for word in words])
    return next((place for place in places if place.sure or not known), None)


def _first_unspelled(words: Sequence[str], spelled: int) -> Uncovered | None:
    if spelled >= len(words):
        return None
    if not spelled:
        return Uncovered(0, Kind.PROGRAM)
    return Uncovered(spelled, Kind.OPTION if words[spelled].startswith("-") else Kind.OPERAND)


def _uncovered(name: str, words: Sequence[str], spelled: int) -> Uncovered | None:
    """Find the first word of a command that runs no other one."""
    program = PROGRAMS.get(name)
    if not spelled and ("/" in words[0] or program is None or program.spelled) and name not in SCRIPTED:
        return Uncovered(0, Kind.PROGRAM)
    if spelled >= len(words):
        return None
    if name in SCRIPTED:
        at = SCRIPTED[name](words[1:], max(spelled - 1, 0))
        return None if at is None else Uncovered(at + 1, Kind.OPERAND)
    if program is None and (name in OPERANDS_ACT or name in INTERPRETERS or name in TEXT_KEEPERS):
        return _behind(name, words, spelled)
    if words[spelled - 1] in RUN_OPTIONS.get(name, ()) or (
        name in ("find", "fd") and not EXEC_OPTIONS.isdisjoint(words[:spelled])
    ):
        return _first_unspelled(words, spelled)
    if name == "tar" and len(words) > 1 and not words[1].startswith("-"):
        # Its first argument may do without the dash.
        words = [words[0], f"-{words[1]}", *words[2:]]
    return _Walk(words, spelled).through(program or UNKNOWN, 1)


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
                    if harmless.subcommands:
                        # What is spelled behind it may be its value, or else the subcommand.
                        at += int(self._is_value(harmless, at + 1))
                    else:
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

    def _is_value(self, harmless: Harmless, at: int) -> bool:
        """Whether a spelled word behind an option that nobody has listed is taken for its value."""
        return at < self.spelled and not self.words[at].startswith("-") and self.words[at] not in harmless.subcommands

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
