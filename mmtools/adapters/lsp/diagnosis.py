"""What a server finds in a file as it is now: pulled where it can be, else waited for."""

from __future__ import annotations

import time

from attrs import frozen

from mmtools.adapters.lsp import known_servers
from mmtools.adapters.lsp.documents import OpenDocument
from mmtools.adapters.lsp.listener import Published
from mmtools.adapters.lsp.pending_requests import Cancelled, Lost, Reply, Result
from mmtools.adapters.lsp.session import Question, Session
from mmtools.call import Cancellation
from mmtools.core.lsp import diagnostics
from mmtools.core.lsp.diagnostics import Diagnostics
from mmtools.ports.language_server_problems import Interrupted, TextChanged
from mmtools.ports.language_servers import Diagnosis, Feature, Findings, NothingHeard

__all__ = ["Examination"]

#: The time that the tool waits; who waited so long has waited long enough (mm reference).
_FULL_S = 3.0
#: Within which the stages of a diagnosis follow one another (ours).
_OLD_S = 30.0
_FIRST_PLACE = {"position": {"line": 0, "character": 0}}


@frozen(kw_only=True)
class Examination:
    """
    The search for what a server says of one open file.

    Args:
        heard: How many publications had come before the server was told what the file holds now.
        within_s: How long to wait once the server is ready.
    """

    session: Session
    document: OpenDocument
    heard: int
    within_s: float
    cancellation: Cancellation

    def run(self) -> Diagnosis:
        """
        Return what it says, or that it says nothing.

        Raises:
            Died, Interrupted, TextChanged, FileProblem, NotSendable: As the port says.
        """
        peer = self.session.peer
        if self.document.was_changed and known_servers.keeps_quiet(peer.server) and self._latest() is None:
            self._open_anew()
        self._wake_up()
        start = time.monotonic()
        ready_at: float | None = None
        has_pulled = False
        while True:
            told, now = peer.changed.count, time.monotonic()
            if ready_at is None and not self._is_starting():
                ready_at = now
            until = self._ready_by(start) if ready_at is None else ready_at + self.within_s
            if not has_pulled and self.session.pulls() is not None and (ready_at is not None or now >= until):
                has_pulled = True
                if found := self._pulled():
                    return found
                now = time.monotonic()
            busy, published = peer.activity.is_busy(), self._latest()
            if published and (published.diagnostics.found or not busy):
                until = min(until, self._quiet_at(published))
            if now >= until:
                return self._sum_up(published, busy=self._is_starting())
            self._await_changed(told, until - now)

    def _wake_up(self) -> None:
        """Ask a fresh server something: its first answer shows that it has come to its messages."""
        probe = self._probe()
        if probe and not self.session.peer.has_answered:
            self.session.peer.requests.poke(probe, {"textDocument": {"uri": self.document.uri}, **_FIRST_PLACE})

    def _probe(self) -> Feature | None:
        return next(filter(self.session.does, (Feature.SYMBOLS, Feature.HOVER)), None)

    def _is_starting(self) -> bool:
        """Whether the server is busy, or has not come to its messages yet: no time counts until then."""
        peer = self.session.peer
        if peer.activity.is_busy():
            return True
        return not peer.has_answered and self._probe() is not None and self._latest() is None

    def _ready_by(self, start: float) -> float:
        timeouts = self.session.peer.timeouts
        return start + (timeouts.ready_s if self.session.peer.activity.is_busy() else timeouts.wake_s)

    def _open_anew(self) -> None:
        """Open the file again, for a server that says nothing where there was and is nothing to say."""
        self.session.forget(self.document)
        self.session.open(self.document.place, self.cancellation)

    def _pulled(self) -> Findings | None:
        """Ask for findings, and join what was published; None when there is no answer to that."""
        identifier = (self.session.pulls() or {}).get("identifier")
        params = {"identifier": identifier} if isinstance(identifier, str) else {}
        question = Question("textDocument/diagnostic", params)
        answer = self.session.readiness.about_file(
            lambda: self._ask(question, self.within_s), None, self.cancellation, tells=_finds_something
        )
        found = _report(answer.reply)
        if found is None:
            return None
        published = self._latest()
        if published:
            pushed = published.diagnostics
            found = Diagnostics(found.found + pushed.found, found.unread + pushed.unread)
        return Findings(diagnostics=found, busy=not answer.settled, needs=self._needs())

    def _quiet_at(self, published: Published) -> float:
        """Return when a publication counts, if no other follows: they come in stages, and after changes elsewhere too."""
        timeouts = self.session.peer.timeouts
        if self.session.changed_at > published.at:
            return self.session.changed_at + (timeouts.clean_s if published.diagnostics.found else self._clean_s())
        return published.at + (timeouts.quiet_s if published.diagnostics.found else self._clean_s())

    def _clean_s(self) -> float:
        """Return how long nothing may follow an empty list before it counts as the last one."""
        peer = self.session.peer
        return peer.timeouts.clean_s if known_servers.is_prompt(peer.server) else peer.timeouts.stage_s

    def _await_changed(self, told: int, seconds: float) -> None:
        peer = self.session.peer
        peer.changed.wait(lambda: peer.changed.count != told or not peer.is_running, seconds, self.cancellation)
        if self.cancellation.requested:
            raise Interrupted(peer.server.name)
        if not peer.is_running:
            raise peer.died()

    def _latest(self) -> Published | None:
        """Return what was published about the file as it was opened here."""
        now = self.session.find(self.document.place.path)
        if now is None or now.document.text != self.document.document.text:
            raise TextChanged(self.session.peer.server.name, self.document.place.requested)
        return self.session.peer.publications.about(now)

    def _sum_up(self, published: Published | None, *, busy: bool) -> Diagnosis:
        if published is None:
            return NothingHeard(within_s=self.within_s, busy=busy)
        peer = self.session.peer
        full = min(self._clean_s(), _FULL_S)
        early = (
            not published.diagnostics.found and self.within_s < full and time.monotonic() < self._quiet_at(published)
        )
        return Findings(
            diagnostics=published.diagnostics,
            as_last_published=published.number <= self.heard,
            busy=busy,
            early=early,
            final=bool(published.diagnostics.found) or known_servers.is_known(peer.server) or self._is_old(published),
            needs=self._needs(),
        )

    def _is_old(self, published: Published) -> bool:
        """Whether a publication came so long before this call that whatever was to follow it has come."""
        return published.number <= self.heard and time.monotonic() - published.at > _OLD_S

    def _needs(self) -> str:
        peer = self.session.peer
        return known_servers.needs(peer.server, peer.path)

    def _ask(self, question: Question, seconds: float) -> Reply:
        reply = self.session.ask(self.document, question, seconds, self.cancellation)
        self._check(reply)
        return reply

    def _check(self, reply: Reply) -> None:
        if isinstance(reply, Cancelled):
            raise Interrupted(self.session.peer.server.name)
        if isinstance(reply, Lost):
            raise self.session.peer.died()


def _report(reply: Reply) -> Diagnostics | None:
    return diagnostics.report(reply.content) if isinstance(reply, Result) else None


def _finds_something(reply: Reply) -> bool:
    report = _report(reply)
    return report is not None and bool(report.found)
