"""Replay a recorded session on a copy of a small project, with real tools and the terminal display."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent

#: Servers for Python, the best first, and the program of each.
SERVERS = {"basedpyright": "basedpyright-langserver", "pyright": "pyright-langserver", "ty": "ty"}


def main() -> int:
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])
    server = next((name for name, program in SERVERS.items() if shutil.which(program, path=path)), None)
    lines = (HERE / "session.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    if server is None:
        print("no language server for Python is installed: the session goes without its rename by lsp\n", flush=True)
        lines = [line for line in lines if '"tool": "lsp"' not in line]
    with tempfile.TemporaryDirectory() as scratch:
        project, session = Path(scratch, "shop"), Path(scratch, "session.jsonl")
        shutil.copytree(HERE / "shop", project, ignore=shutil.ignore_patterns("__pycache__"))
        session.write_text("".join(lines), encoding="utf-8")
        words = ["replay", str(session), "--allow", "all", "--root", str(project), "--skills-dir", str(HERE / "skills")]
        words += ["--lsp", server] if server else []
        environment = {**os.environ, "PATH": path}
        return subprocess.run([sys.executable, "-m", "mmtools", *words], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
