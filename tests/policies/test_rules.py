"""Rules: an allowance covers exactly what it says, a denial whatever may be meant."""

from __future__ import annotations

import asyncio
import inspect

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from mmtools.call import (
    CardPreview,
    CommandPreview,
    DeletionPreview,
    FileChange,
    FilesPreview,
    GrantScope,
    Preview,
    ReadPreview,
    RemotePreview,
    ToolKind,
    UrlPreview,
)
from mmtools.errors import DefinitionError
from mmtools.policies.allow_all import AllowAll
from mmtools.policies.refuse_all import RefuseAll
from mmtools.policies.remember import Remember
from mmtools.policies.rules import Effect, Rule, Rules
from mmtools.ports.permission import Choice, Decision, Permission, PermissionRequest
from mmtools.testing.conformance import permissions, policies
from mmtools.testing.conformance.permissions import allowed, ask
from mmtools.testing.permissions import Scripted, request_for


def command(line: str, tool: str = "bash") -> PermissionRequest:
    return request_for(CommandPreview(line, "/repo"), tool=tool)


def change(*paths: str, shown: str | None = None) -> PermissionRequest:
    changes = [FileChange(path=path, shown=shown or path, before=None, after=b"x") for path in paths]
    return request_for(FilesPreview(tuple(changes)))


def outcome(rules: list[Rule], request: PermissionRequest, root: str | None = None) -> str:
    """Say what becomes of a request: "allowed" or "denied" by the rules, or "asked"."""
    inner = Scripted([Choice.ALLOW_ONCE])
    answer = ask(Rules(rules, inner, root=root), request)
    if inner.requests:
        return "asked"
    return "allowed" if allowed(answer) else "denied"


def test_rules_keep_the_laws_of_a_layer() -> None:
    rules = [Rule.allow("bash(x)"), Rule.ask("bash(git push)"), Rule.deny("bash(rm)"), Rule.deny("*(/secret)")]
    policies.check_layer(lambda inner: Rules(rules, inner))
    permissions.check_permission(lambda: Rules(rules, AllowAll(), root="/repo"))


GIT = [Rule.allow("bash(git status)"), Rule.allow("bash(git log*)"), Rule.deny("bash(rm)")]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("git status", "allowed"),
        ("  git  status ", "allowed"),
        ("git 'status'", "allowed"),
        ("git log -1", "allowed"),
        ("git log", "allowed"),
        ("git log --format='%h %s' -- 'a b'", "allowed"),
        ("git status && rm -rf d", "denied"),
        ("git status; touch p", "asked"),
        ("git log | sh", "denied"),
        ("git log || touch p", "asked"),
        ("git status & touch p", "asked"),
        ("git log > p", "asked"),
        ("git log 2>&1", "allowed"),
        ("git log 2>/dev/null", "allowed"),
        ("git log 2>&1 p", "asked"),
        ("git log >& p", "asked"),
        ("git log < p", "asked"),
        ("GIT_PAGER='touch p' git log", "asked"),
        ("git -c core.pager='touch p' log", "asked"),
        ("git log -c core.pager=x", "asked"),
        ("git log --output=p", "asked"),
        ("git log --outp p", "asked"),
        ("git log --ext-diff", "asked"),
        ("git log $(touch p)", "asked"),
        ("git log `touch p`", "asked"),
        ('git log "$(touch p)"', "asked"),
        ("git log <(touch p)", "asked"),
        ("git log\ntouch p", "asked"),
        ("git log {-1,-2}", "asked"),
        ("git log $X", "asked"),
        ("git status -s", "asked"),
        ("git statuses", "asked"),
        ("git 'log x'", "asked"),
        ("'git log'", "asked"),
        ("git 'log", "denied"),
        ("(git status)", "asked"),
        ("! git status", "asked"),
        ("git status # it", "asked"),
        ("./git status", "asked"),
        ("git", "asked"),
        ("", "asked"),
        ("echo 'a && rm b'", "asked"),
        ("rm", "denied"),
        ("rm -rf d", "denied"),
        ("rmdir d", "asked"),
        ("git log | xargs rm", "denied"),
        ("git log; (/bin/rm d)", "denied"),
        ("FORCE=1 rm d", "denied"),
        ("echo $(rm d)", "denied"),
        ('echo "`rm d`"', "denied"),
        ("sh -c 'rm d'", "denied"),
        ("if true; then rm d; fi", "denied"),
        ("> p rm d", "denied"),
        ("$RM d", "denied"),
    ],
)
def test_a_command_line_is_allowed_only_as_a_whole_and_denied_by_any_part(line: str, expected: str) -> None:
    assert outcome(GIT, command(line)) == expected


