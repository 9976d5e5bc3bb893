"""Files whose root is gone, and paths whose home nobody knows: the real cause, and nothing made."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mmtools import AllowAll, Runner, local
from mmtools.adapters.local_files import LocalFiles
from mmtools.ports.files import BadPath, RootGone

MM: dict[str, Any] = {
    "read_file": {"path": "a.txt"},
    "write_file": {"path": "src/new.txt", "content": "x\n"},
    "edit_file": {"path": "a.txt", "edits": [{"old": "HIT", "new": "MISS"}]},
    "bash": {"command": "echo hi"},
}
CRAB: dict[str, Any] = {
    "read": {"file_path": "a.txt"},
    "write": {"file_path": "src/new.txt", "content": "x\n"},
    "edit": {"file_path": "a.txt", "edits": [{"old": "HIT", "new": "MISS"}]},
    "glob": {"pattern": "*"},
    "grep": {"pattern": "HIT"},
    "bash": {"command": "echo hi"},
}


@pytest.fixture(params=["removed", "moved", "a file now"])
def lose(request: pytest.FixtureRequest) -> Callable[[Path], None]:
    def lose(root: Path) -> None:
        root.rename(root.with_name("elsewhere"))
        if request.param == "a file now":
            root.write_text("")

    return lose


@pytest.mark.parametrize(("dialect", "calls"), [(local.mm, MM), (local.crab, CRAB)], ids=["mm", "crab"])
def test_every_tool_says_that_the_root_is_gone_and_works_when_it_is_back(
    tmp_path: Path, dialect: Callable[..., Runner], calls: dict[str, Any], lose: Callable[[Path], None]
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.txt").write_text("HIT\n")
    with dialect(root, permission=AllowAll()) as runner:
        lose(root)
        for name, arguments in calls.items():
            for told in (runner.execute(name, arguments), asyncio.run(runner.aexecute(name, arguments))):
                assert f"directory {root} is gone; only the host can open another" in told, name
        assert not root.is_dir()
        root.unlink(missing_ok=True)
        root.with_name("elsewhere").rename(root)
        runner.reset()
        for name, arguments in calls.items():
            assert "is gone" not in runner.execute(name, arguments)
        assert (root / "src/new.txt").read_text() == "x\n"


def test_a_root_that_goes_between_question_and_answer_is_not_made_again(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    files = LocalFiles(root)
    place = files.locate("src/deep/new.txt")
    before = files.snapshot(place)
    root.rmdir()
    with pytest.raises(RootGone) as gone:
        files.replace(before, b"x")
    assert gone.value.reason == str(root)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("home", [None, "", "rel/home"])
def test_a_home_that_nobody_knows_is_no_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str | None) -> None:
    if home is None:
        monkeypatch.delenv("HOME", raising=False)
        # As for a user that the table does not know.
        monkeypatch.setattr(os, "getuid", lambda: 4_000_000_000)
    else:
        monkeypatch.setenv("HOME", home)
    monkeypatch.chdir(tmp_path)
    files = LocalFiles(tmp_path, outside="ask")
    with pytest.raises(BadPath) as refused:
        files.locate("~/notes.txt")
    assert "HOME" in refused.value.reason
    with local.mm(tmp_path, permission=AllowAll()) as runner:
        told = runner.execute("write_file", {"path": "~/notes.txt", "content": "x"})
    assert told.count("\n") == 0
    assert "HOME" in told
    assert os.listdir(tmp_path) == []
    assert files.locate("~notes.txt").path == str(tmp_path / "~notes.txt")
