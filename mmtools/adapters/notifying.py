"""Files and commands whose changes language servers are told of, whichever tool made them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from attrs import frozen

from mmtools.call import Cancellation
from mmtools.ports.files import Files, Place, Reader, Replaced, Snapshot
from mmtools.ports.language_servers import LanguageServers
from mmtools.ports.processes import Exit, Processes

__all__ = ["NotifyingFiles", "NotifyingProcesses"]


@frozen
class NotifyingFiles:
    """Some files, with a note of what is replaced."""

    files: Files
    servers: LanguageServers

    def absolute(self, path: str) -> str:
        return self.files.absolute(path)

    def locate(self, path: str) -> Place:
        return self.files.locate(path)

    def snapshot(self, place: Place) -> Snapshot:
        return self.files.snapshot(place)

    def open(self, place: Place) -> AbstractContextManager[Reader]:
        return self.files.open(place)

    def replace(self, before: Snapshot, data: bytes) -> Replaced:
        replaced = self.files.replace(before, data)
        self.servers.note_changed([before.place.path])
        return replaced

    def names_beside(self, place: Place) -> tuple[str, ...]:
        return self.files.names_beside(place)


@frozen
class NotifyingProcesses:
    """Some processes, with a note after each command that anything may have changed."""

    processes: Processes
    servers: LanguageServers

    @property
    def directory(self) -> str:
        return self.processes.directory

    def run(
        self,
        command: str,
        *,
        timeout_s: float,
        max_chars: int,
        on_output: Callable[[str], None],
        cancellation: Cancellation,
    ) -> Exit:
        try:
            return self.processes.run(
                command, timeout_s=timeout_s, max_chars=max_chars, on_output=on_output, cancellation=cancellation
            )
        finally:
            self.servers.note_changed()

    def close(self) -> None:
        self.processes.close()
