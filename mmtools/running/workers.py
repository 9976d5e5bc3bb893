"""Threads that wait for more work, so that not every call pays for a new one."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import TypeAlias

__all__ = ["Job", "Workers"]

#: Does the work, and returns what tells of it; by then its thread is free again.
Job: TypeAlias = Callable[[], Callable[[], None]]

#: 10 s: an agent's next call comes sooner, or much later.
_IDLE_S = 10.0

_Jobs: TypeAlias = "queue.SimpleQueue[Job | None]"


class Workers:
    """
    The threads that run jobs: each job at once, in one that is idle or new. Used from several threads.

    Args:
        idle_s: After which a thread without work ends.
    """

    def __init__(self, idle_s: float = _IDLE_S) -> None:
        self._idle_s = idle_s
        self._lock = threading.Lock()
        self._idle: list[_Jobs] = []
        self._closed = False

    def start(self, job: Job) -> None:
        """Have a job run; it must not raise."""
        with self._lock:
            jobs = self._idle.pop() if self._idle else None
        if jobs is None:
            jobs = queue.SimpleQueue()
            threading.Thread(target=self._work, args=(jobs,), name="mmtools-call", daemon=True).start()
        jobs.put(job)

    def close(self) -> None:
        """Let idle threads end, and busy ones after their job; what is started later still runs."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for jobs in idle:
            jobs.put(None)

    def _work(self, jobs: _Jobs) -> None:
        while (job := self._next(jobs)) is not None:
            tell = job()
            del job
            stays = self._stay(jobs)
            tell()
            del tell
            if not stays:
                return

    def _next(self, jobs: _Jobs) -> Job | None:
        try:
            return jobs.get(timeout=self._idle_s)
        except queue.Empty:
            with self._lock:
                if jobs in self._idle:
                    self._idle.remove(jobs)
                    return None
            # Somebody has just taken this thread.
            return jobs.get()

    def _stay(self, jobs: _Jobs) -> bool:
        with self._lock:
            if not self._closed:
                self._idle.append(jobs)
            return not self._closed
