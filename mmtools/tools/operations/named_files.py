"""The files that a language server names in its answers, as a model may see them."""

from __future__ import annotations

from mmtools.core.lsp import uris
from mmtools.core.lsp.answers import Opened
from mmtools.core.lsp.positions import Document
from mmtools.core.text import Binary, LegacyText, Text, decode
from mmtools.ports.files import FileProblem, Files, OutsideRoots, Place
from mmtools.tool import Call
from mmtools.tools.operations.code_questions import Asked, CodeSession
from mmtools.tools.operations.session_files import denial

__all__ = ["is_denied", "named"]


def named(asked: Asked, uri: str) -> Opened:
    """
    Look at a file that a server named, and that nothing denies.

    One outside the roots is read for the line that the server points at, whoever would be asked to open it: but only
    where it is of the server's own kind. A server can be made to point at any file, by a `#line` in a program.
    """
    session, path = asked.session, uris.to_path(uri)
    if path is None:
        return Opened(uri, None)
    files = session.files.files
    try:
        return _opened(asked, files, files.locate(path))
    except OutsideRoots as problem:
        return _opened(asked, session.sources, problem.place)
    except FileProblem:
        return Opened(session.shown(path), None)


def is_denied(session: CodeSession, uri: str, call: Call) -> bool:
    """Whether a rule denies the file that a server named."""
    path = uris.to_path(uri)
    if path is None or call.denied is None:
        return False
    try:
        return denial(call, session.files.files.locate(path), session.files.files) is not None
    except FileProblem as problem:
        return call.denied((problem.place.path, path)) is not None


def _opened(asked: Asked, files: Files | None, place: Place) -> Opened:
    shown = asked.session.shown(place.path)
    if files is None or (place.outside_roots and not asked.opened.server.takes(place.path)):
        return Opened(shown, None)
    try:
        return Opened(shown, _document(asked, files, place))
    except FileProblem:
        return Opened(shown, None)


def _document(asked: Asked, files: Files, place: Place) -> Document | None:
    """Return a file's text: what the server was sent, whatever the file holds by now, or else what it holds."""
    if sent := asked.opened.sent(place.path):
        return sent.document
    data = files.snapshot(place).data
    match None if data is None else decode(data, asked.session.files.encodings):
        case Text(content=content):
            return Document(content, asked.opened.document.units)
        case LegacyText() as legacy:
            return Document(legacy.shown(), asked.opened.document.units)
        case None | Binary():
            return None
