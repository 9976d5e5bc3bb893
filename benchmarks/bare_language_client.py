"""
The least that talks to a language server: the limit that `lsp` is measured against.

It waits for one answer at a time, believes it, and looks at no file again.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from mmtools.adapters.lsp import handshake
from mmtools.ports.language_servers import LanguageServer

__all__ = ["BareClient"]

_REPEATS = 1_000


class BareClient:
    """A client that starts a server over pipes and greets it as `lsp` does, so that both are served alike."""

    def __init__(self, server: LanguageServer, root: Path, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            server.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=root,
            env=environment,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._number = 0
        self.ask("initialize", handshake.initialize(str(root), server.initialization_options))
        self.notify("initialized", {})

    def open(self, path: Path, language: str) -> None:
        """Show a file."""
        item = {"uri": path.as_uri(), "languageId": language, "version": 1, "text": path.read_text()}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def ask(self, method: str, params: object) -> Any:
        """Ask, and return the first answer."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while True:
            message = self._receive()
            if "method" in message:
                self._oblige(message)
            elif message["id"] == self._number:
                assert "error" not in message, message
                return message["result"]

    def ask_until_told(self, method: str, params: object) -> Any:
        """Ask until there is something in the answer, without a pause."""
        return next(filter(None, (self.ask(method, params) for _ in range(_REPEATS))))

    def notify(self, method: str, params: object) -> None:
        """Tell something."""
        self._send({"method": method, "params": params})

    def close(self) -> None:
        """Have the server exit."""
        self._number += 1
        self._send({"id": self._number, "method": "shutdown"})
        self._send({"method": "exit"})
        with self._process:
            self._stdout.read()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _oblige(self, message: dict[str, Any]) -> None:
        if "id" in message:
            wanted = message["method"] == "workspace/configuration"
            result = [None] * len(message["params"]["items"]) if wanted else None
            self._send({"id": message["id"], "result": result})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._stdin.flush()

    def _receive(self) -> dict[str, Any]:
        length = 0
        while (line := self._stdout.readline().strip()) or not length:
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        message: dict[str, Any] = json.loads(self._stdout.read(length))
        return message
