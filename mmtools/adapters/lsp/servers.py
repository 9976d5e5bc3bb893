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
from mmtools.adapters.lsp.keeper import Environment, Keeper
from mmtools.adapters.lsp.open_files import LocalOpenFile
from mmtools.adapters.lsp.patience import Patience
from mmtools.call import Cancellation
from mmtools.errors import DefinitionError
from mmtools.ports.files import Place
from mmtools.ports.language_server_problems import NoServer
from mmtools.ports.language_servers import LanguageServer

__all__ = ["LocalLanguageServers"]


class LocalLanguageServers:
    """
    Keep language servers for one directory.

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
        patience: Patience = Patience(),  # noqa: B008 - frozen
    ) -> None:
        self._servers = tuple(map(_checked, servers))
        directory = os.path.realpath(root)
        self._keepers = [
            Keeper(known_servers.advised(server), directory, read=read, environment=environment, patience=patience)
            for server in self._servers
        ]
        self._finalizer = weakref.finalize(self, _close, self._keepers, os.getpid(), patience)

    @property
    def servers(self) -> tuple[LanguageServer, ...]:
        return self._servers

    def open(self, place: Place, cancellation: Cancellation) -> LocalOpenFile:
        keeper = next((keeper for keeper in self._keepers if keeper.server.takes(place.path)), None)
        if keeper is None:
            raise NoServer("", place.shown)
        return LocalOpenFile(keeper.session(cancellation), place, cancellation)

    def note_changed(self, paths: Iterable[str] | None = None) -> None:
        noted = None if paths is None else tuple(paths)
        for keeper in self._keepers:
            keeper.note_changed(noted)

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


def _close(keepers: Sequence[Keeper], owner: int, patience: Patience) -> None:
    """Stop all servers side by side. A fork of this process owns none."""
    if os.getpid() != owner:
        return
    peers = [peer for keeper in keepers if (peer := keeper.close())]
    farewells = [(peer, peer.begin_farewell()) for peer in peers]
    until = time.monotonic() + patience.shutdown_s
    for peer, number in farewells:
        peer.end_farewell(number, until)
