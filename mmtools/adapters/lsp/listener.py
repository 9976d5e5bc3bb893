"""What a server tells and asks of its own accord: what it is busy with, what it registers, what it finds."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from attrs import define, frozen

from mmtools.adapters.lsp import handshake
from mmtools.adapters.lsp.documents import OpenDocument
from mmtools.adapters.lsp.pending_requests import ChangeSignal
from mmtools.adapters.process.piped_server import Message
from mmtools.core.lsp import diagnostics, uris, wire
from mmtools.core.lsp.diagnostics import Diagnostics

__all__ = ["METHOD_NOT_FOUND", "Activity", "Listener", "Publications", "Published", "Registrations"]

#: JSON-RPC: the code of an error.
METHOD_NOT_FOUND = -32601

_REFRESHES = frozenset(
    f"workspace/{what}/refresh"
    for what in ("codeLens", "diagnostic", "foldingRange", "inlayHint", "inlineValue", "semanticTokens")
)


class Listener:
    """
    A listener that notes what a server tells, and answers what it asks: many do nothing before they have answers.

    What it has noted is written by one thread and read by any.

    Args:
        root: The one workspace folder.
        settings: The server's, nested.
        abandoned_s: As for `Activity`.
        changed: Told of whatever somebody may wait for.
    """

    def __init__(self, root: str, settings: Mapping[str, object], abandoned_s: float, changed: ChangeSignal) -> None:
        self._root = root
        self._settings = settings
        self._changed = changed
        self.activity = Activity(abandoned_s)
        self.registrations = Registrations()
        self.publications = Publications()

    def answer(self, message: Message) -> Message:
        """Return the answer to a request, with its id as received."""
        method, params = message.get("method"), message.get("params")
        result: object = None
        match method:
            case "workspace/configuration":
                result = handshake.configuration(self._settings, params)
            case "workspace/workspaceFolders":
                result = handshake.folders(self._root)
            case "workspace/applyEdit":
                result = {"applied": False, "failureReason": "files are only changed by a rename"}
            case "window/showDocument":
                result = {"success": False}
            case "client/registerCapability":
                self.registrations.add(params)
                self._changed.notify()
            case "client/unregisterCapability":
                self.registrations.remove(params)
            case "window/workDoneProgress/create" | "window/showMessageRequest":
                pass
            case _ if method not in _REFRESHES:
                error = {"code": METHOD_NOT_FOUND, "message": "this client does not do that"}
                return {"id": message["id"], "error": error}
        return {"id": message["id"], "result": result}

    def note(self, message: Message) -> None:
        """Take a notification; most say nothing of use."""
        params = message.get("params")
        match message.get("method"):
            case "$/progress":
                self.activity.take_progress(params)
            case "experimental/serverStatus":
                self.activity.take_status(params)
            case "textDocument/publishDiagnostics":
                self.publications.take(params)
            case _:
                return
        self._changed.notify()


@define
class _Progress:
    """
    Something that goes on.

    Args:
        number: Grows with each one that begins.
        heard_at: When it was last spoken of.
    """

    number: int
    heard_at: float


class Activity:
    """
    What `$/progress` tells, and `experimental/serverStatus` where a server sends that: then only it counts.

    Args:
        abandoned_s: Without news of a progress, after which it is taken for forgotten.
        clock: Tells monotonic seconds.
    """

    def __init__(self, abandoned_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._abandoned_s = abandoned_s
        self._clock = clock
        self._going_on: dict[str | int, _Progress] = {}
        self._quiescent: bool | None = None
        #: How many have begun, and ended, so far.
        self.begun = 0
        self.ended = 0

    @property
    def has_come_to_rest(self) -> bool:
        """Whether the server was busy, and is no more."""
        return not self.is_busy() and (self.ended > 0 or self._quiescent is True)

    def is_busy(self, begun: int | None = None) -> bool:
        """
        Say whether anything goes on.

        Args:
            begun: Count only the first so many: later ones may be our own question's.
        """
        if self._quiescent is not None:
            return not self._quiescent
        if not self._going_on:
            return False
        last = self.begun if begun is None else begun
        return any(each.number <= last and not self._is_abandoned(each) for each in list(self._going_on.values()))

    def take_progress(self, params: object) -> None:
        """Take the parameters of `$/progress`."""
        members = wire.object_(params)
        token, value = members.get("token"), wire.object_(members.get("value"))
        if not isinstance(token, str | int):
            return
        match value.get("kind"):
            case "begin":
                for each in [each for each, progress in self._going_on.items() if self._is_abandoned(progress)]:
                    del self._going_on[each]
                self.begun += 1
                self._going_on[token] = _Progress(self.begun, self._clock())
            case "report":
                if known := self._going_on.get(token):
                    known.heard_at = self._clock()
            case "end":
                if self._going_on.pop(token, None):
                    self.ended += 1
            case _:
                pass

    def take_status(self, params: object) -> None:
        """Take the parameters of `experimental/serverStatus`."""
        quiescent = wire.object_(params).get("quiescent")
        if isinstance(quiescent, bool):
            self._quiescent = quiescent

    def _is_abandoned(self, progress: _Progress) -> bool:
        return progress.heard_at <= self._clock() - self._abandoned_s


class Registrations:
    """The methods that a server registered after its start, with their options."""

    def __init__(self) -> None:
        self._by_id: dict[str, tuple[str, Mapping[str, object]]] = {}

    def add(self, params: object) -> None:
        """Take the parameters of `client/registerCapability`."""
        for entry in map(wire.object_, wire.sequence(wire.object_(params).get("registrations"))):
            id_, method = wire.text(entry.get("id")), wire.text(entry.get("method"))
            if id_ is not None and method is not None:
                self._by_id[id_] = (method, wire.object_(entry.get("registerOptions")))

    def remove(self, params: object) -> None:
        """Take the parameters of `client/unregisterCapability`, with the protocol's own misspelling or without it."""
        members = wire.object_(params)
        entries = members.get("unregisterations") or members.get("unregistrations")
        for entry in map(wire.object_, wire.sequence(entries)):
            self._by_id.pop(wire.text(entry.get("id")) or "", None)

    def options(self, method: str) -> Mapping[str, object] | None:
        """Return the options of a method's registration; None when there is none."""
        return next((options for name, options in list(self._by_id.values()) if name == method), None)


