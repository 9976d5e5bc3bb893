"""
What a policy around another one must hold, checked against one that you bring.

    def test_my_policy() -> None:
        policies.check_layer(MyPolicy)

    def test_my_policy_that_remembers() -> None:
        policies.check_memory(MyMemory)

Each law takes a function that puts the policy around a permission, and raises `AssertionError` with the
counterexample; `check_…` tries all and names every one that is broken, those first that let something be allowed. A policy is asked about `make test`; it must have no opinion of its own on that.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from attrs import evolve

from mmtools.call import CommandPreview, GrantScope
from mmtools.ports.permission import Choice, Decision, Permission, PermissionRequest, Resettable
from mmtools.testing.conformance.acts import hold
from mmtools.testing.conformance.permissions import (
    allowed,
    answers_every_request_with_a_decision,
    ask,
    gives_each_answer_to_its_own_question,
    leaves_requests_alone,
    resets_at_any_time,
)
from mmtools.testing.permissions import Scripted, request_for

__all__ = [
    "Wrap",
    "check_layer",
    "check_memory",
    "holds_an_always_in_its_scope_until_reset",
    "is_async_when_the_inner_one_is",
    "keeps_its_memory_to_itself",
    "lets_no_memory_beat_a_denial",
    "makes_no_grant_of_a_failure",
    "passes_on_denials",
    "passes_on_reset",
    "passes_on_what_it_was_told",
]

#: Puts the policy under test around another.
Wrap: TypeAlias = Callable[[Permission], Permission]

_COMMAND = request_for(CommandPreview("make test", "/repo"))


def check_layer(wrap: Wrap) -> None:
    """Hold a policy around another to its laws, where it has no opinion on `make test`, and tell every one that it breaks."""
    hold([*_allowing(wrap), *_telling(wrap)])


def check_memory(wrap: Wrap) -> None:
    """Hold a policy that remembers to its laws, those for a layer included, and tell every one that it breaks."""
    memory = (lets_no_memory_beat_a_denial, keeps_its_memory_to_itself, holds_an_always_in_its_scope_until_reset)
    hold([*_allowing(wrap), *(partial(law, wrap) for law in memory), *_telling(wrap)])


def _allowing(wrap: Wrap) -> list[partial[None]]:
    """Return the laws of which a breach allows what nobody allowed."""
    return [
        partial(makes_no_grant_of_a_failure, wrap),
        partial(gives_each_answer_to_its_own_question, lambda answers: wrap(Scripted(answers))),
        partial(passes_on_what_it_was_told, wrap),
        partial(passes_on_denials, wrap),
    ]


def _telling(wrap: Wrap) -> list[partial[None]]:
    def rejecting() -> Permission:
        return wrap(_Always(Decision(Choice.REJECT_ONCE)))

    return [
        partial(leaves_requests_alone, rejecting),
        partial(answers_every_request_with_a_decision, rejecting),
        partial(is_async_when_the_inner_one_is, wrap),
        partial(resets_at_any_time, rejecting),
        partial(passes_on_reset, wrap),
    ]


def passes_on_what_it_was_told(wrap: Wrap) -> None:
    """Require that answer and feedback of the inner policy come out as they went in."""
    for choice in Choice:
        decision = Decision(choice, "because")
        answer = ask(wrap(_Always(decision)), _COMMAND)
        assert answer == decision, f"the inner policy said {decision}, and {answer!r} came out"


def passes_on_denials(wrap: Wrap) -> None:
    """Require that a denial of the inner policy can be seen from outside, so that no policy around this one overrules it."""
    inner = _Denying()
    denial = getattr(wrap(inner), "denial", None)
    assert callable(denial), "no denial(request), although the inner policy has one"
    assert denial(_COMMAND) is None, "a denial that the inner policy does not make"
    inner.denies = True
    assert denial(_COMMAND) == Decision(Choice.REJECT_ONCE), "the inner policy's denial does not come out"
    assert not inner.requests, "somebody was asked for a denial"


def makes_no_grant_of_a_failure(wrap: Wrap) -> None:
    """Require that what is no answer, raised or returned, neither allows nor is remembered."""
    for failure in (KeyError("x"), None, True, "allow_always", {"choice": "allow_always"}):
        inner = _Odd(failure)
        permission = wrap(inner)
        for asked in (1, 2):
            try:
                answer = ask(permission, _COMMAND)
            except KeyError:
                answer = None
            assert not allowed(answer), f"{failure!r} was taken for a yes"
            assert inner.asked == asked, f"{failure!r} was remembered"


def is_async_when_the_inner_one_is(wrap: Wrap) -> None:
    """Require that an async permission stays one, so that it is awaited on the host's loop, and works as a sync one."""
    permission = wrap(_Async([Choice.ALLOW_ONCE, Choice.REJECT_ONCE]))
    assert inspect.iscoroutinefunction(permission.decide), "decide hides that the inner one is a coroutine function"
    given = [allowed(ask(permission, _COMMAND)) for _ in range(2)]
    assert given == [True, False], f"a yes and a no that came later became {given}"
    plain = wrap(_Always(Decision(Choice.ALLOW_ONCE)))
    assert not inspect.iscoroutinefunction(plain.decide), "decide is a coroutine function, and the inner one's is none"


