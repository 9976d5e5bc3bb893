"""
Questions to the person at the terminal.

    ⚠ bash — run: rm -rf build
      in      /repo
      all     exactly this command
    allow? [y]es/[n]o/[a]ll:

Source: crab tools page, "How confirmation works"; mm reference, "Window mode" for the keys a, s and r.
"""

from __future__ import annotations

import select
import sys
import termios
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import TextIO

from attrs import field, frozen
from attrs.converters import optional

from mmtools.adapters.terminal.question_text import QuestionText
from mmtools.adapters.terminal.screen import STDERR, STDOUT, Screen, screen_on
from mmtools.core.screen_text import plain, width
from mmtools.errors import DefinitionError
from mmtools.ports.permission import Choice, Decision, PermissionRequest

__all__ = ["CRAB_KEYS", "MM_KEYS", "ConsolePermission", "Keys"]

#: 3 answers that mean nothing, then the question counts as refused.
_TRIES = 3

#: The prompt, and a row in which the answer may go on.
_PROMPT_LINES = 2

#: 0.1 s: how long a Ctrl-C can go unseen that fell just before the wait for an answer began.
_GLANCE_S = 0.1

_VIEW = "view"

_NOBODY = Decision(
    Choice.REJECT_ONCE,
    "(refused by policy: there is no terminal, so nobody can be asked; go on with what needs no permission)",
)
_HUNG_UP = Decision(Choice.REJECT_ONCE, "(refused by policy: the terminal closed before anybody answered)")
_UNCLEAR = Decision(Choice.REJECT_ONCE, f"(refused by policy: no clear answer in {_TRIES} tries)")


def _checked(words: Mapping[str, Choice]) -> Mapping[str, Choice]:
    letters = [word[:1] for word in (*words, _VIEW)]
    if len(set(letters)) < len(letters) or not all(word.isalpha() and word.islower() for word in words):
        raise DefinitionError(f"keys are lower-case words with different first letters, none with v: {list(words)}")
    return MappingProxyType(dict(words))


@frozen
class Keys:
    """
    The answers to a question, in the order in which they are offered.

    Args:
        words: Word → what it means; its first letter is its key.
    """

    words: Mapping[str, Choice] = field(converter=_checked)

    def read(self, answer: str) -> Decision | None:
        """
        Understand an answer: a key or its word, after a no also what to do instead.

        Returns:
            None for anything else.
        """
        said, _, rest = answer.strip().partition(" ")
        said = said.rstrip(",.:;!").lower()
        for word, choice in self.words.items():
            if said and said in (word, word[0]):
                decision = Decision(choice, rest.strip())
                return None if decision.allowed and decision.feedback else decision
        return None

    def word(self, choice: Choice) -> str | None:
        """Return the word for a choice; None when it is not offered."""
        return next((word for word, meant in self.words.items() if meant is choice), None)


CRAB_KEYS = Keys({"yes": Choice.ALLOW_ONCE, "no": Choice.REJECT_ONCE, "all": Choice.ALLOW_ALWAYS})

MM_KEYS = Keys({"allow": Choice.ALLOW_ONCE, "session": Choice.ALLOW_ALWAYS, "reject": Choice.REJECT_ONCE})


