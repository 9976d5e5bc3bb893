"""Why a rule applies to a command, in words: for the model that was refused, and for who writes rules."""

from __future__ import annotations

import re
import shlex
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmtools.core.visibility import is_unseen
from mmtools.policies.allow_all import AllowAll
from mmtools.policies.refuse_all import RefuseAll
from mmtools.policies.rules import Rule, Rules
from mmtools.policies.subjects import Command
from mmtools.ports.permission import Choice, Decision
from mmtools.testing.conformance.permissions import allowed, ask
from mmtools.testing.permissions import Scripted
from mmtools.testing.strategies import command_lines
from tests.policies.bash_lines import Lines
from tests.policies.test_rules import command

#: What stands before a rule that would allow the line.
PROPOSED = re.compile(r"  would allow it(?:, before [^\n]*\))?: ")

DENY = Rules([Rule.deny("bash(rm *)")], AllowAll())


@pytest.mark.parametrize(
    ("line", "feedback"),
    [
        ("rm f", "Refused by the rule bash(rm *). Find another way, or ask the user."),
        ("rm f; $X", "Refused by the rule bash(rm *). Find another way, or ask the user."),
        ("$X f", "Refused by the rule bash(rm *): only the shell can know what `$X` starts. Write the command out, or ask the user."),
        ("r{m,} f", "Refused by the rule bash(rm *): only the shell can know what `r{m,}` starts. Write the command out, or ask the user."),
        ('sh -c "$X"', "Refused by the rule bash(rm *): only the shell can know which commands `\"$X\"` holds. Write the commands out, or ask the user."),
        ("cat f | sh", "Refused by the rule bash(rm *): only the shell can know which commands `sh` reads. Write the commands out, or ask the user."),
        ("echo 'x", "Refused by the rule bash(rm *): what the line starts cannot be read from `'x` on. Write it more simply, or ask the user."),
        ("xargs" + " a" * 300, "Refused by the rule bash(rm *): there is too much to read at `xargs`. Split it into several calls, or ask the user."),
    ],
)  # fmt: skip
def test_a_refusal_says_what_only_the_shell_can_know(line: str, feedback: str) -> None:
    assert ask(DENY, command(line)) == Decision(Choice.REJECT_ONCE, feedback)


RULES = Rules(
    [
        Rule.allow("bash(git log *)"),
        Rule.allow("bash(uniq *)"),
        Rule.deny("bash(rm *)"),
        Rule.ask("bash(git push)"),
        Rule.allow("edit_file"),
    ],
    AllowAll(),
)


def test_the_rule_that_allows_is_named() -> None:
    assert RULES.explain("git log -5") == (
        "allowed by bash(git log *)\n"
        "  deny bash(rm *): meets no part of it\n"
        "  allow bash(git log *): covers it\n"
        "  allow bash(uniq *): does not match it\n"
        "  ask bash(git push): meets no part of it"
    )


def test_the_word_that_no_wildcard_stands_for_is_named_with_rules_that_would_allow_it() -> None:
    lines = RULES.explain("git log --output=p -5").splitlines()
    assert lines[0] == "no rule decides: the inner policy is asked"
    assert lines[2] == (
        "  allow bash(git log *): does not cover it, since `--output=p` is not known to be harmless behind `git log`, "
        "and the rule does not spell it"
    )
    assert lines[-2:] == [
        "  would allow it: bash(git log --output=p -5)",
        "  would allow it: bash(git log --output=p *)",
    ]
    assert "`b` may act behind `uniq a`" in RULES.explain("uniq a b")
    assert "a wildcard does not stand for the program `rm`" in Rules([Rule.allow("bash(*)")], AllowAll()).explain(
        "rm f"
    )


def test_the_part_that_a_denial_meets_is_named() -> None:
    assert RULES.explain("git log; rm x").splitlines()[:3] == [
        "refused by bash(rm *)",
        "  deny bash(rm *): meets `rm x`",
        "  allow bash(git log *): does not cover it, since the line is not one plain command",
    ]
    assert (
        "  deny bash(rm *): applies, since only the shell can know what `$X` starts" in RULES.explain("$X").splitlines()
    )


def test_a_question_is_said_with_the_place_where_an_allowance_would_count() -> None:
    lines = RULES.explain("git push").splitlines()
    assert lines[0] == "the inner policy is asked, because of bash(git push)"
    assert lines[-1] == "  would allow it, before bash(git push): bash(git push)"


