"""The real language servers that tests drive."""

from __future__ import annotations

import os

from attrs import evolve

from mmtools.adapters.lsp import known_servers
from mmtools.adapters.lsp.timeouts import Timeouts
from mmtools.ports.language_servers import LanguageServer
from tests import programs

__all__ = ["PATIENCE", "environment", "program_of", "real_server"]

#: Loaded machines take their time, also before they begin to load; nothing here waits that long when all is well.
PATIENCE = Timeouts(
    initialize_s=90.0, request_s=90.0, wake_s=90.0, ready_s=90.0, settle_s=90.0, grace_s=2.0, repeat_s=1.0
)


def environment() -> dict[str, str]:
    """Return the environment in which all servers are found."""
    return {**os.environ, "PATH": programs.PATH, "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local"}


def program_of(name: str) -> str:
    """Return the program of a server, as `programs` knows it."""
    (server,) = known_servers.resolve([name])
    return server.command[0]


def real_server(name: str) -> LanguageServer:
    """Return an installed server."""
    (server,) = known_servers.resolve([name])
    return evolve(server, command=(programs.path(server.command[0]), *server.command[1:]))
