"""Language servers that answer as they are told, without a process."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from attrs import frozen

from mmtools.call import Cancellation
from mmtools.core.lsp.diagnostics import Diagnostics
from mmtools.core.lsp.positions import Document, Position, Units
from mmtools.ports.files import Missing, Place
from mmtools.ports.language_server_problems import (
    Interrupted,
    LanguageServerProblem,
    LanguageServersClosed,
    NoServer,
    NotAllowed,
    TextChanged,
    Unsupported,
)
from mmtools.ports.language_servers import Answer, Diagnosis, Feature, Findings, LanguageServer, Sent

__all__ = ["Asked", "MemoryLanguageServers", "MemoryOpenFile", "Reaction"]


@frozen(kw_only=True)
class Asked:
    """One question that was asked."""

    path: str
    feature: Feature
    position: Position | None = None
    new_name: str | None = None


#: What comes of a question: an answer, the content of one, a problem to raise; or what makes one of these.
Reaction: TypeAlias = object | Callable[[Asked], object]


class MemoryLanguageServers:
    """
    Servers that answer from tables, and record what was asked and noted.

    Args:
        servers: Chosen by extension, as everywhere.
        read: Returns the text of a file; None for none.
        reactions: To questions. A feature that is left out is not offered.
        diagnoses: By path: findings, nothing, or a problem to raise; every other file is clean.
        units: What positions count.
        brought: The names of those that are the project's own: they answer once they are allowed.
    """

    def __init__(
        self,
        servers: Sequence[LanguageServer],
        *,
        read: Callable[[Place], str | None],
        reactions: Mapping[Feature, Reaction] | None = None,
        diagnoses: Mapping[str, Diagnosis | LanguageServerProblem] | None = None,
        units: Units = Units.UTF16,
        brought: Collection[str] = (),
    ) -> None:
        self._servers = tuple(servers)
        self._brought = frozenset(brought)
        self._decided: dict[str, bool] = {}
        self._read = read
        self._units = units
        self.reactions = dict(reactions or {})
        self.diagnoses = dict(diagnoses or {})
        #: Raised instead of opening, when there is one.
        self.problem: LanguageServerProblem | None = None
        self.asked: list[Asked] = []
        self.noted: list[tuple[str, ...] | None] = []
        self.is_closed = False
        self._sent: dict[str, Sent] = {}

    @property
    def servers(self) -> tuple[LanguageServer, ...]:
        return self._servers

    def permit(self, place: Place, ask: Callable[[LanguageServer], bool], cancellation: Cancellation) -> None:
        for server in self._for(place):
            if server.name in self._brought and server.name not in self._decided:
                self._decided[server.name] = ask(server)
            if self._may_answer(server):
                return

    def refused(self, place: Place) -> tuple[LanguageServer, ...]:
        stopped = itertools.takewhile(lambda server: not self._may_answer(server), self._for(place))
        return tuple(server for server in stopped if server.name in self._decided)

    def _for(self, place: Place) -> list[LanguageServer]:
        return [server for server in self._servers if server.takes(place.path)]

    def _may_answer(self, server: LanguageServer) -> bool:
        return server.name not in self._brought or self._decided.get(server.name, False)

    def open(self, place: Place, cancellation: Cancellation) -> MemoryOpenFile:
        servers = self._for(place)
        if not servers:
            raise NoServer("", place.requested)
        server = next(filter(self._may_answer, servers), None)
        if server is None:
            raise NotAllowed(servers[0].name, servers[0].command[0])
        if self.is_closed:
            raise LanguageServersClosed(server.name)
        if cancellation.requested:
            raise Interrupted(server.name)
        if self.problem:
            raise self.problem
        return MemoryOpenFile(self, server, place, cancellation)

    def show(self, place: Place) -> Document:
        """Read a file and keep it as sent."""
        text = self._read(place)
        if text is None:
            raise Missing(place)
        before = self._sent.get(place.path)
        if before is None or before.document.text != text:
            version = before.version + 1 if before else 1
            self._sent[place.path] = Sent(Document(text, self._units), version)
        return self._sent[place.path].document

    def sent(self, path: str) -> Sent | None:
        """Return a file as it was sent last."""
        return self._sent.get(path)

    def note_changed(self, paths: Iterable[str] | None = None) -> None:
        self.noted.append(None if paths is None else tuple(paths))

    def close(self) -> None:
        self.is_closed = True


class MemoryOpenFile:
    """A file that is open in such a server."""

    def __init__(
        self, servers: MemoryLanguageServers, server: LanguageServer, place: Place, cancellation: Cancellation
    ) -> None:
        self._servers = servers
        self._server = server
        self._place = place
        self._cancellation = cancellation
        self._document = servers.show(place)

    @property
    def server(self) -> LanguageServer:
        return self._server

    @property
    def document(self) -> Document:
        return self._document

    def offers(self, feature: Feature) -> bool:
        return feature in self._servers.reactions

    def ask(self, feature: Feature, position: Position | None = None, *, new_name: str | None = None) -> Answer:
        if not self.offers(feature):
            raise Unsupported(self._server.name, feature)
        self._check()
        asked = Asked(path=self._place.path, feature=feature, position=position, new_name=new_name)
        self._servers.asked.append(asked)
        reaction = self._servers.reactions[feature]
        came = reaction(asked) if callable(reaction) else reaction
        if isinstance(came, LanguageServerProblem):
            raise came
        return came if isinstance(came, Answer) else Answer(came)

    def diagnostics(self, within_s: float = 3.0) -> Diagnosis:
        self._check()
        diagnosis = self._servers.diagnoses.get(self._place.path, Findings(diagnostics=Diagnostics()))
        if isinstance(diagnosis, LanguageServerProblem):
            raise diagnosis
        return diagnosis

    def sent(self, path: str) -> Sent | None:
        return self._servers.sent(path)

    def _check(self) -> None:
        if self._cancellation.requested:
            raise Interrupted(self._server.name)
        if self._servers.show(self._place).text != self._document.text:
            raise TextChanged(self._server.name, self._place.requested)
