"""The loop detector: what is the same call, and the exact counts."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from types import MappingProxyType

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.loop import Fresh, LoopDetector, Stop, Verdict, Warn

MARKER = (
    "[LOOP_DETECTED: You have attempted the same action multiple times with the same result. "
    "Please try a different approach or provide more information.]"
)


def error(tool: str, count: int) -> str:
    return (
        f"[error: the model repeated the same {tool} call {count} times in a row with the same failing result"
        " — turn stopped by the loop detector; rephrase the request, or fix what the tool kept reporting]"
    )


def verdict(tool: str, count: int) -> Verdict:
    """Say what the mm reference wants at a count."""
    if count >= 6:
        return Stop(count, error(tool, count))
    return Warn(count, MARKER) if count >= 3 else Fresh(count)


def same(first: object, second: object) -> bool:
    """Ask a detector whether two arguments make the same call."""
    detector = LoopDetector()
    detector.record("t", first, "out")
    return detector.record("t", second, "out").count == 2


def test_the_third_is_marked_the_sixth_stops_and_so_does_the_seventh() -> None:
    detector = LoopDetector()
    verdicts = [detector.record("edit_file", {"path": "a"}, "not found") for _ in range(7)]
    assert verdicts == [verdict("edit_file", count) for count in range(1, 8)]
    assert [type(one) for one in verdicts] == [Fresh, Fresh, Warn, Warn, Warn, Stop, Stop]


calls = st.tuples(
    st.sampled_from(["bash", "read_file"]), st.sampled_from([None, {"a": 1}]), st.sampled_from(["x", "x "])
)


@given(st.lists(calls | st.none(), max_size=60))
def test_only_an_unbroken_row_of_one_triple_counts(history: list[tuple[str, object, str] | None]) -> None:
    """None stands for a reset."""
    detector = LoopDetector()
    for position, call in enumerate(history):
        if call is None:
            detector.reset()
            continue
        row = 1
        while position - row >= 0 and history[position - row] == call:
            row += 1
        assert detector.record(*call) == verdict(call[0], row)


def test_the_name_of_a_tool_that_there_cannot_be_leaves_a_text_that_can_be_sent() -> None:
    verdict = [LoopDetector(stop_after=1).record(name, None, "x") for name in ("a\udc00b", "é")]
    assert [one.error for one in verdict if isinstance(one, Stop)] == [error("a?b", 1), error("é", 1)]


def test_polling_with_changing_output_is_progress() -> None:
    detector = LoopDetector()
    for percent in range(10, 90, 10):
        assert detector.record("task_output", {"id": 1}, f"{percent}%") == Fresh(1)
    assert [detector.record("task_output", {"id": 1}, "done") for _ in range(6)] == [
        verdict("task_output", count) for count in range(1, 7)
    ]


def test_alternating_calls_start_again_each_time() -> None:
    detector = LoopDetector()
    for _ in range(6):
        assert detector.record("read_file", {"path": "f"}, "text") == Fresh(1)
        assert detector.record("bash", {"command": "ls"}, "text") == Fresh(1)
    counts = [detector.record("read_file", {"path": "f"}, "text").count for _ in range(3)]
    assert counts == [1, 2, 3]


def test_a_reset_forgets() -> None:
    detector = LoopDetector()
    for _ in range(2):
        detector.record("t", None, "x")
    detector.reset()
    assert [detector.record("t", None, "x") for _ in range(2)] == [Fresh(1), Fresh(2)]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
json_objects = st.dictionaries(st.text(), json_values, max_size=5)


def shuffled(value: object) -> object:
    """Turn the order of keys around, at every depth."""
    if isinstance(value, dict):
        return {key: shuffled(inner) for key, inner in reversed(value.items())}
    return [shuffled(inner) for inner in value] if isinstance(value, list) else value


@given(json_objects)
def test_spaces_and_the_order_of_keys_do_not_count(arguments: dict[str, object]) -> None:
    turned = shuffled(arguments)
    assert same(arguments, turned)
    assert same(json.dumps(arguments), json.dumps(turned, indent=3))
    assert same(json.dumps(arguments, ensure_ascii=False), turned)


@given(json_values, json_values)
def test_two_arguments_are_the_same_exactly_when_their_json_is(first: object, second: object) -> None:
    expected = json.dumps(first, sort_keys=True) == json.dumps(second, sort_keys=True)
    if first is not None and second is not None and not isinstance(first, str) and not isinstance(second, str):
        assert same(first, second) == expected
    assert same({"x": first}, {"x": second}) == expected
    assert same(json.dumps({"x": first}), {"x": second}) == expected


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"n": 1}, {"n": True}),
        ({"n": 0}, {"n": False}),
        ({"n": 1}, {"n": 1.0}),
        ({"n": 1}, {"n": "1"}),
        ({"n": None}, {}),
        ({"n": None}, {"n": "null"}),
        ({"n": []}, {"n": {}}),
        ({"n": [[], []]}, {"n": [[[]]]}),
        ({"a": "b", "c": "d"}, {"a": ["b", "c", "d"]}),
        ({"path": "a"}, {"path": "a "}),
        ({"path": "é"}, {"path": "e\u0301"}),
        ({"edits": '[{"old": "a"}]'}, {"edits": [{"old": "a"}]}),
        ('{"path": ', '{"path":'),
        ("not json", '"not json"'),
        (b"{}", "{}"),
    ],
)
def test_calls_that_differ(first: object, second: object) -> None:
    assert not same(first, second)


@frozen
class Args:
    path: str
    edits: tuple[Mapping[str, str], ...] = ()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (None, ""),
        (None, {}),
        ("", "{ }"),
        (None, "null"),
        ("{bad", "{bad"),
        ("[" * 100_000, "[" * 100_000),
        ("9" * 10_000, "9" * 10_000),
        ({"n": math.nan}, {"n": float("nan")}),
        ({"n": {1, 2}}, {"n": {2, 1}}),
        (MappingProxyType({"a": 1}), {"a": 1}),
        ({"a": (1, 2)}, {"a": [1, 2]}),
        (Args("f"), Args("f")),
        (Args("f", ({"old": "a"},)), {"edits": [{"old": "a"}], "path": "f"}),
        ({"a": b"x"}, {"a": b"x"}),
        ({"a": "\udc00"}, '{"a": "\\udc00"}'),
    ],
)
def test_calls_that_are_the_same(first: object, second: object) -> None:
    assert same(first, second)
    assert same(second, first)


def test_what_the_host_does_to_its_arguments_afterwards_does_not_count() -> None:
    detector = LoopDetector()
    arguments = {"edits": [{"old": "a", "new": "b"}]}
    detector.record("edit_file", arguments, "x")
    arguments["edits"][0]["new"] = "c"
    assert detector.record("edit_file", arguments, "x") == Fresh(1)
    arguments["edits"].append({"old": "d", "new": "e"})
    assert detector.record("edit_file", arguments, "x") == Fresh(1)
    assert detector.record("edit_file", arguments, "x") == Fresh(2)


def test_an_object_that_may_change_unseen_is_never_the_same() -> None:
    class Opaque:
        pass

    opaque = Opaque()
    assert not same({"a": opaque}, {"a": opaque})
    assert not same(bytearray(b"x"), bytearray(b"x"))


@pytest.mark.slow
def test_values_that_hold_themselves_or_are_very_deep_are_compared_too() -> None:
    def knot(inner: object) -> dict[str, object]:
        value: dict[str, object] = {"inner": inner}
        value["self"] = value
        return value

    def deep(bottom: object) -> object:
        for _ in range(50_000):
            bottom = [bottom]
        return bottom

    assert same(knot(1), knot(1))
    assert not same(knot(1), knot(2))
    assert same(deep(1), deep(1))
    assert not same(deep(1), deep(2))


def test_output_may_be_more_than_text() -> None:
    detector = LoopDetector()
    for count in (1, 2):
        assert detector.record("t", None, [{"type": "text", "text": "x"}]).count == count
    assert detector.record("t", None, '[{"type": "text", "text": "x"}]').count == 1


def test_large_arguments_are_shared_not_copied() -> None:
    """A megabyte of content, compared by reference or at the speed of memory: many calls cost little."""
    content = "x" * 1_000_000
    detector = LoopDetector(stop_after=10_000)
    for count in range(1, 2_001):
        assert detector.record("write_file", {"path": "a", "content": content}, "ok").count == count


@pytest.mark.parametrize(("warn_after", "stop_after"), [(1, 1), (2, 4), (5, 2), (10, 12)])
def test_the_thresholds_are_the_hosts(warn_after: int, stop_after: int) -> None:
    detector = LoopDetector(warn_after=warn_after, stop_after=stop_after)
    for count in range(1, 15):
        expected = Stop if count >= stop_after else Warn if count >= warn_after else Fresh
        assert type(detector.record("t", "{}", "")) is expected


@pytest.mark.parametrize("thresholds", [(0, 6), (3, 0), (-1, 6)])
def test_thresholds_below_one_are_refused(thresholds: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="from 1 on"):
        LoopDetector(*thresholds)
