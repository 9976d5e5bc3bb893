"""
`EditChecks` by language servers: what one finds in a file before and after an edit.

A server that has to be started first gets its time, the edit does not wait for it: such an edit is not checked.
"""

from __future__ import annotations

import threading
import time
from queue import Empty, SimpleQueue

from attrs import define, field, frozen

from mmtools.call import Cancellation
from mmtools.core.lsp import diagnostics_delta
from mmtools.core.lsp.diagnostics import Severity, findings
from mmtools.core.lsp.diagnostics_delta import Checked, Delta
from mmtools.ports.files import FileProblem, Missing, Place
from mmtools.ports.language_server_problems import LanguageServerProblem, LanguageServersClosed, NoServer, NotAllowed
from mmtools.ports.language_servers import Findings, LanguageServers

__all__ = ["LanguageServerChecks"]

#: How many files are looked at side by side; of more than these nothing is told.
_MOST_AT_ONCE = 8
#: Why nothing is known as long as a server that was just started has said nothing.
_STARTING = "server starting"
_CHECKING = "server still checking"


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
    #: Set once a server has said anything of a file.
    _has_spoken: threading.Event = field(init=False, factory=threading.Event)
    _free: threading.Semaphore = field(init=False, factory=lambda: threading.Semaphore(_MOST_AT_ONCE))

    def watch(self, place: Place, cancellation: Cancellation) -> _Watch:
        start = time.monotonic()
        before = self.look(place, self.before_s, cancellation)
        left_s = self.total_s - (time.monotonic() - start)
        return _Watch(self, place, before, left_s, cancellation)

    def look(self, place: Place, seconds: float, cancellation: Cancellation) -> Checked | str:
        """Return what is wrong with a file, or why that is not known; empty where nobody is to say."""
        if not self._free.acquire(blocking=False):
            return _STARTING
        answers: SimpleQueue[Checked | str] = SimpleQueue()
        unsubscribe = cancellation.subscribe(lambda: answers.put(""))
        # Left to itself after the time is over: what it started is of use for the next edit.
        threading.Thread(
            target=self._examine, args=(place, seconds, answers), name="mmtools-edit-check", daemon=True
        ).start()
        try:
            return answers.get(timeout=seconds)
        except Empty:
            return _CHECKING if self._has_spoken.is_set() else _STARTING
        finally:
            unsubscribe()

    def _examine(self, place: Place, seconds: float, answers: SimpleQueue[Checked | str]) -> None:
        try:
            answers.put(self._checked(place, seconds))
        finally:
            self._free.release()

    def _checked(self, place: Place, seconds: float) -> Checked | str:
        try:
            opened = self.servers.open(place, Cancellation())
            diagnosis = opened.diagnostics(within_s=seconds)
        except Missing:
            return Checked("")
        except (NoServer, LanguageServersClosed, FileProblem):
            return ""
        except NotAllowed:
            return "the project's own server has not been allowed to start"
        except LanguageServerProblem:
            return "no answer from the server"
        if not isinstance(diagnosis, Findings):
            return _STARTING if diagnosis.busy else "nothing heard from the server"
        self._has_spoken.set()
        if diagnosis.busy or diagnosis.early:
            return _CHECKING
        found = findings(diagnosis.diagnostics.found, opened.document)
        return Checked(opened.document.text, tuple(one for one in found if one.severity <= Severity.WARNING))


@define
class _Watch:
    _checks: LanguageServerChecks
    _place: Place
    _before: Checked | str
    _left_s: float
    _cancellation: Cancellation
    _missing: str = ""

    def delta(self) -> Delta | None:
        if isinstance(self._before, str):
            self._missing = self._before
            return None
        after = self._checks.look(self._place, self._left_s, self._cancellation)
        if isinstance(after, str):
            self._missing = after
            return None
        return diagnostics_delta.between(self._before, after)

    def missing(self) -> str:
        return self._missing
