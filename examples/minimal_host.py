"""
The smallest host: a hand-written loop around a model that answers with tool calls.

The model is a list here; a real one gets `providers.anthropic(runner.specs)` (or another API's shape)
and each text back.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from mmtools import AllowAll, LoopStopped, local


def model() -> Iterator[tuple[str, dict[str, object]]]:
    yield "read_file", {"path": "greeting.txt"}
    yield "edit_file", {"path": "greeting.txt", "edits": [{"old": "wrold", "new": "world"}]}
    yield "bash", {"command": "cat greeting.txt"}


def main() -> None:
    with tempfile.TemporaryDirectory() as root:
        Path(root, "greeting.txt").write_text("hello wrold\n", encoding="utf-8")
        with local.mm(root, permission=AllowAll()) as runner, runner.turn():
            for name, arguments in model():
                try:
                    text = runner.execute(name, arguments)
                except LoopStopped as stop:
                    print(stop)
                    break
                print(f"> {name}\n{text}")
            print(runner.recap())


if __name__ == "__main__":
    main()