def test_a_quoted_operator_does_not_split_a_line() -> None:
    assert outcome([*GIT, Rule.allow("bash(echo *)")], command("echo 'a && rm b'")) == "allowed"


tails = st.sampled_from(
    ["; touch p", "&& touch p", "|| touch p", "| sh", "& touch p", "\ntouch p", "> p", ">> p", "< p", "$(touch p)",
     "`touch p`", '"$(touch p)"', "<(touch p)", "${p}", "*.py", "~", "2> p", "&> p", "\\\ntouch p"]
)  # fmt: skip


@given(st.sampled_from(["git status", "git log -1", "make test", "ls"]), tails, st.booleans())
def test_no_wildcard_covers_more_than_one_plain_command(line: str, tail: str, spaced: bool) -> None:
    request = command(f"{line}{' ' if spaced else ''}{tail}")
    for pattern in ("bash(*)", f"bash({line}*)", f"bash({line} *)", "*(*)"):
        assert outcome([Rule.allow(pattern)], request) == "asked"


def test_a_rule_without_a_subject_covers_every_line() -> None:
    assert outcome([Rule.allow("bash")], command("git log | sh > p")) == "allowed"
    assert outcome([Rule.deny("bash")], command("git status")) == "denied"


@pytest.mark.parametrize(
    ("rule", "line", "expected"),
    [
        (Rule.deny("bash(rm *)"), "rm", "denied"),
        (Rule.deny("bash(rm -rf)"), "rm -rf /", "denied"),
        (Rule.deny("bash(rm -rf)"), "rm f", "asked"),
        (Rule.deny("bash(git push)"), "git --no-pager -C x push -f", "denied"),
        (Rule.deny("bash(* --force)"), "git push --force", "denied"),
        (Rule.deny("Bash(rm)"), "rm f", "asked"),
        (Rule.deny("b*(rm)"), "rm f", "denied"),
        (Rule.ask("bash(git push)"), "cd x && git push", "asked"),
    ],
)
def test_denials_and_questions_reach_the_command_with_any_arguments(rule: Rule, line: str, expected: str) -> None:
    assert outcome([rule], command(line)) == expected


def test_a_denial_comes_first_and_of_the_others_the_first_that_applies() -> None:
    push = command("git push")
    assert outcome([Rule.allow("bash(git *)"), Rule.ask("bash(git push)")], push) == "allowed"
    assert outcome([Rule.ask("bash(git push)"), Rule.allow("bash(git *)")], push) == "asked"
    assert outcome([Rule.allow("bash"), Rule.allow("*"), Rule.deny("bash(git push)")], push) == "denied"
    assert outcome([Rule.ask("bash(git push)"), Rule.allow("bash")], command("cd x; git push")) == "asked"
    assert outcome([], push) == "asked"


@pytest.mark.parametrize(
    ("rule", "paths", "expected"),
    [
        (Rule.allow("edit_file(/repo/src/*)"), ["/repo/src/a/b.py"], "allowed"),
        (Rule.allow("edit_file(/repo/src)"), ["/repo/src/a/b.py"], "allowed"),
        (Rule.allow("edit_file(src)"), ["/repo/src/a.py"], "allowed"),
        (Rule.allow("edit_file(./src/)"), ["/repo/src/a.py"], "allowed"),
        (Rule.allow("edit_file(*.py)"), ["/elsewhere/a.py"], "allowed"),
        (Rule.allow("edit_file(src)"), ["/repo/lib/src/a.py"], "asked"),
        (Rule.allow("edit_file(src)"), ["/repository/src/a.py"], "asked"),
        (Rule.allow("edit_file(src)"), ["/repo/src-secret/a.py"], "asked"),
        (Rule.allow("edit_file(src)"), ["/repo/src/a.py", "/repo/b.py"], "asked"),
        (Rule.allow("write_file(src)"), ["/repo/src/a.py"], "asked"),
        (Rule.deny("edit_file(src)"), ["/repo/src/a.py", "/repo/b.py"], "denied"),
        (Rule.deny("edit_file(*/.env)"), ["/repo/x/.env"], "denied"),
        (Rule.deny("*(.git)"), ["/repo/.git/config"], "denied"),
        (Rule.deny("*(.git)"), ["/repo/.gitignore"], "asked"),
        (Rule.ask("edit_file"), ["/repo/a"], "asked"),
    ],
)
def test_files_are_allowed_when_all_are_and_denied_when_one_is(rule: Rule, paths: list[str], expected: str) -> None:
    assert outcome([rule], change(*paths), root="/repo") == expected


