"""
The composition root: its options reach what they are about.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from mmtools import AllowAll, Choice, Decision, EnvironmentPolicy, RefuseAll, local
from mmtools.call import FilesPreview, ReadPreview
from mmtools.testing.permissions import Scripted


def test_the_five_lines_of_the_contract_work(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("".join(f"line {n}\n" for n in range(1, 41)))
    with local.mm(str(tmp_path), permission=AllowAll()) as runner:
        text = runner.execute("read_file", {"path": "README.md", "end": 20})
    assert text.split("\n")[-1] == "line 20"


def test_a_root_must_be_a_directory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for root in ("file", "missing"):
        with pytest.raises(NotADirectoryError):
            local.mm(tmp_path / root, permission=AllowAll())


def test_commands_see_no_secret_unless_the_host_passes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-AAA")
    monkeypatch.setenv("MMTOOLS_API_KEY", "mm-BBB")
    with local.mm(tmp_path, permission=AllowAll()) as runner:
        text = runner.execute("bash", {"command": "env; tr '\\0' ' ' < /proc/$$/cmdline"})
    assert "sk-AAA" not in text
    assert "mm-BBB" not in text
    assert "PATH=" in text
    policy = EnvironmentPolicy(pass_through=("OPENAI_API_KEY",))
    with local.mm(tmp_path, permission=AllowAll(), environment=policy) as runner:
        assert "sk-AAA" in runner.execute("bash", {"command": "env"})
    with local.mm(tmp_path, permission=AllowAll(), environment={"ONLY": "this"}) as runner:
        text = runner.execute("bash", {"command": "env"})
    assert "ONLY=this" in text
    assert "HOME=" not in text


def test_paths_outside_are_refused_unless_a_root_is_added(tmp_path: Path) -> None:
    root, other = tmp_path / "proj", tmp_path / "proj-secret"
    root.mkdir()
    other.mkdir()
    (other / "k.txt").write_text("secret\n")
    with local.mm(root, permission=AllowAll()) as runner:
        text = runner.execute("read_file", {"path": "../proj-secret/k.txt"})
    assert str(other / "k.txt") in text
    assert "secret\n" not in text
    with local.mm(root, permission=AllowAll(), extra_roots=(other,)) as runner:
        assert runner.execute("read_file", {"path": str(other / "k.txt")}) == "secret\n"


def test_outside_may_be_left_to_a_person(tmp_path: Path) -> None:
    root, target = tmp_path / "proj", tmp_path / "k.txt"
    root.mkdir()
    target.write_text("secret\n")
    permission = Scripted([Decision(Choice.REJECT_ONCE), Decision(Choice.ALLOW_ONCE), Decision(Choice.ALLOW_ONCE)])
    with local.mm(root, permission=permission, outside="ask") as runner:
        assert runner.execute("read_file", {"path": "../k.txt"}).startswith("[read rejected by the user]")
        assert runner.execute("read_file", {"path": "../k.txt"}) == "secret\n"
        assert "wrote" in runner.execute("write_file", {"path": "../k.txt", "content": "mine\n"})
    read, _, write = permission.requests
    assert read.preview == ReadPreview(str(target))
    assert isinstance(write.preview, FilesPreview)
    assert target.read_text() == "mine\n"


def test_encodings_are_tried_for_what_is_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("café\n".encode("cp1252"))
    with local.mm(tmp_path, permission=AllowAll(), encodings=("cp1252",)) as runner:
        assert runner.execute("read_file", {"path": "a.txt"}) == "café\n"
        runner.execute("edit_file", {"path": "a.txt", "edits": [{"old": "é", "new": "ê"}]})
    assert (tmp_path / "a.txt").read_bytes() == "cafê\n".encode("cp1252")


def test_closing_ends_what_commands_left_running(tmp_path: Path) -> None:
    with local.mm(tmp_path, permission=RefuseAll()) as runner:
        assert runner.execute("bash", {"command": "sleep 60 &"}).startswith("[command rejected")
    with local.mm(tmp_path, permission=AllowAll()) as runner:
        runner.execute("bash", {"command": "sleep 600 & echo $! > pid"})
        pid = int((tmp_path / "pid").read_text())
        assert Path(f"/proc/{pid}").exists()
    stat = Path(f"/proc/{pid}/stat")
    assert not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z"
