"""Recorded calls: all read before any runs, and a bad line is named."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools import recording
from mmtools.call import ToolCall

json_objects = st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text(), max_size=4)


@given(st.lists(st.tuples(st.text(), json_objects), max_size=5))
def test_what_was_written_is_read_back(sent: list[tuple[str, dict[str, object]]]) -> None:
    lines = [json.dumps({"tool": name, "arguments": arguments}) for name, arguments in sent]
    assert recording.parse(lines) == [ToolCall(name, arguments) for name, arguments in sent]


def test_blank_lines_and_comments_are_passed_over() -> None:
    assert recording.parse(["", "  # a comment", '{"tool": "bash", "id": "t1"}']) == [ToolCall("bash", None, "t1")]


@pytest.mark.parametrize("line", ["{", "[]", "1", '{"arguments": {}}', '{"tool": 3}', "[" * 100_000])
def test_a_line_that_is_no_call_is_refused_by_its_number(line: str) -> None:
    with pytest.raises(recording.RecordingRefused, match=r"^line 2 "):
        recording.parse(["", line])


@given(st.text())
def test_any_text_is_calls_or_a_refusal(text: str) -> None:
    with suppress(recording.RecordingRefused):
        assert all(isinstance(call, ToolCall) for call in recording.parse(text.split("\n")))
