"""One server and what it is shown: files are brought up to date before each question."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial

from attrs import field, frozen

from mmtools.adapters.lsp.changed_files import Change, ChangedFiles
from mmtools.adapters.lsp.documents import Documents, OpenDocument, Read
from mmtools.adapters.lsp.handshake import Offers
from mmtools.adapters.lsp.peer import Peer
from mmtools.adapters.lsp.pending_requests import Cancelled, Lost, Reply
from mmtools.adapters.lsp.readiness import Readiness
from mmtools.call import Cancellation
from mmtools.core.lsp import uris
from mmtools.ports.files import FileProblem, Place
from mmtools.ports.language_server_problems import Interrupted, NotSendable, TextChanged
from mmtools.ports.language_servers import Feature

__all__ = ["Question", "Session"]

#: Changed files that are shown to a server that does not watch files itself (ours).
_MAX_SHOWN = 200
#: Within which a file that was looked at for one call is not looked at again for the same one (ours).
_MOMENT_S = 0.005
_WATCHING = "workspace/didChangeWatchedFiles"


@frozen
class Question:
    """Something to ask about a file; its URI joins the parameters."""

    method: str
    params: Mapping[str, object] = field(factory=dict)


class Session:
    """
    A session that asks a server about files as they are now. Used by any thread.

    Args:
        read: Reads the text of a file.
    """

    def __init__(self, peer: Peer, offers: Offers, changed_files: ChangedFiles, read: Read) -> None:
        self.peer = peer
        self.readiness = Readiness(peer.activity, peer.changed, peer.timeouts)
        self._offers = offers
        self._changed_files = changed_files
        self._documents = Documents(peer.notify, read, offers, lambda: peer.publications.count)
        #: When the server was last told of a change, by the monotonic clock.
        self.changed_at = 0.0
        self._last_shown = "", 0.0
        # Held while files are brought up to date and a question about them is sent; never while anything is awaited.
        self._telling = threading.RLock()

    def changes(self) -> int:
        """How many changes the server was told of."""
        return self._documents.changes

    def does(self, feature: Feature) -> bool:
        """Whether the server says that it can do this."""
        return feature in self._offers.features or self.peer.registrations.options(feature) is not None

    def pulls(self) -> Mapping[str, object] | None:
        """Return the options of pulled diagnostics; None where there is none to pull."""
        registered = self.peer.registrations.options("textDocument/diagnostic")
        return self._offers.pulls if registered is None else registered

    def note_changed(self, paths: Iterable[str] | None) -> None:
        """Remember to tell the server that files were written."""
        self._changed_files.note(paths)

    def show(self, place: Place) -> OpenDocument:
        """
        Tell the server all that has changed, this file last.

        Raises:
            FileProblem, NotSendable: The file is gone, or cannot be shown.
        """
        with self._telling:
            before = self._documents.changes
            self._tell_of_changed_files()
            self._documents.refresh(but=place.path)
            shown = self._documents.show(place)
            now = time.monotonic()
            if self._documents.changes != before:
                self.changed_at = now
            self._last_shown = place.path, now
            return shown

    def open(self, place: Place, cancellation: Cancellation) -> OpenDocument:
        """
        Show a file for a new call.

        Of one that was closed the server may still be saying something, without a version to tell it by: it is heard
        first, so that it does not pass for what is said about the new text.

        Raises:
            Died, Interrupted, FileProblem, NotSendable: As the port says.
        """
        with self._telling:
            was_closed = self._documents.was_closed(place.path)
        if was_closed and not self.peer.publications.names_version(place.path):
            self._hear_out(uris.from_path(place.path), cancellation)
        return self.show(place)

    def _hear_out(self, uri: str, cancellation: Cancellation) -> None:
        """Ask something: whatever the answer, what was published before it is here before it."""
        params = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
        send = partial(self.peer.requests.send, Feature.HOVER, params)
        match self.peer.ask(send, self.peer.timeouts.settle_s, cancellation):
            case Cancelled():
                raise Interrupted(self.peer.server.name)
            case Lost():
                raise self.peer.died()

    def forget(self, document: OpenDocument) -> None:
        """Have the server close a file; it is opened when it is shown again."""
        with self._telling:
            self._documents.forget(document.place.path)

    def find(self, path: str) -> OpenDocument | None:
        """Return an open file as it was last sent."""
        with self._telling:
            return self._documents.find(path)

    def ask(self, about: OpenDocument, question: Question, seconds: float, cancellation: Cancellation) -> Reply:
        """
        Ask about a file that must still be what it was.

        Args:
            about: The file as the one who asks knows it.
            seconds: For the answer.

        Raises:
            TextChanged: The file is not the same any more.
            FileProblem, NotSendable: As for `show`.
        """

        def send() -> int:
            with self._telling:
                shown = self._shown_just_now(about.place.path) or self.show(about.place)
                if shown.document is not about.document and shown.document.text != about.document.text:
                    raise TextChanged(self.peer.server.name, about.place.requested)
                params = {"textDocument": {"uri": shown.uri}, **question.params}
                return self.peer.requests.send(question.method, params)

        return self.peer.ask(send, seconds, cancellation)

    def let_read(self, but: OpenDocument, cancellation: Cancellation) -> None:
        """
        Wait until a server that does not watch files has read those that changed: what it says of places in them is
        old until then.

        Args:
            but: Is read before an answer about it anyway.
        """
        with self._telling:
            changed, self._documents.changed = self._documents.changed - {but.uri}, set()
        if not changed or self._watches() or not self.does(Feature.SYMBOLS):
            return
        until = time.monotonic() + self.peer.timeouts.settle_s
        for uri in changed:
            if cancellation.requested or time.monotonic() > until:
                return
            send = partial(self.peer.requests.send, Feature.SYMBOLS, {"textDocument": {"uri": uri}})
            self.peer.ask(send, until - time.monotonic(), cancellation)

    def _watches(self) -> bool:
        return self.peer.registrations.options(_WATCHING) is not None

    def _shown_just_now(self, path: str) -> OpenDocument | None:
        """Return a file that was looked at a moment ago: what is written this very moment may as well come after."""
        last, at = self._last_shown
        return self._documents.find(path) if last == path and time.monotonic() - at < _MOMENT_S else None

    def _tell_of_changed_files(self) -> None:
        changes = self._changed_files.take()
        if not changes:
            return
        events = [{"uri": uris.from_path(path), "type": int(change)} for path, change in changes.items()]
        self._documents.tell_of_change(_WATCHING, {"changes": events})
        if not self._watches():
            self._show_changed(path for path, change in changes.items() if change is not Change.DELETED)

    def _show_changed(self, paths: Iterable[str]) -> None:
        """Show files to a server that does not care for notices: what is open it believes."""
        taken = (path for path in paths if self.peer.server.takes(path))
        for path in itertools.islice(taken, _MAX_SHOWN):
            with suppress(FileProblem, NotSendable):
                shown = self._documents.show(Place(path, path))
                self._documents.changed.add(shown.uri)
                self._documents.save(shown)
