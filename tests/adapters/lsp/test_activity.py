"""What a server is busy with."""

from __future__ import annotations

from typing import Any

import pytest

from mmtools.adapters.lsp.activity import Activity
from mmtools.testing.clock import FixedClock


def progress(token: object, kind: object) -> dict[str, Any]:
    return {"token": token, "value": {"kind": kind}}


def test_a_server_is_busy_from_the_first_begin_to_the_last_end() -> None:
    activity = Activity(60)
    assert not activity.is_busy()
    assert not activity.has_come_to_rest
    activity.take_progress(progress(1, "begin"))
    activity.take_progress(progress("1", "begin"))
    activity.take_progress(progress(1, "report"))
    activity.take_progress(progress(1, "end"))
    assert activity.is_busy()
    assert not activity.has_come_to_rest
    activity.take_progress(progress("1", "end"))
    assert not activity.is_busy()
    assert activity.has_come_to_rest


def test_what_begins_later_may_be_left_out() -> None:
    activity = Activity(60)
    activity.take_progress(progress(1, "begin"))
    begun = activity.begun
    activity.take_progress(progress(2, "begin"))
    assert activity.is_busy(begun)
    activity.take_progress(progress(1, "end"))
    assert not activity.is_busy(begun)
    assert activity.is_busy()


def test_a_progress_without_news_is_taken_for_forgotten() -> None:
    clock = FixedClock()
    activity = Activity(2, clock)
    activity.take_progress(progress(1, "begin"))
    clock.advance(1.2)
    activity.take_progress(progress(1, "report"))
    clock.advance(1.2)
    assert activity.is_busy()
    clock.advance(1.2)
    assert not activity.is_busy()
    activity.take_progress(progress(2, "begin"))
    activity.take_progress(progress(2, "end"))
    assert not activity.is_busy()


def test_only_the_status_counts_where_there_is_one() -> None:
    activity = Activity(60)
    activity.take_progress(progress(1, "begin"))
    activity.take_status({"health": "ok", "quiescent": True})
    assert not activity.is_busy()
    assert activity.has_come_to_rest
    activity.take_status({"quiescent": False})
    activity.take_progress(progress(1, "end"))
    assert activity.is_busy()
    assert activity.is_busy(0)


@pytest.mark.parametrize(
    "params",
    [None, [], 3, {}, {"token": 1}, {"token": None, "value": {"kind": "begin"}}, progress([], "begin"), progress(1, {}),
     progress(1, "end"), progress(1, "report"), {"token": 1, "value": "begin"}],
)  # fmt: skip
def test_what_makes_no_sense_is_passed_over(params: object) -> None:
    activity = Activity(60)
    activity.take_progress(params)
    activity.take_status(params)
    activity.take_status({"quiescent": "no"})
    assert not activity.is_busy()
    assert not activity.has_come_to_rest
