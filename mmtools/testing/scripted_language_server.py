"""
A language server that does what its script says: a program, for tests of clients.

    python -I -S scripted_language_server.py SCRIPT.json LOG.jsonl

Imports nothing but the standard library, so that it starts at once. `scripted_language_servers` writes its scripts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections import deque
from typing import Any

__all__ = ["Program", "main"]


class Program:
    """
    A server that reads messages, logs each, and plays what the script has for it.

    Args:
        script: `on`: method → turns, each a list of steps; the last turn repeats. `capabilities`: for `initialize`.
            `piece_bytes`: how many bytes are written at once; 0 for all.
        log: Gets each message received, and each child's pid, as a line.
    """

    def __init__(self, script: dict[str, Any], log: str) -> None:
        self._script = script
        self._log = log
        self._turns = {method: deque(turns) for method, turns in script["on"].items()}
        self._answered: set[str] = set()
        self._postponed: deque[dict[str, Any]] = deque()
        self._writing = threading.Lock()
        self._uri = ""
        self._version: int | None = None

    def run(self) -> None:
        """Serve until the end of the input."""
        while (message := self._postponed.popleft() if self._postponed else self._read()) is not None:
            self._take(message)

    def _take(self, message: dict[str, Any]) -> None:
        method = message.get("method")
        if method is None:
            self._answered.add(repr(message.get("id")))
            return
        document = (message.get("params") or {}).get("textDocument") or {}
        self._uri = document.get("uri", self._uri)
        self._version = document.get("version", self._version)
        turns = self._turns.get(method)
        if turns:
            self._play(turns[0] if len(turns) == 1 else turns.popleft(), message)
        elif method == "initialize":
            self._reply(message, {"capabilities": self._script["capabilities"]})
        elif method == "exit":
            os._exit(0)
        elif "id" in message:
            self._reply(message, None)

    def _play(self, steps: list[dict[str, Any]], message: dict[str, Any]) -> None:
        for step in steps:
            ((name, value),) = step.items()
            getattr(self, f"_do_{name}")(self._filled(value), message)

    def _do_reply(self, result: Any, message: dict[str, Any]) -> None:
        self._reply(message, result)

    def _do_fail(self, error: dict[str, Any], message: dict[str, Any]) -> None:
        self._send({"id": message["id"], "error": error})

    def _do_send(self, other: dict[str, Any], message: dict[str, Any]) -> None:
        self._send(other)

    def _do_await(self, id_: Any, message: dict[str, Any]) -> None:
        while repr(id_) not in self._answered:
            other = self._read()
            if other is None:
                os._exit(0)
            if "method" in other:
                self._postponed.append(other)
            else:
                self._take(other)

    def _do_later(self, later: dict[str, Any], message: dict[str, Any]) -> None:
        timer = threading.Timer(later["seconds"], self._play, [later["steps"], message])
        timer.daemon = True
        timer.start()

    def _do_sleep(self, seconds: float, message: dict[str, Any]) -> None:
        time.sleep(seconds)

    def _do_errors(self, text: str, message: dict[str, Any]) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()

    def _do_flood(self, megabytes: int, message: dict[str, Any]) -> None:
        for _ in range(megabytes * 16):
            sys.stderr.write(("x" * 127 + "\n") * 512)
        sys.stderr.flush()

    def _do_raw(self, text: str, message: dict[str, Any]) -> None:
        self._write(text.encode("utf-8", "surrogateescape"))

    def _do_exit(self, code: int, message: dict[str, Any]) -> None:
        os._exit(code)

    def _do_signal(self, number: int, message: dict[str, Any]) -> None:
        os.kill(os.getpid(), number)

    def _do_spawn(self, seconds: int, message: dict[str, Any]) -> None:
        child = subprocess.Popen([sys.executable, "-I", "-S", "-c", f"import time; time.sleep({seconds})"])
        self._note({"child": child.pid})

    def _do_close_output(self, _: Any, message: dict[str, Any]) -> None:
        os.close(1)

    def _filled(self, value: Any) -> Any:
        """Put in what `$uri` and `$version` stand for: those of the document spoken of last."""
        if isinstance(value, dict):
            return {key.replace("$uri", self._uri): self._filled(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self._filled(each) for each in value]
        if value == "$version":
            return self._version
        return value.replace("$uri", self._uri) if isinstance(value, str) else value

    def _reply(self, message: dict[str, Any], result: Any) -> None:
        self._send({"id": message["id"], "result": result})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode("utf-8", "surrogatepass")
        self._write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def _write(self, data: bytes) -> None:
        size = self._script["piece_bytes"] or len(data)
        with self._writing:
            for start in range(0, len(data), size):
                sys.stdout.buffer.write(data[start : start + size])
                sys.stdout.buffer.flush()
                if size < len(data):
                    time.sleep(0.0005)

    def _read(self) -> dict[str, Any] | None:
        length = 0
        while line := sys.stdin.buffer.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        body = sys.stdin.buffer.read(length)
        if not body:
            return None
        message: dict[str, Any] = json.loads(body)
        self._note(message)
        return message

    def _note(self, entry: dict[str, Any]) -> None:
        with open(self._log, "a", encoding="utf-8") as log:
            log.write(json.dumps(entry) + "\n")


def main(script: str, log: str) -> None:
    """
    Run a script.

    Args:
        script, log: Paths.
    """
    with open(script, encoding="utf-8") as file:
        Program(json.load(file), log).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