def test_without_a_root_a_relative_pattern_denies_anywhere_and_allows_nothing() -> None:
    assert outcome([Rule.deny("edit_file(secrets)")], change("/repo/a/secrets/key")) == "denied"
    assert outcome([Rule.ask("edit_file(secrets)"), Rule.allow("*")], change("/repo/secrets/key")) == "asked"
    assert outcome([Rule.allow("edit_file(src)")], change("/repo/src/a.py")) == "asked"


def test_a_denial_also_reads_the_name_that_the_model_gave() -> None:
    """A link inside the denied directory leads elsewhere; an allowance goes by the real path alone."""
    linked = change("/data/key", shown="./secrets/../secrets/key")
    assert outcome([Rule.deny("edit_file(secrets)")], linked, root="/repo") == "denied"
    assert outcome([Rule.deny("edit_file(secrets)")], linked) == "denied"
    assert outcome([Rule.allow("edit_file(secrets)")], linked, root="/repo") == "asked"


def test_reads_outside_the_roots_have_their_path_as_subject() -> None:
    request = request_for(ReadPreview("/etc/passwd"))
    assert outcome([Rule.allow("read_file(/etc/*)")], request) == "allowed"
    assert outcome([Rule.deny("read_file(/etc)")], request) == "denied"
    assert outcome([Rule.allow("read_file(passwd)")], request, root="/repo") == "asked"


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (Rule.allow("web_fetch(docs.python.org)"), "allowed"),
        (Rule.allow("web_fetch(*.python.org)"), "allowed"),
        (Rule.allow("web_fetch(https://docs.python.org/3/*)"), "allowed"),
        (Rule.allow("web_fetch"), "allowed"),
        (Rule.allow("web_fetch(python.org)"), "asked"),
        (Rule.deny("web_fetch(python.org)"), "denied"),
        (Rule.deny("web_fetch(docs.*)"), "denied"),
        (Rule.ask("*(python.org)"), "asked"),
    ],
)
def test_pages_have_their_address_as_subject(rule: Rule, expected: str) -> None:
    assert outcome([rule], request_for(UrlPreview("https://docs.python.org/3/library/"))) == expected


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (Rule.allow("files__read"), "allowed"),
        (Rule.allow("files__*"), "allowed"),
        (Rule.allow("files__read(a)"), "asked"),
        (Rule.allow("files__read(*)"), "asked"),
        (Rule.deny("files__read(secret)"), "denied"),
        (Rule.deny("files__*"), "denied"),
    ],
)
def test_calls_of_other_programs_are_allowed_as_whole_tools(rule: Rule, expected: str) -> None:
    assert outcome([rule], request_for(RemotePreview("files", "read", {"path": "a"}))) == expected


def test_no_file_at_all_is_not_covered_by_a_pattern() -> None:
    assert outcome([Rule.allow("edit_file(*)")], change()) == "asked"
    assert outcome([Rule.allow("edit_file")], change()) == "allowed"


def test_denials_stand_above_every_allow_all() -> None:
    deny = Rule.deny("bash(rm)")
    for permission in (
        Rules([deny], AllowAll()),
        Rules([Rule.allow("*"), deny], AllowAll()),
        Rules([Rule.allow("*")], Rules([deny], AllowAll())),
        Rules([Rule.allow("*")], Remember(Rules([deny], AllowAll()))),
    ):
        assert allowed(ask(permission, command("ls")))
        assert not allowed(ask(permission, command("ls; rm -rf d")))


def test_a_refusal_names_the_rule() -> None:
    answer = ask(Rules([Rule.deny("bash(rm *)")], AllowAll()), command("rm f"))
    assert answer == Decision(Choice.REJECT_ONCE, "Refused by the rule bash(rm *). Find another way, or ask the user.")


def test_an_allowance_grants_one_call() -> None:
    assert ask(Rules([Rule.allow("bash")], Scripted()), command("ls")) == Decision(Choice.ALLOW_ONCE)


