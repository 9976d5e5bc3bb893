"""
An MCP server over stdin and stdout that does what its tools' names say, well or badly. Run as a program:

    scripted_server.py '{"tools": […], "stubborn": true, …}'

Standard library only, so that it starts at once.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

__all__ = ["TOOLS", "Server"]

TOOLS = [
    {"name": name, "description": f"Do {name}.", "inputSchema": {"type": "object"}}
    for name in (
        "echo", "noisy", "die", "silent", "hold", "flood", "leak", "ask", "result", "line", "refuse", "spawn", "mute", "heard",
    )
]  # fmt: skip


class Server:
    """
    A server that answers line by line.

    Args:
        options: tools, pages (tools per page), loops (the cursor never ends), endless (so does the list), start ("silent", "exit", "deaf", "slow":
            until there is a file `go`), refuses (methods answered with an error), revision, greeting, stubborn, log (a file of what it heard),
            born (a file that gets a line per start), later (tools after list_changed), later_options (a file of more).
    """

    def __init__(self, options: dict[str, Any]) -> None:
        if more := options.get("later_options"):
            with open(more, encoding="utf-8") as file:
                options = {**options, **json.load(file)}
        self.options = options
        self.tools: list[Any] = options.get("tools", TOOLS)
        self.held: list[Any] = []
        self.heard: list[Any] = []
        self.asking: dict[str, Any] = {}
        self.out = sys.stdout.buffer

    def run(self) -> None:
        if self.options.get("stubborn"):
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
        if born := self.options.get("born"):
            with open(born, "a", encoding="utf-8") as file:
                print(os.getpid(), file=file)
        match self.options.get("start"):
            case "silent":
                time.sleep(1000)
            case "exit":
                print("cannot read the key file", file=sys.stderr)
                sys.exit(7)
            case "slow":
                while not os.path.exists(self.options["go"]):
                    time.sleep(0.01)
            case "deaf":
                os.close(0)
                time.sleep(1000)
        print("starting…", flush=True)
        self.out.write(b'\n  \r\n\xff\xfe\x80 not UTF-8\n{"level": "info"}\n[1, 2]\n')
        self.out.flush()
        for line in sys.stdin.buffer:
            self.hear(json.loads(line))
        if self.options.get("stubborn"):
            while True:
                time.sleep(1000)

    def hear(self, message: dict[str, Any]) -> None:
        if log := self.options.get("log"):
            with open(log, "a", encoding="utf-8") as file:
                print(json.dumps(message), file=file)
        method, number, params = message.get("method"), message.get("id"), message.get("params", {})
        if method is None:
            asked = self.asking.pop(str(number), None)
            if asked is not None:
                self.text(asked, json.dumps({key: message[key] for key in ("result", "error") if key in message}))
        elif number is None:
            self.heard.append(message)
        elif method in self.options.get("refuses", ["server/discover"]):
            self.say(id=number, error={"code": -32601, "message": f"no {method} here"})
        elif method == "initialize":
            revision = self.options.get("revision", params.get("protocolVersion"))
            capabilities = {"tools": {"listChanged": "later" in self.options}}
            info = {"name": "scripted", "version": "1"}
            self.say(id=number, result={"protocolVersion": revision, "capabilities": capabilities, "serverInfo": info})
        elif method == "server/discover":
            self.say(
                id=number,
                result={
                    "supportedVersions": ["2026-07-28"],
                    "capabilities": {"tools": {}},
                    "resultType": "complete",
                    "ttlMs": 0,
                    "cacheScope": "public",
                },
            )
        elif method == "tools/list":
            self.list(number, params)
        elif method == "tools/call":
            self.call(number, params["name"], params.get("arguments"))

    def list(self, number: Any, params: dict[str, Any]) -> None:
        size = self.options.get("pages", len(self.tools) or 1)
        start = int(params.get("cursor", 0))
        result: dict[str, Any] = {"tools": self.tools[start : start + size]}
        if self.options.get("endless"):
            result = {"tools": [{"name": f"t{start}"}], "nextCursor": str(start + 1)}
        elif self.options.get("loops"):
            result["nextCursor"] = "0"
        elif start + size < len(self.tools):
            result["nextCursor"] = str(start + size)
        self.say(id=number, result=result)
        if "later" in self.options and self.tools != self.options["later"]:
            self.tools = self.options["later"]
            self.say(method="notifications/tools/list_changed")

    def call(self, number: Any, name: str, arguments: Any) -> None:
        match name:
            case "echo":
                self.text(number, json.dumps(arguments))
            case "noisy":
                self.out.write(b"working\xff\n\n\n{not json}\n\x1b[31mred\x1b[0m\n")
                self.text(number, "done")
            case "die":
                print("loading\nfatal: out of \x1b[1mmemory\x1b[0m\n", file=sys.stderr, flush=True)
                os._exit(3)
            case "hold":
                self.held.append((number, arguments))
                if len(self.held) == arguments["of"]:
                    for held, given in reversed(self.held):
                        self.text(held, json.dumps(given))
                    self.held.clear()
            case "flood":
                for count in range(20_000):
                    print(f"{count} {'x' * 300}", file=sys.stderr)
                self.text(number, "done")
            case "leak":
                subprocess.Popen([sys.executable, "-c", "while True: print('y' * 1000)"])
                time.sleep(0.2)
                os._exit(4)
            case "ask":
                self.asking[f"q{number}"] = number
                self.say(id=f"q{number}", **arguments)
            case "result":
                self.say(id=number, result=arguments["result"])
            case "line":
                self.out.write(arguments["line"].replace("ID", str(number)).encode() + b"\n")
                self.out.flush()
            case "refuse":
                self.say(id=number, error=arguments["error"])
            case "spawn":
                child = subprocess.Popen(
                    [sys.executable, "-c", "import time; time.sleep(1000)"], start_new_session=True
                )
                self.text(number, str(child.pid))
            case "mute":
                os.close(1)
            case "heard":
                self.text(number, json.dumps(self.heard))

    def text(self, number: Any, text: str) -> None:
        self.say(id=number, result={"content": [{"type": "text", "text": text}]})

    def say(self, **message: Any) -> None:
        self.out.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.out.flush()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        Server(json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}).run()
