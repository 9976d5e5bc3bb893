"""What a call may touch, told from its kind and its headline, and which calls could disturb one another."""

from __future__ import annotations

import pytest

from mmtools.call import Headline, Location, Reach, ToolKind
from mmtools.running.access import Access, Effect, access, disturb

HERE = Headline(text="a", locations=(Location("/w/a"), Location("/w/b")))
NOWHERE = Headline(text="a")

ANY_READ, READ_A, SEARCH = (Access(effect=Effect.READS, paths=paths) for paths in (None, ("/w/a",), ("/w",)))
ANY_CHANGE, EDIT_A, EDIT_B, MOVE = (
    Access(effect=Effect.CHANGES, paths=paths) for paths in (None, ("/w/a",), ("/w/b",), ("/w",))
)
RUN, THINK, ALONE = (Access(effect=effect) for effect in (Effect.RUNS, Effect.NONE, Effect.STANDS_ALONE))


@pytest.mark.parametrize(
    ("kinds", "effect"),
    [
        ([ToolKind.EDIT, ToolKind.DELETE, ToolKind.MOVE], Effect.CHANGES),
        ([ToolKind.READ, ToolKind.SEARCH], Effect.READS),
    ],
)
def test_reads_and_changes_touch_the_files_of_their_headline(kinds: list[ToolKind], effect: Effect) -> None:
    for kind in kinds:
        assert access(kind, HERE) == Access(effect=effect, paths=("/w/a", "/w/b"))
        assert access(kind, NOWHERE) == Access(effect=effect)


@pytest.mark.parametrize(
    ("kinds", "effect"),
    [
        ([ToolKind.EXECUTE, ToolKind.OTHER, ToolKind.SWITCH_MODE], Effect.RUNS),
        ([ToolKind.FETCH, ToolKind.THINK], Effect.NONE),
    ],
)
def test_what_has_to_do_with_no_files_in_particular_touches_those_of_no_headline(
    kinds: list[ToolKind], effect: Effect
) -> None:
    for kind in kinds:
        assert access(kind, HERE) == access(kind, NOWHERE) == Access(effect=effect)


def test_every_kind_has_its_effect() -> None:
    assert all(access(kind, NOWHERE) is not None for kind in ToolKind)


@pytest.mark.parametrize("kind", ToolKind)
def test_a_headline_may_say_more(kind: ToolKind) -> None:
    anywhere = access(kind, Headline(text="a", locations=HERE.locations, reach=Reach.ANYWHERE))
    assert anywhere == access(kind, NOWHERE)
    assert access(kind, Headline(text="a", locations=HERE.locations, reach=Reach.NOWHERE)) is None
    assert access(kind, HERE, exclusive=True) == ALONE


@pytest.mark.parametrize(
    ("one", "others"),
    [
        (RUN, [ANY_CHANGE, EDIT_A, EDIT_B, MOVE, ALONE]),
        (EDIT_A, [EDIT_A, ANY_CHANGE, MOVE, RUN, READ_A, ALONE]),
        (MOVE, [EDIT_A, EDIT_B, ANY_CHANGE, MOVE, RUN, READ_A, SEARCH, ALONE]),
        (ANY_CHANGE, [EDIT_A, EDIT_B, ANY_CHANGE, MOVE, RUN, READ_A, SEARCH, ALONE]),
        (READ_A, [EDIT_A, ANY_CHANGE, MOVE, ALONE]),
        (SEARCH, [ANY_CHANGE, MOVE, ALONE]),
        (ANY_READ, [ALONE]),
        (THINK, [ALONE]),
    ],
)
def test_whom_a_call_could_disturb(one: Access, others: list[Access]) -> None:
    assert disturbed(one, together=False) == others_in_order(others)


def test_of_one_response_whatever_changes_something_is_alone() -> None:
    quiet = [ANY_READ, READ_A, SEARCH, THINK]
    for one in ALL:
        expected = [ALONE, *([] if one in quiet else quiet), *(each for each in ALL if each not in quiet)]
        assert disturbed(one, together=True) == others_in_order(expected)


ALL = [ANY_READ, READ_A, SEARCH, ANY_CHANGE, EDIT_A, EDIT_B, MOVE, RUN, THINK, ALONE]


def others_in_order(others: list[Access]) -> list[Access]:
    return [each for each in ALL if each in others]


def disturbed(one: Access, *, together: bool) -> list[Access]:
    """Who; the same from either side."""
    found = [each for each in ALL if disturb(one, each, together=together)]
    assert found == [each for each in ALL if disturb(each, one, together=together)]
    return found
