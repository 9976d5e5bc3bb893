"""The laws of permissions and policies find the one that breaks them, and the scripted permission does as told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import cast

import pytest

from mmtools.call import (
    CommandPreview,
    FileChange,
    FilesPreview,
    ReadPreview,
    RemotePreview,
    ToolKind,
    UrlPreview,
)
from mmtools.policies.layers import Decide, denial, layered
from mmtools.ports.permission import Choice, Decision, Permission, PermissionRequest, Resettable
from mmtools.testing.conformance import permissions, policies
from mmtools.testing.permissions import Scripted, request_for

COMMAND = request_for(CommandPreview("make test", "/repo"))


def test_scripted_gives_its_answers_in_order_and_keeps_the_requests() -> None:
    other = request_for(ReadPreview("/etc/hosts"))
    scripted = Scripted([Choice.ALLOW_ONCE, Decision(Choice.REJECT_ONCE, "no")])
    assert scripted.decide(COMMAND) == Decision(Choice.ALLOW_ONCE)
    assert scripted.decide(other) == Decision(Choice.REJECT_ONCE, "no")
    with pytest.raises(AssertionError, match=r"question 3 was not expected: bash: make test"):
        scripted.decide(COMMAND)
    assert scripted.requests == [COMMAND, other, COMMAND]


@pytest.mark.parametrize(
    ("request_", "tool", "kind", "paths"),
    [
        (COMMAND, "bash", ToolKind.EXECUTE, ()),
        (
            request_for(FilesPreview((FileChange(path="/r/a", shown="a", before=None, after=b""),))),
            "edit_file",
            ToolKind.EDIT,
            ("/r/a",),
        ),
        (request_for(ReadPreview("/x"), kind=ToolKind.SEARCH, tool="grep"), "grep", ToolKind.SEARCH, ("/x",)),
        (request_for(UrlPreview("https://a.org/")), "web_fetch", ToolKind.FETCH, ()),
        (request_for(RemotePreview("files", "read", {"path": "a"})), "files__read", ToolKind.OTHER, ()),
    ],
)
def test_a_request_is_as_a_tool_makes_it(
    request_: PermissionRequest, tool: str, kind: ToolKind, paths: tuple[str, ...]
) -> None:
    assert (request_.tool, request_.kind, request_.paths) == (tool, kind, paths)
    assert tool in request_.title


def test_the_scripted_permission_keeps_the_laws_of_one_that_asks() -> None:
    permissions.check_asking(Scripted)


class Raises:
    """A policy that knows commands only."""

    def decide(self, request: PermissionRequest) -> Decision:
        if not isinstance(request.preview, CommandPreview):
            raise TypeError("what is this?")
        return Decision(Choice.REJECT_ONCE)


class SaysTrue:
    """A policy that answers as a function would, not as a permission."""

    def decide(self, request: PermissionRequest) -> Decision:
        return cast("Decision", True)


class Rewrites:
    """A policy that changes what it is shown."""

    def decide(self, request: PermissionRequest) -> Decision:
        cast("dict[str, object]", request.arguments)["seen"] = True
        return Decision(Choice.REJECT_ONCE)


class ResetsOnce:
    """A policy that cannot forget twice."""

    def __init__(self) -> None:
        self.seen: set[str] | None = set()

    def decide(self, request: PermissionRequest) -> Decision:
        return Decision(Choice.REJECT_ONCE)

    def reset(self) -> None:
        if self.seen is None:
            raise RuntimeError("nothing to forget")
        self.seen = None


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (Raises, TypeError, "what is this"),
        (SaysTrue, AssertionError, "True is no Decision"),
        (Rewrites, AssertionError, "changed from"),
        (ResetsOnce, RuntimeError, "nothing to forget"),
    ],
)
def test_a_permission_that_breaks_a_law_is_found(
    make: Callable[[], Permission], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        permissions.check_permission(make)


class OnceIsAlways:
    """A policy that takes "once" for the whole session."""

    def __init__(self, answers: Sequence[Choice]) -> None:
        self.answers = iter(answers)
        self.allowed = False

    def decide(self, request: PermissionRequest) -> Decision:
        self.allowed = self.allowed or next(self.answers) is Choice.ALLOW_ONCE
        return Decision(Choice.ALLOW_ONCE if self.allowed else Choice.REJECT_ONCE)


def test_once_taken_for_always_is_found() -> None:
    with pytest.raises(AssertionError, match="became"):
        permissions.check_asking(OnceIsAlways)


class Memory:
    """A policy that remembers, right in everything; others break one thing of it."""

    def __init__(self, inner: Permission) -> None:
        self.inner = inner
        self.standing: dict[str, Decision] = self.new_memory()
        self._decide = layered(inner, known=self.known, learn=self.learn)

    def new_memory(self) -> dict[str, Decision]:
        return {}

    @property
    def decide(self) -> Decide:
        return self._decide

    def known(self, request: PermissionRequest) -> Decision | None:
        standing = self.standing.get(self.key(request))
        return None if standing is None else denial(self.inner, request) or standing

    def learn(self, request: PermissionRequest, answer: object) -> None:
        if isinstance(answer, Decision) and answer.choice in (Choice.ALLOW_ALWAYS, Choice.REJECT_ALWAYS):
            self.standing[self.key(request)] = answer

    def key(self, request: PermissionRequest) -> str:
        return request.scope.key

    def denial(self, request: PermissionRequest) -> Decision | None:
        return denial(self.inner, request)

    def reset(self) -> None:
        self.standing.clear()
        if isinstance(self.inner, Resettable):
            self.inner.reset()


class GrantsTheTool(Memory):
    """One click for all commands."""

    def key(self, request: PermissionRequest) -> str:
        return request.tool


class GrantsToWords(Memory):
    """A policy that compares what a person reads."""

    def key(self, request: PermissionRequest) -> str:
        return request.scope.words


class RemembersOnce(Memory):
    """A policy that keeps every answer."""

    def learn(self, request: PermissionRequest, answer: object) -> None:
        if isinstance(answer, Decision):
            self.standing[self.key(request)] = answer


class RemembersFailures(Memory):
    """A policy that takes anything that reads like a yes."""

    def learn(self, request: PermissionRequest, answer: object) -> None:
        if answer == "allow_always":
            self.standing[self.key(request)] = Decision(Choice.ALLOW_ONCE)
        super().learn(request, answer)


class NeverForgets(Memory):
    """A policy that forwards a reset and keeps its own."""

    def reset(self) -> None:
        if isinstance(self.inner, Resettable):
            self.inner.reset()


class KeepsResetToItself(Memory):
    """A policy that forgets, and tells nobody."""

    def reset(self) -> None:
        self.standing.clear()


class Shares(Memory):
    """One memory for all sessions of a process."""

    everybodys: dict[str, Decision]

    def new_memory(self) -> dict[str, Decision]:
        return type(self).everybodys


class BeatsDenials(Memory):
    """A policy that looks into its memory first, and last."""

    def known(self, request: PermissionRequest) -> Decision | None:
        return self.standing.get(self.key(request))


class SwallowsDenials(Memory):
    """A policy that knows of no denials."""

    def denial(self, request: PermissionRequest) -> Decision | None:
        return None


class DropsFeedback(Memory):
    """A policy that forgets why a call was refused."""

    def learn(self, request: PermissionRequest, answer: object) -> None:
        if isinstance(answer, Decision):
            super().learn(request, Decision(answer.choice))


class HidesAsync(Memory):
    """A policy whose `decide` is a plain function, whatever is inside."""

    @property
    def decide(self) -> Decide:
        def decide(request: PermissionRequest) -> Decision | Awaitable[Decision]:
            return self._decide(request)

        return decide


@pytest.fixture
def nobody_shares() -> Iterator[None]:
    Shares.everybodys = {}
    yield
    Shares.everybodys = {}


def test_a_right_memory_passes() -> None:
    policies.check_memory(Memory)


@pytest.mark.usefixtures("nobody_shares")
@pytest.mark.parametrize(
    ("wrap", "words"),
    [
        (GrantsTheTool, "reached another scope"),
        (GrantsToWords, "was asked for again"),
        (RemembersOnce, "became"),
        (RemembersFailures, "was taken for a yes"),
        (NeverForgets, "outlived a reset"),
        (KeepsResetToItself, "did not reach"),
        (Shares, "another session"),
        (BeatsDenials, "beat a denial"),
        (SwallowsDenials, "does not come out"),
        (DropsFeedback, "was forgotten"),
        (HidesAsync, "hides"),
    ],
)
def test_a_policy_that_breaks_a_law_is_found(wrap: policies.Wrap, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        policies.check_memory(wrap)


class TakesAFailureForAYes:
    """A policy with two faults: the dangerous one is not to be hidden by the other, that it has no `denial`."""

    def __init__(self, inner: Permission) -> None:
        self.inner = inner

    def decide(self, request: PermissionRequest) -> Decision:
        try:
            answer = self.inner.decide(request)
        except KeyError:
            return Decision(Choice.ALLOW_ONCE)
        return cast("Decision", answer)

    def reset(self) -> None:
        if isinstance(self.inner, Resettable):
            self.inner.reset()


def test_all_laws_that_a_layer_breaks_are_told_the_one_that_allows_first() -> None:
    with pytest.raises(AssertionError) as caught:
        policies.check_layer(TakesAFailureForAYes)
    told = str(caught.value)
    parts = [
        "3 broken, the most dangerous first\n",
        "makes_no_grant_of_a_failure: Require that what is no answer, raised or returned, neither allows nor is remembered.\n",
        "KeyError('x') was taken for a yes\n",
        "passes_on_denials: Require that a denial of the inner policy can be seen from outside",
        "no denial(request), although the inner policy has one\n",
        "is_async_when_the_inner_one_is: Require",
    ]
    places = [told.index(part) for part in parts]
    assert places == sorted(places)


class FailsAndDenies(BeatsDenials, KeepsResetToItself, DropsFeedback):
    """A memory with three faults, each of another law."""


def test_all_laws_that_a_memory_breaks_are_told() -> None:
    with pytest.raises(AssertionError, match=r"(?s)beat a denial.*was forgotten.*did not reach"):
        policies.check_memory(FailsAndDenies)
