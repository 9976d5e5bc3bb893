"""Files that were written behind a server's back."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from mmtools.adapters.lsp.changed_files import Change, ChangedFiles, look

CREATED, CHANGED, DELETED = Change.CREATED, Change.CHANGED, Change.DELETED


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("a.py", "sub/b.py", ".git/c.py", "node_modules/d.py", "sub/__pycache__/e.pyc"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("1")
    return tmp_path


def test_what_is_noted_is_told_once_with_what_became_of_it(root: Path) -> None:
    changed = ChangedFiles(str(root))
    assert changed.take() == {}
    (root / "a.py").write_text("22")
    (root / "new.py").write_text("1")
    (root / "sub/b.py").unlink()
    outside = str(root.parent / "elsewhere.py")
    changed.note(str(root / name) for name in ("a.py", "new.py", "sub/b.py"))
    changed.note([outside])
    assert changed.take() == {
        str(root / "a.py"): CHANGED,
        str(root / "new.py"): CREATED,
        str(root / "sub/b.py"): DELETED,
        outside: DELETED,
    }
    assert changed.take() == {}
    changed.note(None)
    assert changed.take() == {}


def test_what_a_command_did_is_found(root: Path) -> None:
    changed = ChangedFiles(str(root))
    (root / "a.py").write_text("22")
    (root / "sub/deep/er").mkdir(parents=True)
    (root / "sub/deep/er/new.py").write_text("1")
    (root / "sub/b.py").unlink()
    (root / ".git/c.py").write_text("22")
    (root / "node_modules/d.py").unlink()
    (root / "sub/__pycache__/e.pyc").write_text("22")
    assert changed.take() == {}
    changed.note(None)
    assert changed.take() == {
        str(root / "a.py"): CHANGED,
        str(root / "sub/deep/er/new.py"): CREATED,
        str(root / "sub/b.py"): DELETED,
    }
    changed.note(None)
    assert changed.take() == {}


def test_a_note_counts_where_nothing_was_left_out_of_sight(root: Path) -> None:
    changed = ChangedFiles(str(root))
    (root / ".git/c.py").write_text("22")
    changed.note([str(root / ".git/c.py")])
    changed.note(None)
    assert changed.take() == {str(root / ".git/c.py"): CREATED}


def test_notes_of_many_threads_all_arrive(root: Path) -> None:
    changed = ChangedFiles(str(root))
    taken: set[str] = set()

    def note(part: int) -> None:
        for each in range(200):
            changed.note([f"/x/{part}/{each}"])

    writers = [threading.Thread(target=note, args=[part]) for part in range(4)]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        taken |= set(changed.take())
    taken |= set(changed.take())
    assert taken == {f"/x/{part}/{each}" for part in range(4) for each in range(200)}


def test_a_folder_that_is_too_full_is_not_looked_through(root: Path) -> None:
    assert look(str(root), most=2)
    assert look(str(root), most=1) is None


def test_links_are_files_or_nothing(root: Path) -> None:
    (root / "link.py").symlink_to(root / "a.py")
    (root / "dangling.py").symlink_to(root / "none")
    (root / "loop").symlink_to(root)
    found = look(str(root))
    assert found is not None
    assert {Path(path).name for path in found} == {"a.py", "b.py", "link.py"}
    assert look(str(root / "none")) == {}
