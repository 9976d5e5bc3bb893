"""One file in its server, as the port shows it."""

from __future__ import annotations

from mmtools.adapters.lsp import known_servers
from mmtools.adapters.lsp.diagnosis import Examination
from mmtools.adapters.lsp.listener import METHOD_NOT_FOUND
from mmtools.adapters.lsp.pending_requests import Cancelled, Failure, Lost, Reply, Result, TimedOut
from mmtools.adapters.lsp.readiness import Settled, says_something
from mmtools.adapters.lsp.session import Question, Session
from mmtools.call import Cancellation
from mmtools.core.lsp import answers
from mmtools.core.lsp.positions import Document, Position
from mmtools.ports.files import Place
from mmtools.ports.language_server_problems import Interrupted, NoAnswer, ServerError, Unsupported
from mmtools.ports.language_servers import Answer, Diagnosis, Feature, LanguageServer, Sent

__all__ = ["LocalOpenFile"]

_ABOUT_PROJECT = (Feature.REFERENCES, Feature.RENAME)


class LocalOpenFile:
    """
    An open file of a session.

    Args:
        place: Where it was located.
    """

    def __init__(self, session: Session, place: Place, cancellation: Cancellation) -> None:
        self._session = session
        self._cancellation = cancellation
        self._heard = session.peer.publications.count
        self._opened = session.open(place, cancellation)

    @property
    def server(self) -> LanguageServer:
        return self._session.peer.server

    @property
    def document(self) -> Document:
        return self._opened.document

    def offers(self, feature: Feature) -> bool:
        return self._session.does(feature)

    def ask(self, feature: Feature, position: Position | None = None, *, new_name: str | None = None) -> Answer:
        if not self.offers(feature):
            raise Unsupported(self.server.name, feature)
        question = _question(feature, position, new_name)
        session = self._session

        def ask_once() -> Reply:
            return session.ask(self._opened, question, session.peer.timeouts.request_s, self._cancellation)

        if feature is not Feature.SYMBOLS:
            session.let_read(self._opened, self._cancellation)
        if feature in _ABOUT_PROJECT:
            answer = session.readiness.about_project(ask_once, session.changes, self._cancellation)
        else:
            tells = _hovers if feature is Feature.HOVER else says_something
            answer = session.readiness.about_file(ask_once, session.changes, self._cancellation, tells=tells)
        if self._cancellation.requested:
            raise Interrupted(self.server.name)
        lacks = known_servers.lacks(self.server, self._opened.place.path) if feature in _ABOUT_PROJECT else ""
        return Answer(self._content(feature, answer), answer.settled, lacks)

    def diagnostics(self, within_s: float = 3.0) -> Diagnosis:
        examination = Examination(
            session=self._session,
            document=self._opened,
            heard=self._heard,
            within_s=within_s,
            cancellation=self._cancellation,
        )
        return examination.run()

    def sent(self, path: str) -> Sent | None:
        found = self._session.find(path)
        return Sent(found.document, found.version) if found else None

    def _content(self, feature: Feature, answer: Settled) -> object:
        name, busy = self.server.name, not answer.settled
        match answer.reply:
            case Result(content):
                return content
            case Failure(code=code) if code == METHOD_NOT_FOUND:
                raise Unsupported(name, feature)
            case Failure(code, message):
                raise ServerError(name, message, code, busy=busy)
            case TimedOut():
                peer = self._session.peer
                raise NoAnswer(name, peer.timeouts.request_s, busy=peer.activity.is_busy())
            case Cancelled():
                raise Interrupted(name)
            case Lost():
                raise self._session.peer.died()


def _question(feature: Feature, position: Position | None, new_name: str | None) -> Question:
    params: dict[str, object] = {}
    if position is not None:
        params["position"] = {"line": position.line, "character": position.character}
    if feature is Feature.REFERENCES:
        params["context"] = {"includeDeclaration": True}
    if new_name is not None:
        params["newName"] = new_name
    return Question(feature, params)


def _hovers(reply: Reply) -> bool:
    return isinstance(reply, Result) and bool(answers.hover(reply.content).strip())
