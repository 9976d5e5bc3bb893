"""The files that a language server names in its answers, as a model may see them."""

from __future__ import annotations

from mmtools.core.lsp import uris
from mmtools.core.lsp.answers import Opened
from mmtools.core.lsp.positions import Document
from mmtools.core.text import Binary, LegacyText, Text, decode
from mmtools.ports.files import FileProblem, Place
from mmtools.tools.operations.code_questions import Asked

__all__ = ["named"]


def named(asked: Asked, uri: str) -> Opened:
    """Look at a file that a server named; what lies outside the roots is named, and not read."""
    session, path = asked.session, uris.to_path(uri)
    if path is None:
        return Opened(uri, None)
    try:
        place = session.files.files.locate(path)
        return Opened(session.shown(place.path), None if place.outside_roots else _document(asked, place))
    except FileProblem:
        return Opened(session.shown(path), None)


def _document(asked: Asked, place: Place) -> Document | None:
    """Return a file's text: what the server was sent, whatever the file holds by now, or else what it holds."""
    if sent := asked.opened.sent(place.path):
        return sent.document
    data = asked.session.files.files.snapshot(place).data
    match None if data is None else decode(data, asked.session.files.encodings):
        case Text(content=content):
            return Document(content, asked.opened.document.units)
        case LegacyText() as legacy:
            return Document(legacy.shown(), asked.opened.document.units)
        case None | Binary():
            return None
