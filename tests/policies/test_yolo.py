"""Asking nobody, while it is on: denials stand, and it can be switched."""

from __future__ import annotations

import asyncio
import inspect

import pytest

from mmtools.call import CommandPreview, UrlPreview
from mmtools.policies.remember import Remember
from mmtools.policies.rules import Rule, Rules
from mmtools.policies.yolo import Yolo
from mmtools.ports.permission import Choice, Decision, PermissionRequest
from mmtools.testing.conformance import permissions, policies
from mmtools.testing.conformance.permissions import allowed, ask
from mmtools.testing.permissions import Scripted, request_for

REMOVE = request_for(CommandPreview("rm -rf build", "/repo"))
PAGE = request_for(UrlPreview("https://docs.python.org/3/"))
DENIED = Decision(Choice.REJECT_ONCE, "Refused by the rule bash(rm). Find another way, or ask the user.")


def test_switched_off_it_keeps_the_laws_of_a_layer() -> None:
    policies.check_layer(lambda inner: Yolo(inner, on=False))
    permissions.check_permission(lambda: Yolo(Scripted()))


def test_nobody_is_asked_while_it_is_on() -> None:
    inner = Scripted()
    for request in permissions.odd_requests():
        assert ask(Yolo(inner), request) == Decision(Choice.ALLOW_ONCE)
    assert inner.requests == []


@pytest.mark.parametrize(
    "build",
    [
        Yolo,
        lambda rules: Yolo(Remember(rules)),
        lambda rules: Remember(Yolo(rules)),
        lambda rules: Rules([Rule.allow("*")], Yolo(rules)),
    ],
)
def test_denials_stand(build: type[Yolo]) -> None:
    permission = build(Rules([Rule.deny("bash(rm)")], Scripted()))
    assert ask(permission, REMOVE) == DENIED
    assert allowed(ask(permission, PAGE))


def test_it_can_be_switched_while_it_runs() -> None:
    inner = Scripted([Choice.REJECT_ONCE, Choice.ALLOW_ONCE])
    yolo = Yolo(inner, on=False)
    assert not allowed(ask(yolo, REMOVE))
    yolo.on = True
    assert allowed(ask(yolo, REMOVE))
    yolo.on = False
    assert allowed(ask(yolo, REMOVE))
    assert inner.requests == [REMOVE, REMOVE]


@pytest.mark.parametrize(
    ("began", "switched", "after"),
    [(True, True, True), (True, False, False), (False, True, False), (False, False, False)],
)
def test_a_new_session_ends_what_was_switched_on_and_switches_nothing_on(
    *, began: bool, switched: bool, after: bool
) -> None:
    yolo = Yolo(Scripted(), on=began)
    yolo.on = switched
    yolo.reset()
    assert yolo.on is after


def test_a_reset_reaches_the_policy_inside() -> None:
    inner = Scripted([Choice.ALLOW_ALWAYS, Choice.REJECT_ONCE])
    yolo = Yolo(Remember(inner), on=False)
    assert allowed(ask(yolo, REMOVE))
    yolo.reset()
    assert not allowed(ask(yolo, REMOVE))


def test_an_async_policy_inside_stays_async() -> None:
    class Asked:
        async def decide(self, request: PermissionRequest) -> Decision:
            return Decision(Choice.REJECT_ONCE, "async")

    yolo = Yolo(Asked())
    assert inspect.iscoroutinefunction(yolo.decide)

    async def host() -> list[Decision]:
        answers = []
        for yolo.on in (True, False):
            answer = yolo.decide(REMOVE)
            assert inspect.isawaitable(answer)
            answers.append(await answer)
        return answers

    assert asyncio.run(host()) == [Decision(Choice.ALLOW_ONCE), Decision(Choice.REJECT_ONCE, "async")]
