"""Connections: each address gets its share of the time, and none is left open."""

from __future__ import annotations

import socket
from ipaddress import ip_address

import pytest

from mmtools.adapters.web.connections import connected
from mmtools.adapters.web.watch import Watch
from mmtools.call import Cancellation
from mmtools.ports.web import FetchCancelled, NotConnected, TooSlow
from tests.adapters.web.servers import Server, silent_port

HERE = ip_address("127.0.0.1")


def opened(port: int, addresses: tuple[str, ...] = ("127.0.0.1",), *, limit_s: float = 15.0) -> socket.socket:
    with Watch(limit_s=60, cancellation=Cancellation()) as watch:
        return connected(
            [ip_address(address) for address in addresses], port, watch, connect=socket.socket.connect, limit_s=limit_s
        )


def test_the_address_is_connected_to() -> None:
    with Server() as server, opened(server.port) as connection:
        assert connection.getpeername() == ("127.0.0.1", server.port)


def test_after_a_refusal_the_next_address_has_its_turn() -> None:
    with Server() as server, opened(server.port, ("127.0.0.2", "127.0.0.1")) as connection:
        assert connection.getpeername()[0] == "127.0.0.1"


def test_after_silence_too() -> None:
    def connect(connection: socket.socket, address: tuple[str, int]) -> None:
        connection.connect(("127.0.0.1", silent if address[0] == "127.0.0.2" else server.port))

    with Server() as server, silent_port() as silent, Watch(limit_s=60, cancellation=Cancellation()) as watch:
        addresses = [ip_address("127.0.0.2"), HERE]
        with connected(addresses, 80, watch, connect=connect, limit_s=1.0) as connection:
            assert connection.getpeername()[1] == server.port


def test_no_answer_from_any_is_said() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(NotConnected, match="refused"):
            opened(unused.getsockname()[1], ("127.0.0.1", "127.0.0.2"))
    with silent_port() as port, pytest.raises(TooSlow):
        opened(port, limit_s=0.1)


def test_a_connector_that_fails_in_its_own_way_leaves_nothing_open() -> None:
    made: list[socket.socket] = []

    def connect(connection: socket.socket, address: tuple[str, int]) -> None:
        made.append(connection)
        raise LookupError("a bug")

    with Watch(limit_s=60, cancellation=Cancellation()) as watch, pytest.raises(LookupError):
        connected([HERE], 80, watch, connect=connect, limit_s=1.0)
    assert made[0].fileno() == -1


def test_a_cancelled_fetch_connects_to_nothing_more() -> None:
    cancellation = Cancellation()

    def connect(connection: socket.socket, address: tuple[str, int]) -> None:
        cancellation.request()
        raise OSError(111, "refused")

    with Watch(limit_s=60, cancellation=cancellation) as watch, pytest.raises(FetchCancelled):
        connected([HERE, HERE], 80, watch, connect=connect, limit_s=1.0)