def test_only_rules_of_the_tool_count_and_a_line_that_is_not_plain_needs_the_whole_tool() -> None:
    assert RULES.explain("ls | wc").splitlines()[-2:] == [
        "  a pattern does not allow it, since the line is not one plain command: only the whole tool is left",
        "  would allow it: bash",
    ]
    assert (
        RULES.explain("x", tool="edit_file") == "allowed by edit_file\n  allow edit_file: covers every call of the tool"
    )


def check(rules: Rules, line: str) -> None:
    """Hold an explanation against what the rules decide, and the rules in it against what they let through."""
    inner = Scripted([Choice.ALLOW_ONCE])
    answer, told = ask(Rules(rules.rules, inner), command(line)), rules.explain(line)
    expected = "asked" if inner.requests else "allowed" if allowed(answer) else "refused"
    lines = told.split("\n")
    assert expected in lines[0]
    assert not any(is_unseen(char) for char in told.replace("\n", "")), told
    proposed = [PROPOSED.sub("", each) for each in lines if PROPOSED.match(each)]
    assert bool(proposed) is (expected == "asked")
    for pattern in proposed:
        nobody = Rules([Rule.allow(pattern), *rules.rules], RefuseAll("not by a rule"))
        assert allowed(ask(nobody, command(line))), pattern


@given(command_lines())
def test_an_explanation_agrees_with_the_decision_and_what_would_allow_does(line: str) -> None:
    check(RULES, line)


def test_so_it_is_with_lines_by_the_grammar_of_bash() -> None:
    maker = Lines(Random(7))
    for _ in range(settings().max_examples):
        check(RULES, maker.line())
        # Of these, more are one plain command.
        check(RULES, shlex.join(maker.line().split()))


HOSTILE = st.text(
    st.sampled_from(
        [*"ab -*?[]()'\"\\!{}\n\t\r~#", "\x1b", "\u202e", "\u2028", "\u00a0", "\ufe0f", "\x00", "\udc80", "é"]
    )
)


@given(st.sampled_from(["echo", "git log", "git push", "rm", "zz", ""]), st.lists(HOSTILE, max_size=4), st.booleans())
def test_and_with_words_that_would_draw_on_the_screen(beginning: str, words: list[str], quoted: bool) -> None:
    check(RULES, f"{beginning} {shlex.join(words) if quoted else ' '.join(words)}")


@given(HOSTILE)
def test_a_rule_with_such_characters_is_told_on_one_line(text: str) -> None:
    rules = Rules(
        [Rule.deny(f"bash(rm{text}x)"), Rule.ask(f"bash(ls{text}x)"), Rule.allow(f"bash(zz{text}x)")], AllowAll()
    )
    for line in ("ls", f"rm{text}x", f"ls{text}x", f"zz{text}x"):
        check(rules, line)
        answer = ask(rules, command(line))
        assert isinstance(answer, Decision)
        feedback = answer.feedback or ""
        assert not any(is_unseen(char) or char == "\n" for char in feedback)


LONG = {
    "nested": ("time " * 1000 + "x", "asked"),
    "nested, by rule": ("sudo " * 15 + "ls", "asked"),
    "wrapped": ("sudo " * 1000 + "x", "refused"),
    "words": ("git log " + "a " * 100_000, "refused"),
    "letters": ("x" * 1_000_000, "refused"),
    "options": ("git log " + "--zz " * 3_000, "asked"),
    "braces": ("git show " + "a{1}" * 3_000, "asked"),
}


@pytest.mark.parametrize("kind", LONG)
def test_too_much_is_not_allowed_and_said_in_few_words(kind: str) -> None:
    line, expected = LONG[kind]
    check(RULES, line)
    told = RULES.explain(line)
    assert expected in told.split("\n")[0]
    assert len(told) < 5_000


def test_a_line_that_is_too_long_to_be_read_is_said_to_be() -> None:
    line = "git log " + "a " * 40_000
    assert not Command(line).surely("git log *")
    assert "does not cover it, since the line is too long to be read" in RULES.explain(line)
    assert ask(DENY, command(line)) == Decision(
        Choice.REJECT_ONCE,
        "Refused by the rule bash(rm *): there is too much to read at `git log a a a a a a a a a a a a a a a a`. Split it into several calls, or ask the user.",
    )
