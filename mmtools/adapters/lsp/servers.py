"""`LanguageServers` on this machine: child processes, started when they are first needed."""

from __future__ import annotations

import json
import os
import time
import weakref
from collections.abc import Iterable, Sequence
from typing import Self

from mmtools.adapters.lsp import known_servers
from mmtools.adapters.lsp.documents import Read
from mmtools.adapters.lsp.open_files import LocalOpenFile
from mmtools.adapters.lsp.supervisor import Environment, Supervisor
from mmtools.adapters.lsp.timeouts import Timeouts
from mmtools.call import Cancellation
from mmtools.errors import DefinitionError
from mmtools.ports.files import Place
from mmtools.ports.language_server_problems import NoServer
from mmtools.ports.language_servers import LanguageServer

__all__ = ["LocalLanguageServers"]


class LocalLanguageServers:
    """
    The language servers for one directory.

    Args:
        root: The project; made absolute, symlinks resolved, now.
        servers: Those that are installed, in order of preference.
        read: Reads the text of a file: a `TextReader`.
        environment: The servers' whole environment, or what returns it at each start; one variable is added.

    Raises:
        DefinitionError: A server has no command, or its settings or options are no JSON.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        servers: Sequence[LanguageServer],
        *,
        read: Read,
        environment: Environment,
        timeouts: Timeouts = Timeouts(),  # noqa: B008 - frozen
    ) -> None:
        self._servers = tuple(map(_checked, servers))
        directory = os.path.realpath(root)
        self._supervisors = [
            Supervisor(known_servers.advised(server), directory, read=read, environment=environment, timeouts=timeouts)
            for server in self._servers
        ]
        self._finalizer = weakref.finalize(self, _close, self._supervisors, os.getpid(), timeouts)

    @property
    def servers(self) -> tuple[LanguageServer, ...]:
        return self._servers

    def open(self, place: Place, cancellation: Cancellation) -> LocalOpenFile:
        supervisor = next((supervisor for supervisor in self._supervisors if supervisor.server.takes(place.path)), None)
        if supervisor is None:
            raise NoServer("", place.requested)
        return LocalOpenFile(supervisor.session(cancellation), place, cancellation)

    def note_changed(self, paths: Iterable[str] | None = None) -> None:
        noted = None if paths is None else tuple(paths)
        for supervisor in self._supervisors:
            supervisor.note_changed(noted)

    def close(self) -> None:
        self._finalizer()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _checked(server: LanguageServer) -> LanguageServer:
    if not server.command:
        raise DefinitionError(f"language server {server.name!r} has no command")
    try:
        json.dumps([dict(server.settings), server.initialization_options])
    except (TypeError, ValueError, RecursionError) as problem:
        raise DefinitionError(f"settings or options of {server.name!r} are no JSON: {problem}") from problem
    return server


def _close(supervisors: Sequence[Supervisor], owner: int, timeouts: Timeouts) -> None:
    """Stop all servers side by side. A fork of this process owns none."""
    if os.getpid() != owner:
        return
    peers = [peer for supervisor in supervisors if (peer := supervisor.close())]
    shutdowns = [(peer, peer.begin_shutdown()) for peer in peers]
    until = time.monotonic() + timeouts.shutdown_s
    for peer, number in shutdowns:
        peer.end_shutdown(number, until)
