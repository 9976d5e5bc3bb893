"""Every example runs, and stays short enough to read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[1] / "examples"


#: Serves until its client leaves: `tests/hosting/acp/test_example.py` is that client.
SERVERS = {"acp_agent"}


@pytest.mark.parametrize(
    "path", [path for path in sorted(EXAMPLES.glob("*.py")) if path.stem not in SERVERS], ids=lambda path: path.stem
)
def test_an_example_runs_and_is_short(path: Path, tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-W", "error", path], capture_output=True, text=True, timeout=120, cwd=tmp_path, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""
    assert ended.stdout
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 65
    assert list(tmp_path.iterdir()) == []


def test_the_demo_shows_the_whole_story() -> None:
    told = subprocess.run(
        [sys.executable, EXAMPLES / "demo.py"], capture_output=True, text=True, timeout=120, check=True
    ).stdout
    story = [
        "FAIL: test_the_discount",
        "exit status 1",
        "not found",
        "edited prices.py",
        "OK",
        "created CHANGES.md",
        "LOOP_DETECTED",
        "⚙ 2 command(s)",
    ]
    places = [told.find(moment) for moment in story]
    assert -1 not in places, dict(zip(story, places, strict=True))
    assert places == sorted(places)
    assert told.endswith("⚙ 2 command(s)  📝 7 file op(s)  📖 1 skill(s)  🔎 1 lsp call(s)\n")
