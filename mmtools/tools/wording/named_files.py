"""Files that a language server names: shown from the root, and read where that needs no permission."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from mmtools.core import paths
from mmtools.core.lsp import uris
from mmtools.core.lsp.answers import Opened, Target
from mmtools.core.lsp.positions import Document
from mmtools.core.text import Binary, LegacyText, Text, decode
from mmtools.ports.files import FileProblem, Files, Place
from mmtools.ports.language_servers import OpenFile

__all__ = ["NamedFiles", "shown"]


def shown(path: str, files: Files) -> str:
    """Return a path as a model sees it: relative inside the root, else absolute."""
    return paths.relative(path, [files.absolute(".")])


@frozen(kw_only=True)
class NamedFiles:
    """
    The files of an answer, to be looked at.

    Args:
        opened: The file that was asked about; its server knows others too.
        encodings: Codecs' names, tried in order, for what is not UTF-8.
    """

    files: Files
    opened: OpenFile
    encodings: Sequence[str] = ()

    def look(self, targets: Iterable[Target]) -> dict[str, Opened]:
        """Find each target's file, by its URI. What lies outside the roots is named, and not read."""
        return {uri: self._look(uri) for uri in {target.uri for target in targets}}

    def _look(self, uri: str) -> Opened:
        path = uris.to_path(uri)
        if path is None:
            return Opened(uri, None)
        try:
            place = self.files.locate(path)
            return Opened(shown(place.path, self.files), None if place.outside_roots else self._document(place))
        except FileProblem:
            return Opened(shown(path, self.files), None)

    def _document(self, place: Place) -> Document | None:
        sent = self.opened.sent(place.path)
        if sent is not None:
            return sent.document
        data = self.files.snapshot(place).data
        match None if data is None else decode(data, self.encodings):
            case Text(content=content):
                return Document(content, self.opened.document.units)
            case LegacyText() as legacy:
                return Document(legacy.shown(), self.opened.document.units)
            case None | Binary():
                return None
