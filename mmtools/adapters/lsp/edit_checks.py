"""
`EditChecks` by language servers: what one finds in a file before and after an edit.

A server that has to be started first gets its time, the edit does not wait for it: such an edit is not checked.
"""

from __future__ import annotations

import threading
import time
from queue import Empty, SimpleQueue

from attrs import field, frozen

from mmtools.call import Cancellation
from mmtools.core.lsp import diagnostics_delta
from mmtools.core.lsp.diagnostics import Severity, findings
from mmtools.core.lsp.diagnostics_delta import Checked, Delta
from mmtools.ports.files import FileProblem, Missing, Place
from mmtools.ports.language_server_problems import LanguageServerProblem
from mmtools.ports.language_servers import Findings, LanguageServers

__all__ = ["LanguageServerChecks"]

#: How many files are looked at side by side; of more than these nothing is told.
_MOST_AT_ONCE = 8


@frozen(kw_only=True)
class LanguageServerChecks:
    """
    Checks that compare a server's errors and warnings.

    Args:
        before_s: What may be spent before a file is written; a clean file takes a second the first time.
        total_s: The same, and after it (3 s: mm reference, for diagnostics).
    """

    servers: LanguageServers
    before_s: float = 1.5
    total_s: float = 3.0
    _free: threading.Semaphore = field(init=False, factory=lambda: threading.Semaphore(_MOST_AT_ONCE))

    def watch(self, place: Place, cancellation: Cancellation) -> _Watch:
        start = time.monotonic()
        before = self.look(place, self.before_s, cancellation)
        left_s = self.total_s - (time.monotonic() - start)
        return _Watch(self, place, before, left_s, cancellation)

    def look(self, place: Place, seconds: float, cancellation: Cancellation) -> Checked | None:
        """Return what is wrong with a file; None when that is not known in time."""
        if not self._free.acquire(blocking=False):
            return None
        answers: SimpleQueue[Checked | None] = SimpleQueue()
        unsubscribe = cancellation.subscribe(lambda: answers.put(None))
        # Left to itself after the time is over: what it started is of use for the next edit.
        threading.Thread(
            target=self._examine, args=(place, seconds, answers), name="mmtools-edit-check", daemon=True
        ).start()
        try:
            return answers.get(timeout=seconds)
        except Empty:
            return None
        finally:
            unsubscribe()

    def _examine(self, place: Place, seconds: float, answers: SimpleQueue[Checked | None]) -> None:
        try:
            answers.put(self._checked(place, seconds))
        finally:
            self._free.release()

    def _checked(self, place: Place, seconds: float) -> Checked | None:
        try:
            opened = self.servers.open(place, Cancellation())
            diagnosis = opened.diagnostics(within_s=seconds)
        except Missing:
            return Checked("")
        except (LanguageServerProblem, FileProblem):
            return None
        if not isinstance(diagnosis, Findings) or diagnosis.busy:
            return None
        found = findings(diagnosis.diagnostics.found, opened.document)
        return Checked(opened.document.text, tuple(one for one in found if one.severity <= Severity.WARNING))


@frozen
class _Watch:
    _checks: LanguageServerChecks
    _place: Place
    _before: Checked | None
    _left_s: float
    _cancellation: Cancellation

    def delta(self) -> Delta | None:
        if self._before is None:
            return None
        after = self._checks.look(self._place, self._left_s, self._cancellation)
        return None if after is None else diagnostics_delta.between(self._before, after)
