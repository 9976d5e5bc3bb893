"""Questions, and the threads that wait for their answers."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from mmtools.adapters.lsp.pending_requests import Cancelled, Failure, Lost, PendingRequests, Result, TimedOut
from mmtools.call import Cancellation
from tests.patience import AGES_S, PATIENCE_S, at_once, soon

NEVER = Cancellation()


def questions() -> tuple[PendingRequests, list[dict[str, Any]]]:
    sent: list[dict[str, Any]] = []
    return PendingRequests(sent.append), sent


def test_each_question_has_a_number_of_its_own() -> None:
    asked, sent = questions()
    numbers = [asked.send("m", {"a": 1}), asked.send("n")]
    assert sent == [{"id": numbers[0], "method": "m", "params": {"a": 1}}, {"id": numbers[1], "method": "n"}]
    assert len(set(numbers)) == 2


@pytest.mark.parametrize("content", [None, False, 0, [], {}, "x"])
def test_an_answer_reaches_who_asked_it(content: object) -> None:
    asked, _ = questions()
    first, second = asked.send("m"), asked.send("m")
    asked.take({"id": second, "result": content})
    asked.take({"id": first, "result": "first"})
    assert asked.wait(first, 1, NEVER) == Result("first")
    assert asked.wait(second, 1, NEVER) == Result(content)


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        ({"code": -32603, "message": "a\nb"}, Failure(-32603, "a b")),
        ({"code": "x", "message": 3}, Failure(0, "an error without words")),
        ({}, Failure(0, "an error without words")),
        ("text", Failure(0, "an error without words")),
        (False, Failure(0, "an error without words")),
    ],
)
def test_an_error_of_any_shape_is_one(error: object, failure: Failure) -> None:
    asked, _ = questions()
    number = asked.send("m")
    asked.take({"id": number, "error": error})
    assert asked.wait(number, 1, NEVER) == failure


@pytest.mark.parametrize("id_", [None, "1", 99, 1.5, [], {}, True])
def test_an_answer_to_nobody_is_dropped(id_: object) -> None:
    asked, _ = questions()
    number = asked.send("m")
    asked.take({"id": id_, "result": "stray"})
    asked.take({"result": "stray"})
    assert asked.wait(number, 0, NEVER) == TimedOut()


def test_who_stops_waiting_says_so_once() -> None:
    asked, sent = questions()
    number = asked.send("m")
    assert asked.wait(number, 0.01, NEVER) == TimedOut()
    asked.take({"id": number, "result": "late"})
    assert sent[1:] == [{"method": "$/cancelRequest", "params": {"id": number}}]


def test_a_cancelled_call_stops_waiting() -> None:
    asked, sent = questions()
    number, cancellation = asked.send("m"), Cancellation()
    threading.Timer(0.05, cancellation.request).start()
    assert asked.wait(number, 60, cancellation) == Cancelled()
    assert sent[-1]["method"] == "$/cancelRequest"
    assert asked.wait(asked.send("m"), 60, cancellation) == Cancelled()


def test_nobody_waits_for_a_server_that_is_lost() -> None:
    asked, sent = questions()
    before = asked.send("m")
    threading.Timer(0.05, asked.lose_all).start()
    with at_once():
        assert asked.wait(before, AGES_S, NEVER) == Lost()
        assert asked.wait(asked.send("m"), AGES_S, NEVER) == Lost()
    assert all(message["method"] == "m" for message in sent)


def test_many_threads_get_what_each_asked_for() -> None:
    asked, sent = questions()
    got: dict[int, object] = {}

    def ask() -> None:
        number = asked.send("m")
        got[number] = asked.wait(number, PATIENCE_S, NEVER)

    threads = [threading.Thread(target=ask) for _ in range(50)]
    for thread in threads:
        thread.start()
    soon(lambda: len(sent) >= 50)
    for message in reversed(sent[:50]):
        asked.take({"id": message["id"], "result": message["id"]})
    for thread in threads:
        thread.join()
    assert got == {number: Result(number) for number in got}
    assert len(got) == 50
