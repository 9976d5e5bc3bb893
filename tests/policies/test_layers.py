"""A policy around another asks it as it wants to be asked."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable

import pytest

from mmtools.call import CommandPreview
from mmtools.policies import layers
from mmtools.policies.allow_all import AllowAll
from mmtools.policies.rules import Rule, Rules
from mmtools.ports.permission import Choice, Decision, PermissionRequest
from mmtools.testing.conformance.permissions import ask
from mmtools.testing.permissions import request_for

REQUEST = request_for(CommandPreview("make", "/"))


class OnLoop:
    """An async permission that tells on which loop it was awaited."""

    def __init__(self) -> None:
        self.loops: list[asyncio.AbstractEventLoop] = []

    async def decide(self, request: PermissionRequest) -> Decision:
        self.loops.append(asyncio.get_running_loop())
        return Decision(Choice.ALLOW_ALWAYS)


def nothing_known(request: PermissionRequest) -> Decision | None:
    return None


def test_an_async_permission_is_awaited_where_its_layer_is() -> None:
    inner, learnt = OnLoop(), list[Decision]()
    decide = layers.layered(inner, known=nothing_known, learn=lambda request, answer: learnt.append(answer))
    assert inspect.iscoroutinefunction(decide)

    async def host() -> None:
        assert await decide(REQUEST) == Decision(Choice.ALLOW_ALWAYS)
        assert inner.loops == [asyncio.get_running_loop()]

    asyncio.run(host())
    assert learnt == [Decision(Choice.ALLOW_ALWAYS)]


def test_an_answer_that_turns_out_to_be_awaitable_is_learnt_when_it_comes() -> None:
    class Promises:
        def decide(self, request: PermissionRequest) -> Awaitable[Decision]:
            return OnLoop().decide(request)

    learnt: list[Decision] = []
    decide = layers.layered(Promises(), known=nothing_known, learn=lambda request, answer: learnt.append(answer))
    assert not inspect.iscoroutinefunction(decide)
    answer = decide(REQUEST)
    assert inspect.isawaitable(answer)
    assert learnt == []

    async def host() -> Decision:
        return await answer

    assert asyncio.run(host()) == Decision(Choice.ALLOW_ALWAYS)
    assert learnt == [Decision(Choice.ALLOW_ALWAYS)]


def test_what_is_known_is_answered_without_a_question() -> None:
    inner = OnLoop()
    decide = layers.layered(inner, known=lambda request: Decision(Choice.REJECT_ONCE))

    async def host() -> Decision:
        answer = decide(REQUEST)
        assert inspect.isawaitable(answer)
        return await answer

    assert asyncio.run(host()) == Decision(Choice.REJECT_ONCE)
    assert inner.loops == []


def test_what_the_inner_one_raises_comes_out_and_is_not_learnt() -> None:
    class Breaks:
        def decide(self, request: PermissionRequest) -> Decision:
            raise KeyError("x")

    learnt: list[Decision] = []
    decide = layers.layered(Breaks(), known=nothing_known, learn=lambda request, answer: learnt.append(answer))
    with pytest.raises(KeyError):
        decide(REQUEST)
    assert learnt == []


def test_denials_come_from_policies_that_have_some() -> None:
    assert layers.denial(AllowAll(), REQUEST) is None
    denied = layers.denial(Rules([Rule.deny("bash")], AllowAll()), REQUEST)
    assert denied is not None
    assert ask(Rules([Rule.deny("bash")], AllowAll()), REQUEST) == denied


def test_a_reset_of_what_remembers_nothing_is_nothing() -> None:
    layers.reset(AllowAll())
    layers.reset(Rules([], AllowAll()))
