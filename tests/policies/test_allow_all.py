"""Everything passes, each time only once."""

from __future__ import annotations

from mmtools.policies.allow_all import AllowAll
from mmtools.ports.permission import Choice, Decision
from mmtools.testing.conformance import permissions


def test_it_keeps_the_laws() -> None:
    permissions.check_permission(AllowAll)


def test_it_allows_whatever_is_asked() -> None:
    answers = {permissions.ask(AllowAll(), request) for request in permissions.odd_requests()}
    assert answers == {Decision(Choice.ALLOW_ONCE)}
