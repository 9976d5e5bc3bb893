"""Why a rule applies to a command, in words: for the model that was refused, and for who writes rules."""

from __future__ import annotations

import pytest
from hypothesis import given

from mmtools.policies.allow_all import AllowAll
from mmtools.policies.rules import Rule, Rules
from mmtools.policies.subjects import Command
from mmtools.ports.permission import Choice, Decision
from mmtools.testing.conformance.permissions import allowed, ask
from mmtools.testing.permissions import Scripted
from mmtools.testing.strategies import command_lines
from tests.policies.test_rules import command

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
    assert RULES.explain("ls | wc").splitlines()[-1] == (
        "  would allow it: bash, the whole tool; a pattern only allows one plain command"
    )
    assert (
        RULES.explain("x", tool="edit_file") == "allowed by edit_file\n  allow edit_file: covers every call of the tool"
    )


@given(command_lines())
def test_an_explanation_agrees_with_the_decision_and_what_would_allow_does(line: str) -> None:
    inner = Scripted([Choice.ALLOW_ONCE])
    rules = Rules(RULES.rules, inner)
    answer, told = ask(rules, command(line)), RULES.explain(line).splitlines()
    expected = "asked" if inner.requests else "allowed" if allowed(answer) else "refused"
    assert expected in told[0]
    for each in told:
        if each.startswith("  would allow it: bash("):
            pattern = each.removeprefix("  would allow it: bash(").removesuffix(")")
            assert Command(line).surely(pattern)
