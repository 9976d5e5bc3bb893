"""When each tool of mm is declared, and with which limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from mmtools import AllowAll, RefuseAll, local


def names(root: Path, **options: bool) -> list[str]:
    with local.mm(root, permission=RefuseAll(), skills_dir=root / "skills", **options) as runner:  # type: ignore[arg-type] # the two switches only
        return [spec.name for spec in runner.specs]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "skills").mkdir()
    return tmp_path


def test_bash_and_the_file_tools_are_declared_by_default(root: Path) -> None:
    assert names(root) == ["bash", "read_file", "write_file", "edit_file"]


def test_each_switch_leaves_its_tools_out(root: Path) -> None:
    assert names(root, bash_tool=False) == ["read_file", "write_file", "edit_file"]
    assert names(root, edit_tools=False) == ["bash"]
    assert names(root, bash_tool=False, edit_tools=False) == []


def test_read_skill_is_declared_when_there_is_a_skill(root: Path) -> None:
    (root / "skills" / "x").mkdir()
    assert "read_skill" not in names(root)
    (root / "skills" / "x" / "SKILL.md").write_text("Do x.\n")
    assert names(root) == ["bash", "read_skill", "read_file", "write_file", "edit_file"]


def test_the_limits_reach_the_tools(root: Path) -> None:
    (root / "long.txt").write_text("x" * 50 + "\n" + "y" * 50 + "\n")
    with local.mm(root, permission=AllowAll(), max_output=60, bash_timeout_s=0.2) as runner:
        assert "y" not in runner.execute("read_file", {"path": "long.txt"})
        assert runner.execute("bash", {"command": "sleep 9"}).endswith("[error: 0.2s timeout exceeded]")


def test_read_before_edit_is_one_argument_away(root: Path) -> None:
    (root / "a.txt").write_text("one\n")
    edit = {"path": "a.txt", "edits": [{"old": "one", "new": "two"}]}
    with local.mm(root, permission=AllowAll(), read_before_edit=True) as runner:
        assert "not read yet" in runner.execute("edit_file", edit)
        assert (root / "a.txt").read_text() == "one\n"
        runner.execute("read_file", {"path": "a.txt"})
        assert runner.execute("edit_file", edit).startswith("edited a.txt")
        again = {"path": "a.txt", "edits": [{"old": "two", "new": "three"}]}
        assert runner.execute("edit_file", again).startswith("edited a.txt")
        (root / "a.txt").write_text("mine\n")
        assert "changed" in runner.execute("write_file", {"path": "a.txt", "content": "theirs\n"})
        assert (root / "a.txt").read_text() == "mine\n"
        assert runner.execute("write_file", {"path": "new.txt", "content": "x\n"}).startswith("created new.txt")
        runner.reset()
        assert "not read yet" in runner.execute("edit_file", {"path": "new.txt", "edits": [{"old": "x", "new": "y"}]})