@frozen(kw_only=True, eq=False)
class ConsolePermission:
    """
    A permission asked for at the terminal, and refused at once where there is none. Remembers nothing: wrap it in `Remember`.

    A command is shown whole; of long diffs the first lines, and `v` shows the rest. After a no, words on
    the same line go to the model. Ctrl-C cancels the call.

    Args:
        answers: Where answers come from; None means standard input, if that is a terminal.
        screen: Where questions go; None means standard output, or standard error if only that is a terminal.
        keys: The words to answer with.
        diff_lines: Lines of file changes that are shown before somebody asks for all.
    """

    answers: TextIO | None = None
    screen: Screen | None = field(default=None, converter=optional(screen_on))
    keys: Keys = CRAB_KEYS
    diff_lines: int = 40

    def decide(self, request: PermissionRequest) -> Decision:
        answers, screen = self._answers(), self._screen()
        if answers is None or screen is None:
            return _NOBODY
        try:
            with screen.question() as say:
                try:
                    return self._ask(QuestionText(screen, request), answers, say)
                except KeyboardInterrupt:
                    say("\n")
                    return Decision(Choice.CANCELLED)
        except (OSError, ValueError):
            return _HUNG_UP

    def _answers(self) -> TextIO | None:
        if self.answers is not None:
            return self.answers
        there = sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()
        return sys.stdin if there else None

    def _screen(self) -> Screen | None:
        if self.screen is not None:
            return self.screen
        unseen = None if self.answers is None else STDOUT
        return next((standard for standard in (STDOUT, STDERR) if standard.is_terminal), unseen)

    def _ask(self, question: QuestionText, answers: TextIO, say: Callable[[str], None]) -> Decision:
        _forget_keys(answers)
        hidden, taken = self._present(question, say, self.diff_lines)
        unclear = 0
        while unclear < _TRIES:
            say(self._prompt(hidden, question.screen))
            _wait_for_keys(answers)
            answer = plain(answers.readline())
            if not answer:
                say("\n")
                return _HUNG_UP
            if not answers.isatty():  # nothing echoes it
                say(answer.rstrip("\n") + "\n")
            if hidden and answer.strip().lower() in (_VIEW, _VIEW[0]):
                hidden, taken = self._present(question, say, sys.maxsize)
            elif decision := self.keys.read(answer):
                return decision
            else:
                unclear += 1
                taken += _PROMPT_LINES + width(answer) // question.screen.columns_beside(0)
                say(_joined(_recalled(question, taken)))
        return _UNCLEAR

    def _present(self, question: QuestionText, say: Callable[[str], None], limit: int) -> tuple[int, int]:
        """
        Show the request with at most `limit` lines of file changes.

        Returns:
            How many of those are left out, and how many rows are shown.
        """
        shown, hidden = question.body(limit)
        lines = [question.head(), *shown]
        if hidden:
            lines.append(question.left_out(hidden, _VIEW))
        lines += question.foot(self.keys.word(Choice.ALLOW_ALWAYS))
        lines += _recalled(question, len(lines))
        say(_joined(lines))
        return hidden, len(lines)

    def _prompt(self, hidden: int, screen: Screen) -> str:
        """Offer the words, or their keys where those would take more than a row."""
        words = [*self.keys.words, _VIEW] if hidden else list(self.keys.words)
        whole = f"allow? {'/'.join(f'[{word[0]}]{word[1:]}' for word in words)}: "
        if len(whole) < screen.columns_beside(0):
            return whole
        return f"allow? [{'/'.join(word[0] for word in words)}]: "


def _recalled(question: QuestionText, taken: int) -> list[str]:
    """Return what must stand right above the prompt when so many rows were written: what is more may have scrolled away."""
    size = question.screen.size
    return [] if size is None or taken <= size.lines - _PROMPT_LINES else question.recall(size.lines - 1)


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _forget_keys(answers: TextIO) -> None:
    """Drop what was typed before the question could be read: nobody agreed to it."""
    if answers.isatty():
        with suppress(OSError, termios.error):
            termios.tcflush(answers.fileno(), termios.TCIFLUSH)


def _wait_for_keys(answers: TextIO) -> None:
    """
    Wait until a terminal has a line to read.

    A signal wakes a read only where it comes to this thread and during the read, so a Ctrl-C could be lost in it. Between two
    glances Python looks for one.
    """
    if answers.isatty():
        with suppress(OSError, ValueError):  # it has no descriptor, or is closed: the read tells
            while not select.select([answers], [], [], _GLANCE_S)[0]:
                pass
