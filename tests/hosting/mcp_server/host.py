"""A host program as a user writes it. Run as: `host.py stdio|http ROOT [mm|crab] [ask|all|reads]`."""

from __future__ import annotations

import sys

from mmtools import AllowAll, Permission, ReadOnly, Runner, local
from mmtools.hosting.mcp_server import ToolServer, serve_http, serve_stdio
from mmtools.ports.display import Display


def main(transport: str, root: str, dialect: str = "mm", allow: str = "ask") -> None:
    def open_runner(asking: Permission, display: Display) -> Runner:
        decides = {"ask": asking, "all": AllowAll(), "reads": ReadOnly()}[allow]
        return (
            local.crab(root, permission=decides, display=display)
            if dialect == "crab"
            else (local.mm(root, permission=decides, display=display))
        )

    server = ToolServer(open_runner, version="1.2.3")
    if transport == "stdio":
        serve_stdio(server)
    else:
        serve_http(server)


if __name__ == "__main__":
    main(*sys.argv[1:])
