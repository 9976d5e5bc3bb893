"""Threads that are used again, and end when nobody needs them."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable

from mmtools.running.workers import Workers
from tests.patience import PATIENCE_S


def job(done: queue.SimpleQueue[int], wait: Callable[[], object] = lambda: None) -> Callable[[], Callable[[], None]]:
    def work() -> Callable[[], None]:
        wait()
        name = threading.get_ident()
        return lambda: done.put(name)

    return work


def threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "mmtools-call"}


def test_a_thread_that_is_free_takes_the_next_job() -> None:
    workers, done = Workers(), queue.SimpleQueue[int]()
    names = set()
    for _ in range(50):
        workers.start(job(done))
        names.add(done.get(timeout=PATIENCE_S))
    assert len(names) == 1
    workers.close()


def test_jobs_at_once_have_a_thread_each() -> None:
    workers, done, all_there = Workers(), queue.SimpleQueue[int](), threading.Barrier(20)
    for _ in range(20):
        workers.start(job(done, lambda: all_there.wait(PATIENCE_S)))
    assert len({done.get(timeout=PATIENCE_S) for _ in range(20)}) == 20
    workers.close()


def test_closing_ends_idle_threads_at_once_and_busy_ones_after_their_job() -> None:
    before = threads()
    workers, done, go = Workers(), queue.SimpleQueue[int](), threading.Event()
    workers.start(job(done, lambda: go.wait(PATIENCE_S)))
    workers.start(job(done))
    done.get(timeout=PATIENCE_S)
    workers.close()
    go.set()
    done.get(timeout=PATIENCE_S)
    workers.start(job(done))
    done.get(timeout=PATIENCE_S)
    for thread in threads() - before:
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def test_threads_that_wait_too_long_end_and_no_job_is_lost_at_that_moment() -> None:
    before = threads()
    workers, done = Workers(idle_s=0.001), queue.SimpleQueue[int]()
    for number in range(300):
        workers.start(job(done))
        done.get(timeout=PATIENCE_S)
        time.sleep(0.0009 + number % 5 * 0.0001)
    for thread in threads() - before:
        thread.join(PATIENCE_S)
        assert not thread.is_alive()
