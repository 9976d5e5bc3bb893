"""The search without ripgrep, at the port."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from mmtools.adapters import python_search
from mmtools.adapters.python_search import PythonSearch
from mmtools.call import Cancellation
from mmtools.ports.files import Place
from mmtools.ports.search import (
    BadGlob,
    BadPattern,
    Ended,
    EngineFailed,
    Found,
    Listed,
    Match,
    Pattern,
    PlaceMissing,
    RegexDialect,
    Search,
    Tree,
)
from mmtools.testing.conformance import search as conformance
from mmtools.testing.conformance.search import Make
from tests.patience import TRIES_S

pytestmark = pytest.mark.slow


def tree(path: Path, *, glob: str = "", hidden: bool = False, ignored: bool = False) -> Tree:
    return Tree(place=Place(str(path), str(path)), glob=glob, hidden=hidden, ignored=ignored)


def grep(where: Tree, regex: str, *, limit: int = 100, timeout_s: float = 120.0) -> Found:
    pattern = Pattern(regex=regex)
    return PythonSearch().grep(where, pattern, limit=limit, timeout_s=timeout_s, cancellation=Cancellation())


def files(where: Tree, *, limit: int = 100) -> Listed:
    return PythonSearch().files(where, limit=limit, timeout_s=120.0, cancellation=Cancellation())


@pytest.mark.parametrize("law", conformance.LAWS, ids=lambda law: law.__name__)
def test_it_keeps_the_laws(law: Callable[[Make], None], tmp_path: Path) -> None:
    fresh = iter(range(1_000))

    def make(files: Mapping[str, bytes]) -> tuple[Search, Place]:
        directory = tmp_path / str(next(fresh))
        for path, data in files.items():
            (directory / path).parent.mkdir(parents=True, exist_ok=True)
            (directory / path).write_bytes(data)
        return PythonSearch(), Place(".", str(directory))

    law(make)


def test_it_reads_python_expressions(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("xx\nxy\n")
    assert PythonSearch().dialect is RegexDialect.PYTHON
    assert grep(tree(tmp_path), r"(x)\1").matches == (Match(path="a", line=1, text="xx"),)


def test_a_named_file_is_searched_whatever_it_is(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text(".h\n")
    (tmp_path / ".h").write_text("HIT\n")
    assert grep(tree(tmp_path / ".h", glob="*.py"), "HIT").matches == (Match(path="", line=1, text="HIT"),)
    assert files(tree(tmp_path / ".h")).paths == ("",)


def test_a_glob_selects_and_ignore_rules_still_count(tmp_path: Path) -> None:
    (tmp_path / "src" / "out").mkdir(parents=True)
    (tmp_path / ".ignore").write_text("out/\n")
    for path in ("a.py", "src/b.py", "src/c.txt", "src/out/d.py"):
        (tmp_path / path).write_text("HIT\n")
    assert files(tree(tmp_path, glob="src/**")).paths == ("src/b.py", "src/c.txt")
    assert files(tree(tmp_path, glob="src/**", ignored=True)).paths == ("src/b.py", "src/c.txt", "src/out/d.py")
    assert [match.path for match in grep(tree(tmp_path, glob="*.py"), "HIT").matches] == ["a.py", "src/b.py"]


def test_the_first_paths_in_order_and_that_there_are_more(tmp_path: Path) -> None:
    for name in "cab":
        (tmp_path / name).write_text("HIT\n")
    assert files(tree(tmp_path), limit=2) == Listed(paths=("a", "b"), ended=Ended.LIMIT)
    assert files(tree(tmp_path), limit=3) == Listed(paths=("a", "b", "c"))
    assert grep(tree(tmp_path), "HIT", limit=2).ended is Ended.LIMIT


def test_an_expression_that_runs_away_ends_with_the_time(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("b\n")
    (tmp_path / "z").write_text("a" * 60 + "b\n")
    for timeout_s in TRIES_S[2:]:
        found = grep(tree(tmp_path), r"^(?:(?:a+)+|b)$", timeout_s=timeout_s)
        if found.matches:
            break
    assert found.ended is Ended.TIME
    assert [match.path for match in found.matches] == ["a"]


def test_a_cancelled_search_ends(tmp_path: Path) -> None:
    cancellation = Cancellation()
    cancellation.request()
    found = PythonSearch().grep(tree(tmp_path), Pattern(regex="a"), limit=1, timeout_s=120.0, cancellation=cancellation)
    assert found.ended is Ended.CANCELLED


def test_a_long_pattern(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(f"x\n{'y' * 65_536}\n")
    assert [match.line for match in grep(tree(tmp_path), "y" * 65_536).matches] == [2]
    assert [match.line for match in grep(tree(tmp_path), "|".join(["z"] * 32_700 + ["x"])).matches] == [1]
    with pytest.raises(BadPattern, match="65,536 at most"):
        grep(tree(tmp_path), "y" * 1_000_000)


@pytest.mark.parametrize("regex", ["foo(", "a\nb", r"\n", "a\0", "\udc80"])
def test_a_pattern_that_cannot_be(tmp_path: Path, regex: str) -> None:
    with pytest.raises(BadPattern) as refused:
        grep(tree(tmp_path), regex)
    assert refused.value.reason


def test_places_and_globs_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(PlaceMissing):
        files(tree(tmp_path / "absent"))
    with pytest.raises(BadGlob):
        files(tree(tmp_path, glob="\ud800"))


def test_what_is_missing_is_said_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_search, "find_spec", lambda name: None)
    with pytest.raises(EngineFailed, match="pip install pathspec"):
        files(tree(tmp_path))
    monkeypatch.setattr(python_search, "find_spec", importlib.util.find_spec)
    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(EngineFailed, match=r"sys\.executable"):
        files(tree(tmp_path))


def test_a_line_of_megabytes_is_cut_around_its_match(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x" * 9_000_000 + "HIT" + "y" * 9_000_000)
    (match,) = grep(tree(tmp_path), "HIT").matches
    assert "HIT" in match.text
    assert match.before + len(match.text) + match.after == 18_000_003
    assert len(match.text) <= 500
