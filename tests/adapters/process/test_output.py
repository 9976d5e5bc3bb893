"""A command's pipe: what is kept of it, and who reads it when the command is gone."""

from __future__ import annotations

import os
import select
import threading
import time
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.process.output import Drainer, Output, Wake
from mmtools.core.escapes import strip
from tests.patience import PATIENCE_S

#: Bytes of which sequences, characters and what is neither are made.
SOUP = st.lists(
    st.sampled_from(
        [b"\x1b[31m", b"\x1b", b"[", b"m", "é".encode(), "😀".encode(), b"\xff", b"\xf0\x9f", b"\0", b"ab\r\n"]
    )
).map(b"".join)


def read_all(pieces: list[bytes], max_chars: int) -> tuple[Output, list[str]]:
    """An output that was read to its end, one piece at a time."""
    shown: list[str] = []
    reader, writer = os.pipe()
    output = Output(reader, max_chars=max_chars, on_output=shown.append)
    for piece in pieces:
        if piece:
            os.write(writer, piece)
            output.read()
    os.close(writer)
    output.read()
    assert output.ended
    return output, shown


@given(SOUP, st.lists(st.integers(0, 100), max_size=8))
def test_an_output_is_the_same_however_it_is_cut(data: bytes, cuts: list[int]) -> None:
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    output, shown = read_all([data[start:end] for start, end in pairwise(edges)], 1_000)
    captured = output.captured()
    assert (captured.head, captured.tail, captured.elided_bytes) == (strip(data.decode(errors="replace")), "", 0)
    assert "".join(shown) == captured.head


def test_a_flood_is_clean_at_both_ends() -> None:
    flood = [b"\0head\x1b[1m\n", *[b"x" * 60_000 + b"\x08\x1b[0m"] * 40, b"\0tail\x9b\x07\n"]
    output, shown = read_all(flood, 1_000)
    captured = output.captured()
    assert captured.head == "head\n" + "x" * 495
    # The three controls in the tail had their share of the budget.
    assert captured.tail == "x" * (497 - len("tail\ufffd\n")) + "tail\ufffd\n"
    assert "\x1b" not in "".join(shown)


def test_a_detached_output_stays_open() -> None:
    reader, writer = os.pipe()
    output = Output(reader, max_chars=10, on_output=lambda _: None)
    assert output.detach() == reader
    output.close()
    os.write(writer, b"x")
    assert os.read(reader, 10) == b"x"
    os.close(reader)
    os.close(writer)


def test_a_drained_pipe_takes_any_amount() -> None:
    drainer = Drainer()
    pipes = [os.pipe() for _ in range(3)]
    for reader, writer in pipes:
        drainer.take(reader)
        write(writer, 300_000)
        time.sleep(0.05)  # so that the thread waits for these pipes when the next one comes
        assert threading.active_count() == 2
    for _, writer in pipes[:2]:
        os.close(writer)
    drainer.close()
    assert threading.active_count() == 1
    _, writer = pipes[2]
    assert [event for _, event in polled(writer)] == [select.POLLERR], "its read end must be closed"
    os.close(writer)


def write(writer: int, size: int) -> None:
    """Require that a pipe takes so many bytes."""
    os.set_blocking(writer, False)
    while size > 0:
        assert select.select([], [writer], [], PATIENCE_S)[1], f"nobody reads the last {size} bytes"
        size -= os.write(writer, b"x" * min(size, 65_536))


def polled(descriptor: int) -> list[tuple[int, int]]:
    poll = select.poll()
    poll.register(descriptor, 0)
    return poll.poll(0)


def test_a_closed_drainer_closes_what_it_is_given() -> None:
    drainer = Drainer()
    drainer.close()
    reader, writer = os.pipe()
    drainer.take(reader)
    assert polled(writer)
    os.close(writer)


def test_a_flooding_survivor_costs_little() -> None:
    drainer = Drainer()
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    drainer.take(reader)
    begun, written = time.monotonic(), 0
    # For half a second, and on a machine under load until it was drained at all.
    while time.monotonic() - begun < 0.5 or (written <= 65_536 and time.monotonic() - begun < PATIENCE_S):
        if select.select([], [writer], [], 0.1)[1]:
            written += os.write(writer, b"x" * 65_536)
    took_s = time.monotonic() - begun
    drainer.close()
    os.close(writer)
    assert 65_536 < written < 50_000_000 * took_s


def test_a_wake_is_seen_once_set_and_no_more_once_cleared() -> None:
    wake = Wake()
    poll = select.poll()
    poll.register(wake.reader, select.POLLIN)
    assert poll.poll(0) == []
    threads = [threading.Thread(target=wake.set) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert poll.poll(0)
    wake.clear()
    assert poll.poll(0) == []
    wake.close()
    wake.set()
