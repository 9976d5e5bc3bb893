"""Every decision is left for later."""

from __future__ import annotations

from mmtools.policies.defer import Defer
from mmtools.policies.rules import Rule, Rules
from mmtools.ports.permission import Choice, Decision
from mmtools.testing.conformance import permissions


def test_it_keeps_the_laws() -> None:
    permissions.check_permission(Defer)


def test_whatever_is_asked_waits() -> None:
    answers = {permissions.ask(Defer(), request) for request in permissions.odd_requests()}
    assert answers == {Decision(Choice.DEFER)}


def test_what_rules_decide_does_not_wait() -> None:
    answers = [permissions.ask(Rules([Rule.deny("bash")], Defer()), each) for each in permissions.odd_requests()]
    assert {answer.choice for answer in answers if isinstance(answer, Decision)} == {Choice.DEFER, Choice.REJECT_ONCE}