@frozen(kw_only=True)
class Published:
    """
    The latest that was published about a file.

    Args:
        version: Of the text that was looked at, where the server tells.
        number: Grows with each publication of the server.
        at: When it came, by the monotonic clock.
    """

    diagnostics: Diagnostics
    version: int | None
    number: int
    at: float


class Publications:
    """The latest publication of each file, however its URI is spelt."""

    def __init__(self) -> None:
        self._latest: dict[str, Published] = {}
        #: How many have come so far.
        self.count = 0

    def take(self, params: object) -> None:
        """Take the parameters of `publishDiagnostics`."""
        publication = diagnostics.publication(params)
        path = uris.to_path(publication.uri) if publication else None
        if publication is None or path is None:
            return
        self._latest[uris.key(path)] = Published(
            diagnostics=publication.diagnostics,
            version=publication.version,
            number=self.count + 1,
            at=time.monotonic(),
        )
        self.count += 1

    def names_version(self, path: str) -> bool:
        """Whether the latest about a file says of which version it is."""
        latest = self._latest.get(uris.key(path))
        return latest is not None and latest.version is not None

    def about(self, document: OpenDocument) -> Published | None:
        """Return what came after the text that the server has now, unless it is known to be about an older one."""
        latest = self._latest.get(uris.key(document.place.path))
        if latest is None or latest.number <= document.heard:
            return None
        return latest if latest.version is None or latest.version >= document.version else None
