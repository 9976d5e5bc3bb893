"""Lines into messages: whatever stands between them, however the stream is cut."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.mcp.child import LineReader, line
from mmtools.adapters.process.piped_server import BrokenStream

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
messages = st.fixed_dictionaries({"jsonrpc": st.just("2.0"), "id": st.integers(), "result": values})
noise = st.one_of(
    st.binary(max_size=20)
    .map(lambda data: data.replace(b"\n", b"") + b"\n")
    .filter(lambda data: b"jsonrpc" not in data),
    st.sampled_from(
        [
            b"\n",
            b"\r\n",
            b"starting\xe2\x80\xa6\n",
            b"\xff\xfe\n",
            b'{"level": "info"}\n',
            b"[1, 2]\n",
            b"{\n",
            b"null\n",
        ]
    ),
)


@given(st.lists(st.one_of(messages, noise), max_size=8), st.lists(st.integers(1, 40), max_size=10))
def test_every_message_arrives_once_and_in_order_wherever_the_stream_is_cut(
    sent: list[dict[str, Any] | bytes], cuts: list[int]
) -> None:
    stream = b"".join(each if isinstance(each, bytes) else line(each) for each in sent)
    reader, at = LineReader(), 0
    got: list[dict[str, Any]] = []
    for cut in [*cuts, len(stream) + 1]:
        got += reader.feed(stream[at : at + cut])
        at += cut
    assert got == [each for each in sent if isinstance(each, dict)]


@given(values)
def test_a_message_is_one_line_of_ascii(value: Any) -> None:
    data = line({"a": value})
    assert data.isascii()
    assert data.endswith(b"\n")
    assert data.count(b"\n") == 1
    assert json.loads(data) == {"a": value}


def test_a_last_line_without_an_end_counts_at_the_end_of_the_stream() -> None:
    reader = LineReader()
    assert list(reader.feed(b'{"id": 1, "result": {}}')) == []
    assert list(reader.rest()) == [{"id": 1, "result": {}}]
    assert list(reader.rest()) == []


@pytest.mark.parametrize("data", [b'\xef\xbb\xbf{"id": 1, "result": {}}\n', b'\x00 {"id": 1, "result": {}}\r\n'])
def test_what_surrounds_a_message_is_passed_over(data: bytes) -> None:
    assert list(LineReader().feed(data)) == [{"id": 1, "result": {}}]


def test_bytes_that_are_no_utf8_inside_of_a_message_cost_only_themselves() -> None:
    [message] = LineReader().feed(b'{"id": 1, "result": {"text": "caf\xe9"}}\n')
    assert message["result"] == {"text": "caf\ufffd"}


def test_a_batch_is_taken_apart() -> None:
    assert [each["id"] for each in LineReader().feed(b'[{"id": 1, "result": {}}, {"id": 2, "error": {}}]\n')] == [1, 2]


def test_the_last_noise_is_kept_in_short() -> None:
    reader = LineReader()
    assert list(reader.feed(b"usage: server\n" + b"x" * 1000 + b"\n")) == []
    assert reader.noise == "x" * 300


def test_nesting_beyond_reason_is_noise() -> None:
    assert list(LineReader().feed(b"[" * 100_000 + b"\n")) == []


def test_a_line_without_an_end_is_given_up() -> None:
    with pytest.raises(BrokenStream, match="a line of more than 1000 bytes"):
        list(LineReader(max_line_bytes=1000).feed(b"x" * 1001))
