"""One request over one connection: what goes out, byte for byte, and answers as they come in, however they are cut."""

from __future__ import annotations

import contextlib
import itertools
import socket
import threading

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mmtools.adapters.web.answers import Answer, answer_to
from mmtools.adapters.web.watch import Watch
from mmtools.call import Cancellation
from mmtools.core.web.urls import Url, parse
from mmtools.ports.web import BadAnswer, BodyEnd
from tests.adapters.web.servers import reply
from tests.hypothesis_profiles import scaled


def answered(
    pieces: list[bytes], *, url: str = "http://example.test/a?b", max_bytes: int = 1_000
) -> tuple[Answer, bytes]:
    """The answer that comes in these pieces, and the request that went out for it."""
    here, there = socket.socketpair()
    target = parse(url)
    assert isinstance(target, Url)
    asked: list[bytes] = []

    def serve() -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            head += there.recv(10_000) or b"\r\n\r\n"
        asked.append(head)
        # Who has read enough hangs up.
        with contextlib.suppress(OSError):
            for piece in pieces:
                there.sendall(piece)
            there.shutdown(socket.SHUT_WR)

    thread = threading.Thread(target=serve)
    with here, there, Watch(limit_s=30, cancellation=Cancellation()) as watch:
        thread.start()
        try:
            return answer_to(target, here, watch, user_agent="tests", max_bytes=max_bytes), asked[0]
        finally:
            thread.join()


def test_the_request_byte_for_byte() -> None:
    _, head = answered([reply(b"x")], url="http://example.test:8080/a%20b?c=%5C")
    lines = head.decode().split("\r\n")
    assert lines[0] == "GET /a%20b?c=%5C HTTP/1.1"
    assert lines[1:-2] == [
        "Host: example.test:8080",
        "User-Agent: tests",
        "Accept: text/markdown, text/html;q=0.9, text/plain;q=0.9, application/json;q=0.9, */*;q=0.5",
        "Accept-Encoding: gzip, deflate",
        "Connection: close",
    ]


@scaled(40)
@example(b"x" * 60, list(range(100, 200)), 1)
@given(st.binary(max_size=60), st.lists(st.integers(0, 200), max_size=6), st.integers(1, 50))
def test_where_an_answer_is_cut_on_its_way_changes_nothing(body: bytes, cuts: list[int], max_bytes: int) -> None:
    whole = reply(body, kind="text/x")
    places = sorted({min(cut, len(whole)) for cut in cuts} | {0, len(whole)})
    answer, _ = answered([whole[start:end] for start, end in itertools.pairwise(places)], max_bytes=max_bytes)
    assert answer.body == body[:max_bytes]
    assert answer.end is (BodyEnd.WHOLE if len(body) <= max_bytes else BodyEnd.CAPPED)
    assert (answer.status, answer.content_type, answer.declared_bytes) == (200, "text/x", len(body))


@pytest.mark.parametrize(
    ("location", "expected"),
    [("/x", "/x"), (" /x ", "/x"), ("/é", "/é"), ("", None)],
)
def test_where_a_redirect_leads(location: str, expected: str | None) -> None:
    assert answered([reply(b"gone", status="301 Moved", more={"Location": location})])[0].location == expected


def test_a_redirect_in_another_alphabet_than_utf8_is_kept_as_it_came() -> None:
    answer, _ = answered([b"HTTP/1.1 302 Found\r\nLocation: /\xe9\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"])
    assert answer.location == "/é"


@pytest.mark.parametrize("length", ["-1", "1e3", "0x10", "٣", "9" * 30])
def test_a_length_that_is_none_is_not_believed(length: str) -> None:
    whole = f"HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\nbody".encode()
    assert answered([whole])[0].declared_bytes is None


def test_what_an_answer_is_not() -> None:
    for whole in (b"", b"SSH-2.0-x\r\n", b"HTTP/1.1 x\r\n\r\n"):
        with pytest.raises(BadAnswer) as bad:
            answered([whole])
        assert bad.value.reason


def test_a_transfer_that_was_not_asked_for_is_refused() -> None:
    whole = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
    with pytest.raises(BadAnswer, match="not asked for"):
        answered([whole])


def test_old_and_careless_servers_are_understood() -> None:
    for whole in (
        b"HTTP/1.0 200 OK\r\n\r\nbody",
        b"HTTP/1.1 200 OK\nContent-Length: 4\n\nbody",
        b"HTTP/1.1 200\r\nContent-Length: 4\r\n\r\nbody and what else there is",
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody",
        b"HTTP/1.1 200 OK\r\nno colon here\r\n\r\nbody",
    ):
        answer, _ = answered([whole])
        assert (answer.status, answer.body, answer.end) == (200, b"body", BodyEnd.WHOLE)
