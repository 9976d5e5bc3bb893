"""Messages on the wire."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.lsp.frames import BrokenFrames, FrameReader, frame

JSON = st.none() | st.integers() | st.text() | st.lists(st.text(max_size=3), max_size=2)
MESSAGES = st.lists(st.dictionaries(st.text(min_size=1), JSON, max_size=2), max_size=4)
HEADERS = st.sampled_from(
    [
        "Content-Length: {}\r\n\r\n",
        "content-LENGTH:{}\r\n\r\n",
        "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: {}\r\n\r\n",
        "Content-Length: {}\r\nContent-Type: x\r\n\r\n",
        "Content-Length : {} \n\n",
        "Listening on stdio\nContent-Length: {}\r\n\r\n",
        "no line break before itContent-Length: {}\r\n\r\n",
        "a block of words\n\nContent-Length: {}\r\n\r\n",
    ]
)


def read(reader: FrameReader, data: bytes, cuts: list[int]) -> list[dict[str, Any]]:
    """Feed data in pieces that end at the cuts."""
    ends = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [message for start, end in pairwise(ends) for message in reader.feed(data[start:end])]


@given(MESSAGES, st.lists(st.integers(0, 10_000)), st.data())
def test_messages_come_out_as_they_went_in_however_they_are_cut(
    messages: list[dict[str, Any]], cuts: list[int], data: st.DataObject
) -> None:
    bodies = [json.dumps(message, ensure_ascii=data.draw(st.booleans())).encode("utf-8") for message in messages]
    stream = b"".join(data.draw(HEADERS).format(len(body)).encode() + body for body in bodies)
    assert read(FrameReader(), stream, cuts) == messages


@given(MESSAGES, st.lists(st.integers(0, 10_000)))
def test_what_is_sent_can_be_read(messages: list[dict[str, Any]], cuts: list[int]) -> None:
    expected = [{"jsonrpc": "2.0", **message} for message in messages]
    assert read(FrameReader(), b"".join(map(frame, messages)), cuts) == expected


@given(st.text())
def test_the_length_is_in_bytes_and_right_for_any_text(text: str) -> None:
    header, _, body = frame({"x": text + "\ud800"}).partition(b"\r\n\r\n")
    assert header == b"Content-Length: %d" % len(body)
    assert json.loads(body)["x"] == text + "\ud800"


@pytest.mark.parametrize(
    "body", [b"", b"{", b"null", b"[1]", b"3", b'"x"', b"\xff\xfe", b"[" * 100_000, b"9" * 5000, b'{"a":1}}']
)
def test_a_body_that_is_no_object_is_passed_over(body: bytes) -> None:
    stream = b"Content-Length: %d\r\n\r\n%b" % (len(body), body) + frame({"id": 1})
    assert list(FrameReader().feed(stream)) == [{"jsonrpc": "2.0", "id": 1}]


def test_bytes_that_are_not_utf_8_cost_only_themselves() -> None:
    body = b'{"message":"caf\xe9"}'
    assert list(FrameReader().feed(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))) == [{"message": "caf\ufffd"}]


@pytest.mark.parametrize("stream", [b"words without end " * 5000, b"Content-Length: 300000000\r\n\r\n"])
def test_a_stream_that_cannot_be_messages_is_given_up(stream: bytes) -> None:
    reader = FrameReader()
    with pytest.raises(BrokenFrames):
        list(reader.feed(stream))


@pytest.mark.slow
def test_a_large_message_in_small_pieces_takes_a_time_in_proportion() -> None:
    stream = frame({"x": "y" * 30_000_000})
    reader = FrameReader()
    pieces = [stream[start : start + 65_536] for start in range(0, len(stream), 65_536)]
    assert sum(1 for piece in pieces for _ in reader.feed(piece)) == 1
