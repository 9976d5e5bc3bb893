"""Written rules: allow this, ask for that, deny the other."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Self, assert_never

from attrs import frozen

from mmtools.core.screen_text import one_line
from mmtools.errors import DefinitionError
from mmtools.policies import explanations, layers, subjects
from mmtools.policies.subjects import Command, Subject
from mmtools.ports.permission import Choice, Decision, Permission, PermissionRequest

__all__ = ["Effect", "Rule", "Rules"]

_PATTERN = re.compile(r"(?P<tool>[^()!\s]+)(?:\((?P<subject>.+)\))?", re.DOTALL)


class Effect(StrEnum):
    """What a rule does."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


@frozen
class Rule:
    """
    What happens to the calls of some tools, or only to those with some subjects.

        Rule.allow("bash(git status)")     exactly this command
        Rule.allow("bash(git log *)")      with whatever follows
        Rule.deny("bash(rm)")              this command, with or without arguments, anywhere in the line
        Rule.ask("edit_file(.ci)")         this name at any depth: a file, or what is below a directory
        Rule.allow("web_fetch(*.example.org)")  pages of these hosts, by the usual ports
        Rule.deny("github__*")             whole tools

    In both parts `*` stands for any characters, `?` for one, `[…]` for one of several. The subject is a
    command, a file's real path, or an address. A path's pattern begins with `/` or `*`, or is relative to
    the root; one without a slash means, where it denies or asks, that name at any
    depth. An address's is its host, or with `://` the whole of it. Calls of other programs have no subject: rules allow
    them as whole tools.
    """

    effect: Effect
    tool: str
    subject: str | None = None

    @classmethod
    def allow(cls, pattern: str) -> Self:
        """
        Let matching calls go on without a question.

        Raises:
            DefinitionError: `pattern` is neither `tool` nor `tool(subject)`; so do the other two.
        """
        return cls._parse(Effect.ALLOW, pattern)

    @classmethod
    def ask(cls, pattern: str) -> Self:
        """Leave matching calls to the inner policy, although a later rule would allow them."""
        return cls._parse(Effect.ASK, pattern)

    @classmethod
    def deny(cls, pattern: str) -> Self:
        """Refuse matching calls, whatever other rules, grants or policies say."""
        return cls._parse(Effect.DENY, pattern)

    @classmethod
    def _parse(cls, effect: Effect, pattern: str) -> Self:
        match = _PATTERN.fullmatch(pattern.strip())
        if match is None:
            raise DefinitionError(f"not a rule: {pattern!r}; write tool or tool(subject)")
        return cls(effect, match["tool"], match["subject"])

    def __str__(self) -> str:
        return self.tool if self.subject is None else f"{self.tool}({self.subject})"

    def covers(self, subject: Subject) -> bool:
        """Whether the rule applies to a call of its tools: when in doubt, only if it does not allow."""
        if self.subject is None:
            return True
        return subject.surely(self.subject) if self.effect is Effect.ALLOW else subject.maybe(self.subject)


