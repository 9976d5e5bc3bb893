"""How far an "always" reaches."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.call import CommandPreview, FileChange, FilesPreview, GrantScope
from mmtools.policies.remember import Remember
from mmtools.policies.rules import Rule, Rules
from mmtools.ports.permission import Choice, Decision, Permission, PermissionRequest
from mmtools.testing.conformance import policies
from mmtools.testing.conformance.permissions import allowed, ask
from mmtools.testing.permissions import Scripted, request_for


def command(line: str) -> PermissionRequest:
    return request_for(CommandPreview(line, "/repo"))


def write(path: str, scope: str = "every file change under /repo") -> PermissionRequest:
    change = FileChange(path=path, shown=path, before=None, after=b"x")
    return request_for(FilesPreview((change,)), tool="write_file", scope=GrantScope(scope, scope))


def test_it_keeps_the_laws_of_a_memory() -> None:
    policies.check_memory(Remember)
    policies.check_memory(lambda inner: Remember(Remember(inner)))
    policies.check_memory(lambda inner: Remember(Rules([], inner)))
    policies.check_memory(lambda inner: Rules([], Remember(inner)))


def test_once_is_for_one_call() -> None:
    inner = Scripted([Choice.ALLOW_ONCE, Choice.REJECT_ONCE])
    permission = Remember(inner)
    assert allowed(ask(permission, command("touch a")))
    assert not allowed(ask(permission, command("touch b")))
    assert len(inner.requests) == 2


def test_always_for_a_command_is_for_that_line() -> None:
    inner = Scripted([Choice.ALLOW_ALWAYS, Choice.REJECT_ONCE, Choice.REJECT_ONCE])
    permission = Remember(inner)
    line = "git status && rm -rf ./d1"
    assert allowed(ask(permission, command(line)))
    assert allowed(ask(permission, command(line)))
    assert not allowed(ask(permission, command("rm -rf other")))
    assert not allowed(ask(permission, command("git status")))
    assert len(inner.requests) == 3


def test_always_for_files_ends_where_its_scope_ends() -> None:
    inner = Scripted([Choice.ALLOW_ALWAYS, Choice.REJECT_ONCE])
    permission = Remember(inner)
    assert allowed(ask(permission, write("/repo/a.txt")))
    assert allowed(ask(permission, write("/repo/b.txt")))
    assert not allowed(ask(permission, write("/elsewhere/a.txt", "the file /elsewhere/a.txt")))


@pytest.mark.parametrize(
    "around",
    [
        lambda deny, inner: Rules([deny], Remember(inner)),
        lambda deny, inner: Remember(Rules([deny], inner)),
        lambda deny, inner: Remember(Rules([Rule.allow("edit_file")], Remember(Rules([deny], inner)))),
    ],
    ids=["rules outside", "rules inside", "rules far inside"],
)
def test_a_grant_never_beats_a_denial(around: Callable[[Rule, Permission], Permission]) -> None:
    inner = Scripted([Choice.ALLOW_ALWAYS])
    permission = around(Rule.deny("write_file(/repo/secrets)"), inner)
    assert allowed(ask(permission, write("/repo/a.txt")))
    assert allowed(ask(permission, write("/repo/b.txt")))
    refused = ask(permission, write("/repo/secrets/key"))
    assert isinstance(refused, Decision)
    assert not refused.allowed
    assert "write_file(/repo/secrets)" in refused.feedback
    assert len(inner.requests) == 1


def latest(answers: list[Choice]) -> Iterator[Choice]:
    while True:
        yield answers.pop()


scopes = st.sampled_from(["a", "b", "c"])


@given(st.lists(st.tuples(scopes, st.sampled_from(Choice)) | st.none(), max_size=30))
def test_it_answers_as_the_last_always_of_the_scope_since_the_reset(steps: list[tuple[str, Choice] | None]) -> None:
    """None stands for a reset."""
    standing: dict[str, bool] = {}
    answers: list[Choice] = []
    inner = Scripted(latest(answers))
    permission = Remember(inner)
    for step in steps:
        if step is None:
            permission.reset()
            standing.clear()
            continue
        scope, choice = step
        answers.append(choice)
        expected = standing.get(scope, Decision(choice).allowed)
        assert allowed(ask(permission, write("/repo/x", scope))) == expected
        if scope in standing:
            assert answers.pop() is choice, "it asked although it knew"
        elif choice in (Choice.ALLOW_ALWAYS, Choice.REJECT_ALWAYS):
            standing[scope] = expected