def test_an_async_inner_permission_is_awaited_only_when_it_is_asked() -> None:
    class Asked:
        async def decide(self, request: PermissionRequest) -> Decision:
            return Decision(Choice.REJECT_ONCE, "async")

    inner: Permission = Asked()
    rules = Rules([Rule.allow("bash(ls)"), Rule.deny("bash(rm)")], inner)
    assert inspect.iscoroutinefunction(rules.decide)

    async def host() -> list[Decision]:
        answers = []
        for line in ("ls", "rm f", "make"):
            answer = rules.decide(command(line))
            assert inspect.isawaitable(answer)
            answers.append(await answer)
        return answers

    first, second, third = asyncio.run(host())
    assert (first.allowed, second.allowed, third.feedback) == (True, False, "async")


@pytest.mark.parametrize(
    ("pattern", "tool", "subject"),
    [
        ("bash", "bash", None),
        (" bash(git status) ", "bash", "git status"),
        ("mcp__*", "mcp__*", None),
        ("bash(f() { x; })", "bash", "f() { x; }"),
        ("bash(a\nb)", "bash", "a\nb"),
    ],
)
def test_a_rule_is_a_tool_and_perhaps_a_subject(pattern: str, tool: str, subject: str | None) -> None:
    assert Rule.ask(pattern) == Rule(Effect.ASK, tool, subject)
    assert str(Rule.deny(pattern)) == pattern.strip()


@pytest.mark.parametrize("pattern", ["", " ", "bash(", "bash()", "bash(x", "(x)", "!bash", "bash x", "bash(x) y", ")"])
def test_a_malformed_rule_is_refused_when_it_is_written(pattern: str) -> None:
    for make in (Rule.allow, Rule.ask, Rule.deny):
        with pytest.raises(DefinitionError, match="not a rule"):
            make(pattern)


def test_a_grant_for_a_longer_line_is_none_for_its_parts() -> None:
    scope = GrantScope("bash:git status && rm -rf ./d1", "exactly this line")
    inner = Scripted([Choice.ALLOW_ALWAYS, Choice.REJECT_ONCE])
    permission = Rules([Rule.allow("bash(git status)")], Remember(inner))
    assert allowed(ask(permission, request_for(CommandPreview("git status && rm -rf ./d1", "/repo"), scope=scope)))
    assert not allowed(ask(permission, command("rm -rf other")))
    assert allowed(ask(permission, command("git status")))
    assert len(inner.requests) == 2


@pytest.mark.parametrize(
    "preview",
    [
        CommandPreview("rm secret.txt", "/repo"),
        DeletionPreview(("/repo/secret.txt",)),
        CardPreview("delete a file", (("file", "secret.txt"),)),
        UrlPreview("https://example.org/"),
        RemotePreview("s", "t", {}),
        ReadPreview("/repo/secret.txt"),
    ],
)
@pytest.mark.parametrize(
    "pattern", ["delete_file(secret*)", "delete_file(/repo/secret.txt)", "delete_file", "*(*.txt)"]
)
def test_a_path_rule_holds_for_a_tool_of_the_hosts_own_whatever_it_shows(preview: Preview, pattern: str) -> None:
    asked = evolve(request_for(preview, tool="delete_file", kind=ToolKind.DELETE), paths=("/repo/secret.txt",))
    denied = Rules([Rule.deny(pattern)], AllowAll(), root="/repo").decide(asked)
    refusal = f"Refused by the rule {pattern}. Find another way, or ask the user."
    assert denied == Decision(Choice.REJECT_ONCE, refusal)


def test_a_path_rule_lets_other_files_of_such_a_tool_pass() -> None:
    rules = Rules([Rule.deny("delete_file(secret*)")], AllowAll(), root="/repo")
    for preview in (CommandPreview("rm b.txt", "/repo"), DeletionPreview(("/repo/b.txt",))):
        asked = evolve(request_for(preview, tool="delete_file", kind=ToolKind.DELETE), paths=("/repo/b.txt",))
        assert rules.decide(asked) == Decision(Choice.ALLOW_ONCE)


def test_a_path_rule_never_allows_a_command_or_an_address() -> None:
    rules = Rules([Rule.allow("*(/repo/*)")], RefuseAll("no"), root="/repo")
    for preview, kind in (
        (CommandPreview("sh x", "/"), ToolKind.EXECUTE),
        (UrlPreview("https://example.org/"), ToolKind.FETCH),
        (RemotePreview("s", "t", {}), ToolKind.OTHER),
    ):
        asked = evolve(request_for(preview, kind=kind), paths=("/repo/b.txt",))
        assert rules.decide(asked) == Decision(Choice.REJECT_ONCE, "no")
