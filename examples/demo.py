"""
Replay a recorded session on a copy of a small project, with real tools and the terminal display.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent


def main() -> int:
    with tempfile.TemporaryDirectory() as scratch:
        project = Path(scratch, "shop")
        shutil.copytree(HERE / "shop", project, ignore=shutil.ignore_patterns("__pycache__"))
        replay = [sys.executable, "-m", "mmtools", "replay", str(HERE / "session.jsonl"), "--allow", "all"]
        where = ["--root", str(project), "--skills-dir", str(HERE / "skills")]
        return subprocess.run([*replay, *where], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
