"""Arguments of one program that are known to be harmless, as data, and whether a word is one of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from attrs import field, frozen

__all__ = ["Harmless", "Verdict"]

_NONE: Mapping[str, Harmless] = MappingProxyType({})
_NO_VALUES: Mapping[str, str] = MappingProxyType({})


@frozen
class Verdict:
    """
    What is known of a word that begins with a dash.

    Args:
        takes_next: Whether the next word is its value.
        name: The option whose value that is.
    """

    harmless: bool
    takes_next: bool = False
    name: str = ""


@frozen(kw_only=True)
class Harmless:
    """
    The arguments of a program or subcommand that write nothing, start nothing and choose nothing that is run.

    Args:
        options: By name, separated by blanks; `-abc` are three. A colon after them says that they take a value, glued
            or in the next word; a question mark that they may, glued. `-#` is any number.
        every: Whether all options are.
        whole: Whether options of several letters begin with one dash, as those of `find` and `go`.
        values: What the value of an option must match, else it is not harmless.
        operands: How many words that are no options are; None when all are.
        operand: What each of those must match.
        lists: With one of these among the words any number of operands is.
        needs: Without one of these among the words nothing is.
        runs: Whether the first word that is no option is a program or script, and those after it are its arguments.
        rest: The same for the words after `--` where the program hands them to another.
        spelled: Whether a rule must name it, since it does what its name says.
        subcommands: By their names.
    """

    options: str = ""
    every: bool = False
    whole: bool = False
    values: Mapping[str, str] = _NO_VALUES
    operands: int | None = None
    operand: str = ""
    lists: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    runs: bool = False
    rest: Harmless | None = None
    spelled: bool = False
    subcommands: Mapping[str, Harmless] = field(default=_NONE)

    def option(self, word: str) -> Verdict:
        """Judge a word that begins with a dash."""
        if self.every:
            return Verdict(harmless=True)
        if self.whole or word.startswith("--"):
            return self._named(word)
        return self._cluster(word)

    def takes(self, value: str, option: str) -> bool:
        """Whether an option's value is harmless."""
        pattern = self.values.get(option)
        return pattern is None or re.fullmatch(pattern, value, re.DOTALL) is not None

    def is_operand(self, word: str) -> bool:
        """Whether a word that is no option may stand there."""
        return not self.runs and (not self.operand or re.fullmatch(self.operand, word, re.DOTALL) is not None)

    def _named(self, word: str) -> Verdict:
        name, equals, value = word.partition("=")
        if self.whole:
            name = f"-{name.lstrip('-')}"
        takes = _takes(self.options, whole=self.whole).get(name)
        if equals:
            return Verdict(harmless=takes in (":", "?") and self.takes(value, name))
        return Verdict(harmless=takes is not None, takes_next=takes == ":", name=name)

    def _cluster(self, word: str) -> Verdict:
        known = _takes(self.options, whole=False)
        for at, letter in enumerate(word[1:], 2):
            if letter.isdigit() and "-#" in known:
                return Verdict(harmless=word[at - 1 :].isdigit())
            name, value = f"-{letter}", word[at:]
            match known.get(name):
                case None:
                    return Verdict(harmless=False)
                case "":
                    continue
                case takes:
                    takes_next = takes == ":" and not value
                    return Verdict(harmless=takes_next or self.takes(value, name), takes_next=takes_next, name=name)
        return Verdict(harmless=True)


@cache
def _takes(options: str, *, whole: bool) -> Mapping[str, str]:
    """Return the options with what says that they take a value: a colon, a question mark, or nothing."""
    found: dict[str, str] = {}
    for token in options.split():
        name = token.rstrip(":?")
        names = [name] if whole or name.startswith("--") else [f"-{letter}" for letter in name[1:]]
        found |= dict.fromkeys(names, token[len(name) :])
    return found
