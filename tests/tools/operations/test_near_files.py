"""What to send in place of a path that is not there, or is a directory."""

from __future__ import annotations

from pathlib import Path

from mmtools.adapters.local_files import LocalFiles
from mmtools.ports.files import Files
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.tools.operations.near_files import entries, offers


def offered(files: Files, path: str, call: StubCall | None = None) -> list[str]:
    return list(offers(files.locate(path), files, call or StubCall()))


def test_a_twin_beside_it_comes_before_all_that_is_elsewhere() -> None:
    files = MemoryFiles({"src/A.txt": "", "other/a.txt": ""})
    assert offered(files, "src/a.txt") == ["src/A.txt"]
    assert offered(files, "/repo/src/a.txt") == ["/repo/src/A.txt"]


def test_the_same_name_is_found_in_a_real_project(tmp_path: Path) -> None:
    for name in ("src/cachetools/keys.py", "tests/test_keys.py", "node_modules/keys.py", ".git/keys.py", "LICENSE"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    files = LocalFiles(tmp_path)
    assert offered(files, "keys.py") == ["src/cachetools/keys.py"]
    assert offered(files, f"{tmp_path.name}/src/cachetools/keys.py") == ["src/cachetools/keys.py"]
    assert offered(files, "cachetols") == ["src/cachetools"]
    assert offered(files, "src/licence") == ["LICENSE"]
    assert offered(files, "nothing.py") == []


def test_at_most_three_are_offered_and_none_that_is_denied() -> None:
    files = MemoryFiles({f"{folder}/a.txt": "" for folder in "bcdef"})
    assert offered(files, "a.txt") == ["b/a.txt", "c/a.txt", "d/a.txt"]
    call = StubCall(denied=lambda paths: "no" if "/repo/b/a.txt" in paths else None)
    assert offered(files, "a.txt", call) == ["c/a.txt", "d/a.txt", "e/a.txt"]


def test_outside_the_roots_nobody_looks() -> None:
    files = MemoryFiles({"/other/README.md": "k\n", "readme.md": ""}, outside="ask")
    assert offered(files, "/other/readme.md") == []


def test_a_directory_has_the_names_that_nothing_denies() -> None:
    files = MemoryFiles({"d/b": "", "d/a": "", "d/c/e": "", "x": ""})
    assert entries(files.locate("d"), files, StubCall()) == ["a", "b", "c"]
    call = StubCall(denied=lambda paths: "no" if "/repo/d/a" in paths else None)
    assert entries(files.locate("d"), files, call) == ["b", "c"]


def test_a_large_project_is_looked_at_near_its_root_only() -> None:
    files = MemoryFiles({f"d{number:03}/f{number:03}.txt": "" for number in range(600)})
    assert offered(files, "f005.txt") == ["d005/f005.txt"]
    assert "d599/f599.txt" not in offered(files, "f599.txt")