class Rules:
    """
    A policy that answers by rules where they are sure, and else asks `inner`.

    A denial comes first, wherever it stands among the rules, and no policy around this one overrules it.
    Of the others the first that applies counts. `explain` says which, and why.

    A command is allowed by its subject only when it is one plain command, without operators, expansions, assignments or
    redirections (but for `2>&1` and to `/dev/null`, at the end). A wildcard stands for operands, and for options that
    are known to be harmless for that program: `bash(find *)` does not allow `find . -delete`, nor does `bash(env *)` any
    command. What a rule spells before its first wildcard is meant and may be anything.

    A command is denied, or asked for, when any command that the line may start is, and when only the shell can know
    what it starts: `$X f`, or a line piped into a shell. That is the best that can be done by reading: another program
    that does the same (`unlink`, `find -delete`), or a script, is out of its reach. Rules are no sandbox.

    Files are allowed when all of them are, and denied, or asked for, when one is.

    Args:
        rules: In order of precedence, denials apart.
        inner: Who is asked otherwise; when its `decide` is a coroutine function, so is this one's.
        root: The real, absolute path at which relative patterns of files begin. Without one they deny and
            ask at any depth, and allow nothing.
    """

    def __init__(self, rules: Iterable[Rule], inner: Permission, *, root: str | None = None) -> None:
        self.rules = tuple(rules)
        self.inner = inner
        self.root = root
        self._denials = tuple(rule for rule in self.rules if rule.effect is Effect.DENY)
        self._others = tuple(rule for rule in self.rules if rule.effect is not Effect.DENY)
        #: The function that answers a request: from the rules, else from `inner`.
        self.decide: layers.Decide = layers.layered(inner, known=self._known)

    def denial(self, request: PermissionRequest) -> Decision | None:
        return self._denial(request, subjects.of(request, self.root))

    def refusal(self, request: PermissionRequest) -> Decision | None:
        known = self._known(request)
        if known is None:
            return layers.refusal(self.inner, request)
        return None if known.allowed else known

    def may_deny(self, tool: str) -> bool:
        return any(fnmatchcase(tool, rule.tool) for rule in self._denials) or layers.may_deny(self.inner, tool)

    def learn(self, request: PermissionRequest, decision: Decision) -> None:
        layers.learn(self.inner, request, decision)

    def reset(self) -> None:
        layers.reset(self.inner)

    def explain(self, command: str, *, tool: str = "bash") -> str:
        """
        Say what these rules make of a command line, and why: for a person who writes rules.

        Returns:
            What happens first, then a line for every rule of the tool, then rules that would allow the command. What
            the inner policy would say is not in it.
        """
        subject = Command(command)
        rules = [rule for rule in (*self._denials, *self._others) if fnmatchcase(tool, rule.tool)]
        decisive = next((rule for rule in rules if rule.covers(subject)), None)
        lines = [_verdict(decisive)]
        for rule in rules:
            why = explanations.allowing if rule.effect is Effect.ALLOW else explanations.denying
            lines.append(f"  {rule.effect} {one_line(str(rule))}: {why(subject, rule.subject)}")
        if decisive is None or decisive.effect is Effect.ASK:
            place = "" if decisive is None else f", before {one_line(str(decisive))}"
            proposed = explanations.would_allow(subject, tool)
            if tool in proposed:
                lines.append(f"  {explanations.only_whole_tool(subject)}: only the whole tool is left")
            lines += [f"  would allow it{place}: {each}" for each in proposed]
        return "\n".join(lines)

    def _known(self, request: PermissionRequest) -> Decision | None:
        subject = subjects.of(request, self.root)
        denied = self._denial(request, subject)
        if denied is not None:
            return denied
        rule = _first(self._others, request, subject)
        return None if rule is None or rule.effect is Effect.ASK else Decision(Choice.ALLOW_ONCE)

    def _denial(self, request: PermissionRequest, subject: Subject) -> Decision | None:
        rule = _first(self._denials, request, subject)
        if rule is not None:
            return Decision(Choice.REJECT_ONCE, _refusal(rule, subject))
        return layers.denial(self.inner, request)


def _verdict(rule: Rule | None) -> str:
    if rule is None:
        return "no rule decides: the inner policy is asked"
    shown = one_line(str(rule))
    match rule.effect:
        case Effect.ALLOW:
            return f"allowed by {shown}"
        case Effect.ASK:
            return f"the inner policy is asked, because of {shown}"
        case Effect.DENY:
            return f"refused by {shown}"
        case _:
            assert_never(rule.effect)


def _refusal(rule: Rule, subject: Subject) -> str:
    """Return what the model reads: where only the shell can know, what to write out."""
    shown = one_line(str(rule))
    if isinstance(subject, Command) and rule.subject is not None and not subject.met(rule.subject) and subject.doubt:
        reason, remedy = explanations.doubt_reason(subject.doubt), explanations.remedy(subject.doubt)
        return f"Refused by the rule {shown}: {reason}. {remedy}"
    return f"Refused by the rule {shown}. Find another way, or ask the user."


def _first(rules: Iterable[Rule], request: PermissionRequest, subject: Subject) -> Rule | None:
    return next((rule for rule in rules if fnmatchcase(request.tool, rule.tool) and rule.covers(subject)), None)
