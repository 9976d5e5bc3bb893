"""Scripts for `scripted_language_server`: a real process that speaks the protocol and does as it is told."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from mmtools.ports.language_servers import LanguageServer
from mmtools.testing import scripted_language_server

__all__ = [
    "CAPABILITIES",
    "ScriptedLanguageServer",
    "Step",
    "awaits",
    "closes_output",
    "exits",
    "fails",
    "floods",
    "later",
    "notifies",
    "publishes",
    "raw",
    "replies",
    "requests",
    "signals",
    "sleeps",
    "spawns",
    "writes_errors",
]

#: One thing that the server does. In all values `$uri` and `$version` stand for those of the document of the last
#: message that named one.
Step: TypeAlias = Mapping[str, Any]

#: Everything that is asked for, with pushed diagnostics.
CAPABILITIES: Mapping[str, Any] = {
    "textDocumentSync": {"openClose": True, "change": 1, "save": True},
    "definitionProvider": True,
    "referencesProvider": True,
    "hoverProvider": True,
    "documentSymbolProvider": True,
    "renameProvider": {"prepareProvider": True},
}


class ScriptedLanguageServer:
    """
    A script, and what the server received.

    Args:
        folder: For the script and the log; must exist.
        on: Method → turns, each a list of steps; the last turn repeats. A request without turns is answered with null.
        piece_bytes: How many bytes it writes at once; 0 for whole messages.
    """

    def __init__(
        self,
        folder: Path,
        on: Mapping[str, Sequence[Sequence[Step]]] | None = None,
        *,
        capabilities: Mapping[str, Any] = CAPABILITIES,
        piece_bytes: int = 0,
    ) -> None:
        self._script = folder / "script.json"
        self._log = folder / "log.jsonl"
        script = {"on": on or {}, "capabilities": capabilities, "piece_bytes": piece_bytes}
        self._script.write_text(json.dumps(script), encoding="utf-8")

    @property
    def command(self) -> tuple[str, ...]:
        """What starts it."""
        program = str(Path(scripted_language_server.__file__))
        return (sys.executable, "-I", "-S", program, str(self._script), str(self._log))

    def configured(self, *extensions: str, name: str = "scripted", **more: Any) -> LanguageServer:
        """Return it as a host would configure it."""
        return LanguageServer(name, self.command, extensions or (".py",), **more)

    def received(self, method: str | None = None) -> list[dict[str, Any]]:
        """
        Return what all its processes received, in order.

        Args:
            method: Only messages with this one.
        """
        lines = self._log.read_text(encoding="utf-8").splitlines() if self._log.exists() else []
        entries: list[dict[str, Any]] = [json.loads(line) for line in lines]
        return [entry for entry in entries if method is None or entry.get("method") == method]


def replies(result: Any = None) -> Step:
    """Answer the request that is served."""
    return {"reply": result}


def fails(code: int, message: str) -> Step:
    """Answer it with an error."""
    return {"fail": {"code": code, "message": message}}


def notifies(method: str, params: Any = None) -> Step:
    """Tell the client something."""
    return {"send": {"method": method, "params": params}}


def publishes(diagnostics: Sequence[Any], version: Any = "$version", uri: str = "$uri") -> Step:
    """Publish diagnostics; a version of None is left out."""
    params = {"uri": uri, "diagnostics": list(diagnostics)}
    return notifies("textDocument/publishDiagnostics", params if version is None else {**params, "version": version})


def requests(id_: int | str, method: str, params: Any = None) -> Step:
    """Ask the client something, without waiting."""
    return {"send": {"id": id_, "method": method, "params": params}}


def awaits(id_: int | str) -> Step:
    """Wait for the client's answer to a request; what comes meanwhile is served later."""
    return {"await": id_}


def later(seconds: float, *steps: Step) -> Step:
    """Play steps after a time, and serve on meanwhile."""
    return {"later": {"seconds": seconds, "steps": list(steps)}}


def sleeps(seconds: float) -> Step:
    """Do nothing, not even read."""
    return {"sleep": seconds}


def writes_errors(text: str) -> Step:
    """Write to stderr."""
    return {"errors": text}


def floods(megabytes: int) -> Step:
    """Write very much to stderr."""
    return {"flood": megabytes}


def raw(text: str) -> Step:
    """Write something that need be no message."""
    return {"raw": text}


def exits(code: int) -> Step:
    """Exit at once."""
    return {"exit": code}


def signals(number: int) -> Step:
    """Send a signal to itself."""
    return {"signal": number}


def spawns(seconds: int) -> Step:
    """Start a child that holds the pipes open and outlives the server; its pid is in what was received."""
    return {"spawn": seconds}


def closes_output() -> Step:
    """Close stdout, and live on."""
    return {"close_output": None}
