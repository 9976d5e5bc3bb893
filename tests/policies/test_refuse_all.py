"""Nothing passes, and the model hears why."""

from __future__ import annotations

from mmtools.policies.refuse_all import RefuseAll
from mmtools.ports.permission import Choice, Decision
from mmtools.testing.conformance import permissions


def test_it_keeps_the_laws() -> None:
    permissions.check_permission(RefuseAll)


def test_it_refuses_whatever_is_asked_with_the_reason() -> None:
    answers = {permissions.ask(RefuseAll("not today"), request) for request in permissions.odd_requests()}
    assert answers == {Decision(Choice.REJECT_ONCE, "not today")}


def test_without_a_reason_it_says_that_policy_decided() -> None:
    (answer,) = {permissions.ask(RefuseAll(), request) for request in permissions.odd_requests()}
    assert isinstance(answer, Decision)
    assert answer.feedback.startswith("Refused by policy: ")
