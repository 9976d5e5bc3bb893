"""The files that are open in a server: what it was told is what lies on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from attrs import evolve, frozen

from mmtools.adapters.lsp import changed_files
from mmtools.adapters.lsp.changed_files import Stamp
from mmtools.adapters.lsp.handshake import Offers
from mmtools.core.lsp import uris
from mmtools.core.lsp.languages import language
from mmtools.core.lsp.positions import Document
from mmtools.ports.files import FileProblem, Missing, Place
from mmtools.ports.language_server_problems import NotSendable

__all__ = ["Documents", "Notify", "OpenDocument", "Read"]

#: Returns a file's text without a BOM, None when there is no file; raises `FileProblem` or `NotSendable`.
Read: TypeAlias = Callable[[Place], str | None]
#: Sends a notification: a method and its parameters.
Notify: TypeAlias = Callable[[str, object], None]

#: How many files are open at a time (ours); the one that was longest of no use is closed for the next.
_MAX_OPEN = 64


@frozen(kw_only=True, eq=False)
class OpenDocument:
    """
    A file that is open in a server, as it was sent last.

    Args:
        document: The text.
        version: What the server knows it by.
        opened_as: The version that it was opened with.
        heard: How many publications had come when it was sent.
        stamp: Of the file right before it was read; None when that proves nothing.
    """

    place: Place
    uri: str
    document: Document
    version: int
    opened_as: int
    heard: int
    stamp: Stamp | None

    @property
    def was_changed(self) -> bool:
        """Whether the server was told of a change since it was opened."""
        return self.version > self.opened_as

    def may_have_changed(self) -> bool:
        """Whether the file has to be read again to know."""
        return self.stamp is None or changed_files.stamp(self.place.path) != self.stamp


class Documents:
    """
    The files that are open in a server, which is told of every change. For one thread at a time.

    Args:
        read: Reads a file's text.
        heard: How many publications have come so far.
    """

    def __init__(self, notify: Notify, read: Read, offers: Offers, heard: Callable[[], int]) -> None:
        self._notify = notify
        self._read = read
        self._offers = offers
        self._heard = heard
        #: The one that was shown last comes last.
        self._open: dict[str, OpenDocument] = {}
        #: The last version of each file that was closed: opened again, it goes on from there. Else what is still said
        #: about the text that was closed, and comes late, would pass for what is said about the new one.
        self._closed: dict[str, int] = {}
        #: How many changes the server was told of.
        self.changes = 0
        #: URIs of files that changed, until somebody empties it.
        self.changed: set[str] = set()

    def find(self, path: str) -> OpenDocument | None:
        """Return an open file as it was last sent."""
        return self._open.get(path)

    def was_closed(self, path: str) -> bool:
        """Whether a file was open once, and is no more."""
        return path in self._closed

    def show(self, place: Place) -> OpenDocument:
        """
        Open a file, or bring it up to date.

        Raises:
            FileProblem, NotSendable: It is gone, or cannot be shown; then it is closed.
        """
        known = self._open.pop(place.path, None)
        if known is None:
            shown = self._opened(place)
            if len(self._open) >= _MAX_OPEN:
                self._close(self._open.pop(next(iter(self._open))))
        else:
            shown = self._updated(known)
        self._open[place.path] = shown
        return shown

    def refresh(self, *, but: str) -> None:
        """
        Bring the open files up to date; those that are gone are closed.

        Args:
            but: The path of one that has its turn later.
        """
        for path, known in list(self._open.items()):
            if path != but:
                try:
                    self._open[path] = self._updated(known)
                except (FileProblem, NotSendable):
                    del self._open[path]

    def tell_of_change(self, method: str, params: object) -> None:
        """Tell of a change that is none of an open file."""
        self._notify(method, params)
        self.changes += 1

    def forget(self, path: str) -> None:
        """Close a file, if it is open."""
        if known := self._open.pop(path, None):
            self._close(known)

    def save(self, document: OpenDocument) -> None:
        """Tell that a file was saved, if the server wants to know."""
        if self._offers.wants_saves:
            text = {"text": document.document.text} if self._offers.saves_hold_text else {}
            self._notify("textDocument/didSave", {"textDocument": {"uri": document.uri}, **text})

    def _opened(self, place: Place) -> OpenDocument:
        stamp, text = self._look(place)
        version = self._closed.pop(place.path, 0) + 1
        opened = OpenDocument(
            place=place,
            uri=uris.from_path(place.path),
            document=Document(text, self._offers.units),
            version=version,
            opened_as=version,
            heard=self._heard(),
            stamp=stamp,
        )
        item = {"uri": opened.uri, "languageId": language(place.path).id, "version": version, "text": text}
        self._notify("textDocument/didOpen", {"textDocument": item})
        return opened

    def _updated(self, known: OpenDocument) -> OpenDocument:
        """Send the text if it is not what the server has; sending the same again would hide that nothing changed."""
        if not known.may_have_changed():
            return known
        try:
            stamp, text = self._look(known.place)
        except (FileProblem, NotSendable):
            self._close(known)
            self.changes += 1
            raise
        if text == known.document.text:
            return evolve(known, stamp=stamp)
        document, version = Document(text, self._offers.units), known.version + 1
        updated = evolve(known, document=document, version=version, heard=self._heard(), stamp=stamp)
        identifier = {"uri": known.uri, "version": version}
        self._notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [{"text": text}]})
        self.changes += 1
        self.changed.add(known.uri)
        self.save(updated)
        return updated

    def _look(self, place: Place) -> tuple[Stamp | None, str]:
        """Read a file; the stamp is None if a later write might leave it as it is."""
        stamp = changed_files.stamp(place.path)
        vouches = changed_files.vouches(stamp)
        text = self._read(place)
        if text is None:
            raise Missing(place)
        return stamp if vouches else None, text

    def _close(self, known: OpenDocument) -> None:
        self._closed[known.place.path] = known.version
        self._notify("textDocument/didClose", {"textDocument": {"uri": known.uri}})
