"""The ids that an editor is given, and how calls are found again."""

from __future__ import annotations

import threading

from hypothesis import given
from hypothesis import strategies as st

from mmtools.call import Headline, ToolKind
from mmtools.hosting.acp.shown_calls import ShownCalls
from mmtools.ports.display import StartedCall


def call(call_id: str) -> StartedCall:
    return StartedCall(call_id=call_id, tool="t", kind=ToolKind.OTHER, family="", headline=Headline(text="x"))


IDS = st.sampled_from(["a", "b", "a#2", "a#2#2", "", "ä b", "\udc00", "\udc01", "?"])


@given(st.lists(st.lists(IDS, max_size=6), max_size=3))
def test_no_id_is_given_twice_however_models_reuse_theirs(turns: list[list[str]]) -> None:
    calls = ShownCalls()
    given = []
    for ids in turns:
        calls.new_turn()
        given += [calls.add(call(each)).tool_call_id for each in ids]
    assert len(set(given)) == len(given)
    assert all(each.encode() for each in given)


@given(st.lists(IDS, min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_each_call_ends_as_itself_in_any_order(ids: list[str], random: object) -> None:
    calls = ShownCalls()
    shown = [calls.add(call(each)) for each in ids]
    ending = list(shown)
    random.shuffle(ending)  # type: ignore[attr-defined]
    for each in ending:
        assert calls.end(each.call) is each
        assert each.ended
    assert calls.served() is None
    assert all(calls.find(each) is None for each in ids)
    assert calls.end(shown[0].call) is None


def test_a_thread_finds_the_call_that_it_serves_among_those_with_the_same_id() -> None:
    calls = ShownCalls()
    barrier = threading.Barrier(2)
    right: list[bool] = []

    def serve() -> None:
        mine = calls.add(call("same"))
        barrier.wait(20)
        right.append(calls.find("same") is mine and calls.served() is mine)
        barrier.wait(20)

    threads = [threading.Thread(target=serve) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert right == [True, True]
    assert calls.served() is None


def test_a_call_of_another_thread_is_found_by_its_id() -> None:
    calls = ShownCalls()
    thread = threading.Thread(target=lambda: calls.add(call("there")))
    thread.start()
    thread.join()
    found = calls.find("there")
    assert found is not None
    assert found.call.call_id == "there"