def passes_on_reset(wrap: Wrap) -> None:
    """Require that a reset reaches the inner policy."""
    inner = _Odd(None)
    permission = wrap(inner)
    assert isinstance(permission, Resettable), "no reset, although the inner policy has one"
    permission.reset()
    assert inner.resets == 1, "the reset did not reach the inner policy"


def holds_an_always_in_its_scope_until_reset(wrap: Wrap) -> None:
    """Require that "always" answers for equal scopes, for no other, and for nothing after a reset."""
    elsewhere = evolve(_COMMAND, scope=GrantScope(f"{_COMMAND.scope.key} ", _COMMAND.scope.words))
    same_scope = evolve(_COMMAND, call_id="another", scope=GrantScope(_COMMAND.scope.key, "in other words"))
    for choice in (Choice.ALLOW_ALWAYS, Choice.REJECT_ALWAYS):
        inner = Scripted([Decision(choice, "because"), Choice.CANCELLED, Decision(choice, "because"), Choice.CANCELLED])
        permission = wrap(inner)
        for around in (0, 2):
            expected = allowed(ask(permission, _COMMAND))
            assert expected == (choice is Choice.ALLOW_ALWAYS), f"{choice} was turned around, or outlived a reset"
            for _ in range(2):
                answer = ask(permission, same_scope)
                assert len(inner.requests) == around + 1, f"{choice} was asked for again, or outlived a reset"
                assert isinstance(answer, Decision), f"{answer!r} is no Decision"
                assert answer.allowed == expected, f"{choice} was remembered as {answer.choice}"
                assert answer.allowed or answer.feedback == "because", "the reason of a refusal was forgotten"
            assert not allowed(ask(permission, elsewhere)), f"{choice} reached another scope"
            assert len(inner.requests) == around + 2, f"{choice} answered for another scope"
            assert isinstance(permission, Resettable), "no reset, so an always can never end"
            permission.reset()


def keeps_its_memory_to_itself(wrap: Wrap) -> None:
    """Require that two sessions share nothing."""
    first, second = wrap(Scripted([Choice.ALLOW_ALWAYS])), wrap(Scripted([Choice.REJECT_ONCE]))
    assert allowed(ask(first, _COMMAND)), "a yes of the inner policy did not come out"
    assert not allowed(ask(second, _COMMAND)), "a grant reached another session"


def lets_no_memory_beat_a_denial(wrap: Wrap) -> None:
    """Require that a grant does not allow what the inner policy denies (a method `denial(request)`)."""
    inner = _Denying([Choice.ALLOW_ALWAYS])
    permission = wrap(inner)
    assert allowed(ask(permission, _COMMAND)), "a yes of the inner policy did not come out"
    inner.denies = True
    assert not allowed(ask(permission, _COMMAND)), "a grant beat a denial"


class _Always:
    """A policy that gives one answer to everything."""

    def __init__(self, decision: Decision) -> None:
        self.decision = decision

    def decide(self, request: PermissionRequest) -> Decision:
        return self.decision


class _Odd:
    """A policy that breaks the contract: it raises, or answers with anything."""

    def __init__(self, answer: object) -> None:
        self.answer = answer
        self.asked = 0
        self.resets = 0

    def decide(self, request: PermissionRequest) -> Decision:
        self.asked += 1
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer  # type: ignore[return-value] # the very mistake that must do no harm

    def reset(self) -> None:
        self.resets += 1


class _Async:
    """A policy that gives the answers in order, later."""

    def __init__(self, answers: Sequence[Choice]) -> None:
        self.answers = iter(answers)

    async def decide(self, request: PermissionRequest) -> Decision:
        await asyncio.sleep(0)
        return Decision(next(self.answers))


class _Denying(Scripted):
    """A policy that denies everything once told to, before anyone is asked."""

    denies = False

    def denial(self, request: PermissionRequest) -> Decision | None:
        return Decision(Choice.REJECT_ONCE) if self.denies else None
