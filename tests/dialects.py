"""Every dialect with every tool it can declare, for the tests that go through all of them."""

from __future__ import annotations

from pathlib import Path

from mmtools import local
from mmtools.ports.permission import Permission
from mmtools.runner import Runner
from tests.servers import real_server

__all__ = ["DIALECTS", "everything", "lay_out"]

DIALECTS = ("crab", "mm")


def lay_out(root: Path) -> None:
    """Put down the files that the sample calls of the contracts work on."""
    (root / "notes.txt").write_bytes(b"alpha\nbeta\n")
    (root / "code.py").write_bytes(b"def greet():\n    return 1\n\n\ngreet()\n")
    skills = root / ".skills"
    skills.mkdir()
    (skills / "greet.md").write_text("---\ndescription: How to greet.\n---\nSay hello.\n", encoding="utf-8")


def everything(dialect: str, root: Path, permission: Permission) -> Runner:
    """Bind a dialect with all its tools declared, and with what they need to have read before."""
    if dialect == "crab":
        runner = local.crab(root, permission=permission, allow_addresses=["127.0.0.0/8"])
        assert runner.execute("read", {"path": "notes.txt"}) == "alpha\nbeta\n"
        return runner
    assert dialect == "mm"
    return local.mm(root, permission=permission, skills_dir=root / ".skills", lsp_servers=[real_server("ty")])
