"""A project on disk, a scripted server for it, and the adapter between them."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import evolve

from mmtools.adapters.local_files import LocalFiles
from mmtools.adapters.lsp.open_files import LocalOpenFile
from mmtools.adapters.lsp.servers import LocalLanguageServers
from mmtools.adapters.lsp.texts import TextReader
from mmtools.adapters.lsp.timeouts import Timeouts
from mmtools.adapters.process.tables import ProcTable
from mmtools.call import Cancellation
from mmtools.core.lsp.positions import Position
from mmtools.ports.language_servers import LanguageServer
from mmtools.testing.scripted_language_servers import CAPABILITIES, ScriptedLanguageServer, Step
from tests.patience import AGES_S, PATIENCE_S

__all__ = ["HASTE", "HERE", "PATIENT", "Bench", "bench", "lives", "threads"]

#: Short waits, for servers whose answers come at once or never; long ones for what comes as soon as the machine lets it.
HASTE = Timeouts(
    initialize_s=PATIENCE_S,
    request_s=PATIENCE_S,
    ready_s=2.0,
    repeat_s=0.05,
    settle_s=0.5,
    grace_s=0.05,
    retry_s=0.01,
    quiet_s=0.05,
    clean_s=0.2,
    shutdown_s=1.0,
    restarts_s=AGES_S,
)
#: Nothing is given up while a test lasts.
PATIENT = evolve(HASTE, initialize_s=AGES_S, request_s=AGES_S, wake_s=AGES_S, ready_s=AGES_S)
HERE = Position(0, 0)


class Bench:
    """One root with one scripted server; the script and its log lie beside it."""

    def __init__(
        self, folder: Path, scripted: ScriptedLanguageServer, timeouts: Timeouts, server: LanguageServer
    ) -> None:
        self.root = folder / "project"
        self.root.mkdir(exist_ok=True)
        self.scripted = scripted
        self.files = LocalFiles(self.root)
        self.servers = LocalLanguageServers(
            self.root,
            [server],
            read=TextReader(files=self.files),
            environment=dict(os.environ),
            timeouts=timeouts,
        )

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def open(self, name: str = "a.py", cancellation: Cancellation | None = None) -> LocalOpenFile:
        return self.servers.open(self.files.locate(name), cancellation or Cancellation())

    def received(self, method: str) -> list[Any]:
        """The parameters of all messages of a method that the server has read."""
        return [message.get("params") for message in self.scripted.received(method)]

    def pids(self) -> list[int]:
        """The pids of the server's children, as it wrote them down."""
        return [entry["child"] for entry in self.scripted.received() if "child" in entry]


@contextmanager
def bench(
    folder: Path,
    on: Mapping[str, Sequence[Sequence[Step]]] | None = None,
    *,
    timeouts: Timeouts = HASTE,
    capabilities: Mapping[str, Any] = CAPABILITIES,
    piece_bytes: int = 0,
    **more: Any,
) -> Iterator[Bench]:
    """Set up a project with one file, `a.py`; everything is stopped at the end."""
    scripted = ScriptedLanguageServer(folder, on, capabilities=capabilities, piece_bytes=piece_bytes)
    made = Bench(folder, scripted, timeouts, scripted.configured(**more))
    made.write("a.py", "a = 1\n")
    try:
        yield made
    finally:
        made.servers.close()


def lives(pid: int) -> bool:
    """Whether a process runs; one that only waits to be reaped does not."""
    process = ProcTable().find(pid)
    return process is not None and process.running


def threads() -> set[str]:
    """The threads that look after servers."""
    return {thread.name for thread in threading.enumerate() if thread.name.startswith("mmtools-lsp")}
