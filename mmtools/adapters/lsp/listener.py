"""What a server tells and asks of its own accord."""

from __future__ import annotations

from collections.abc import Mapping

from mmtools.adapters.lsp import configuration, handshake
from mmtools.adapters.lsp.activity import Activity
from mmtools.adapters.lsp.change_signal import ChangeSignal
from mmtools.adapters.lsp.publications import Publications
from mmtools.adapters.lsp.registrations import Registrations
from mmtools.adapters.process.piped_server import Message

__all__ = ["METHOD_NOT_FOUND", "Listener"]

#: JSON-RPC: the code of an error.
METHOD_NOT_FOUND = -32601

_REFRESHES = frozenset(
    f"workspace/{what}/refresh"
    for what in ("codeLens", "diagnostic", "foldingRange", "inlayHint", "inlineValue", "semanticTokens")
)


class Listener:
    """
    A listener that notes what a server tells, and answers what it asks: many do nothing before they have answers.

    Args:
        root: The one workspace folder.
        settings: The server's, nested.
        changed: Told of whatever somebody may wait for.
    """

    def __init__(self, root: str, settings: Mapping[str, object], activity: Activity, changed: ChangeSignal) -> None:
        self._root = root
        self._settings = settings
        self._activity = activity
        self._changed = changed
        self.registrations = Registrations()
        self.publications = Publications()

    def answer(self, message: Message) -> Message:
        """Return the answer to a request, with its id as received."""
        method, params = message.get("method"), message.get("params")
        result: object = None
        match method:
            case "workspace/configuration":
                result = configuration.answer(self._settings, params)
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
                self._activity.take_progress(params)
            case "experimental/serverStatus":
                self._activity.take_status(params)
            case "textDocument/publishDiagnostics":
                self.publications.take(params)
            case _:
                return
        self._changed.notify()
