"""An eye on a fetch: it wakes what waits, once, and says why."""

from __future__ import annotations

import socket
import threading

import pytest

from mmtools.adapters.web.watch import Watch
from mmtools.call import Cancellation
from mmtools.ports.web import FetchCancelled, TooSlow


def test_time_wakes_what_waits_for_a_connection() -> None:
    here, there = socket.socketpair()
    with here, there, Watch(limit_s=0.1, cancellation=Cancellation()) as watch:
        watch.attend(here)
        assert here.recv(1) == b""
        with pytest.raises(TooSlow, match="a word"):
            watch.check("a word")
        assert watch.left_s == 0.001


def test_a_cancellation_wakes_it_too_and_counts_more_than_time() -> None:
    cancellation = Cancellation()
    here, there = socket.socketpair()
    with here, there, Watch(limit_s=60, cancellation=cancellation) as watch:
        watch.attend(here)
        watch.check("anything")
        threading.Timer(0.05, cancellation.request).start()
        assert here.recv(1) == b""
        with pytest.raises(FetchCancelled):
            watch.check("a word")


def test_what_comes_too_late_is_shut_down_at_once() -> None:
    cancellation = Cancellation()
    cancellation.request()
    here, there = socket.socketpair()
    woken: list[str] = []
    with here, there, Watch(limit_s=60, cancellation=cancellation) as watch:
        watch.attend(here)
        assert here.recv(1) == b""
        watch.wake(lambda: woken.append("once"))
        assert woken == ["once"]


def test_only_the_last_connection_is_attended_to() -> None:
    cancellation = Cancellation()
    first, other_end = socket.socketpair()
    second, there = socket.socketpair()
    with first, other_end, second, there, Watch(limit_s=60, cancellation=cancellation) as watch:
        watch.attend(first)
        watch.attend(second)
        cancellation.request()
        assert second.recv(1) == b""
        other_end.sendall(b"x")
        assert first.recv(1) == b"x"


def test_after_the_fetch_nothing_is_touched() -> None:
    cancellation = Cancellation()
    here, there = socket.socketpair()
    with here, there:
        with Watch(limit_s=60, cancellation=cancellation) as watch:
            watch.attend(here)
        cancellation.request()
        there.sendall(b"x")
        assert here.recv(1) == b"x"
