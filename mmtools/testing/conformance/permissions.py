"""
What every `Permission` must hold, checked against one that you bring.

    def test_my_permission() -> None:
        permissions.check_permission(MyPermission)

    def test_my_question() -> None:
        permissions.check_asking(lambda answers: MyPermission(keys=[KEYS[answer] for answer in answers]))

Each law raises `AssertionError` with the counterexample, or lets out what the permission raised. `check_…` tries
all laws and names every one that is broken, the most dangerous first. `decide` may be a
coroutine function; laws then run it in a loop of their own, so call them outside any.
"""

from __future__ import annotations

import asyncio
import copy
import inspect
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from attrs import evolve

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
from mmtools.ports.permission import Choice, Decision, Permission, PermissionRequest, Resettable
from mmtools.testing.conformance.acts import hold
from mmtools.testing.permissions import request_for

__all__ = [
    "Answering",
    "Make",
    "allowed",
    "answers_every_request_with_a_decision",
    "ask",
    "check_asking",
    "check_permission",
    "gives_each_answer_to_its_own_question",
    "leaves_requests_alone",
    "odd_requests",
    "resets_at_any_time",
]

#: Makes the permission under test.
Make: TypeAlias = Callable[[], Permission]

#: Makes one whose person gives these answers in order.
Answering: TypeAlias = Callable[[Sequence[Choice]], Permission]

_COMMAND = request_for(CommandPreview("make test", "/repo"))
_ODD_TEXTS = ("", " ", "a\nb\r\x00\x1b[2J", "'", '"', "`$(", "\udc00\U0001f9ea", "(" * 5_000, "x" * 100_000)


def check_permission(make: Make) -> None:
    """Hold any permission to the laws for all, and tell every one that it breaks."""
    laws = (leaves_requests_alone, answers_every_request_with_a_decision, resets_at_any_time)
    hold([partial(law, make) for law in laws])


def check_asking(make: Answering) -> None:
    """Hold a permission that asks a person to the laws for those."""
    hold([partial(gives_each_answer_to_its_own_question, make)])


def odd_requests() -> Iterator[PermissionRequest]:
    """Make requests that tools may make but rarely do: every kind with every preview, and texts of every sort."""
    for text in _ODD_TEXTS:
        change = FileChange(path=f"/{text}", shown=text, before=None, after=b"\xff\x00")
        previews: tuple[Preview, ...] = (
            CommandPreview(text, f"/{text}"),
            FilesPreview((change, evolve(change, before=b"", before_encoding=None))),
            ReadPreview(f"/{text}"),
            UrlPreview(f"https://{text}/"),
            RemotePreview(text, text, {text: [text, None, {text: 1.5}]}),
            DeletionPreview((f"/{text}", "/")),
            CardPreview(text, ((text, text), ("", text))),
        )
        yield from (request_for(preview, scope=GrantScope(text, text)) for preview in previews)
        yield request_for(previews[0], tool=text)
    for preview in (
        CommandPreview("x", "/"),
        FilesPreview(()),
        ReadPreview("/x"),
        UrlPreview(""),
        RemotePreview("x", "y", {}),
        DeletionPreview(()),
        CardPreview("", ()),
    ):
        yield from (request_for(preview, kind=kind) for kind in ToolKind)
        yield evolve(request_for(preview), paths=(), arguments={}, title="", family="", call_id="")


def answers_every_request_with_a_decision(make: Make) -> None:
    """Require an answer of the right type to every request, however odd."""
    permission = make()
    for request in odd_requests():
        answer = ask(permission, request)
        assert isinstance(answer, Decision), f"{answer!r} is no Decision; asked: {request!r:.300}"


def leaves_requests_alone(make: Make) -> None:
    """Require that a request is only read: the tool goes on with the same arguments."""
    permission = make()
    for request in odd_requests():
        before = copy.deepcopy(request)
        ask(permission, request)
        assert request == before, f"changed from {before!r:.300} to {request!r:.300}"


def resets_at_any_time(make: Make) -> None:
    """Require that a reset, where there is one, may come first, twice, and between questions."""
    permission = make()
    if isinstance(permission, Resettable):
        for _ in range(2):
            permission.reset()
            permission.reset()
            ask(permission, _COMMAND)


def gives_each_answer_to_its_own_question(make: Answering) -> None:
    """Require that "once" is once: the same request is asked for again, whatever was said before."""
    answers = [Choice.ALLOW_ONCE, Choice.REJECT_ONCE, Choice.ALLOW_ONCE, Choice.CANCELLED, Choice.REJECT_ONCE]
    permission = make(answers)
    given = [ask(permission, _COMMAND) for _ in answers]
    assert [allowed(answer) for answer in given] == [True, False, True, False, False], f"{answers} became {given}"


def ask(permission: Permission, request: PermissionRequest) -> object:
    """Ask any permission, sync or async, and return whatever it answers."""
    answer = permission.decide(request)
    if not inspect.isawaitable(answer):
        return answer

    async def wait(answer: Awaitable[object]) -> object:
        return await answer

    return asyncio.run(wait(answer))


def allowed(answer: object) -> bool:
    """Whether an answer is a yes; what is no answer is a no."""
    return isinstance(answer, Decision) and answer.allowed
