"""The program, started as it is in earnest: what it writes, and how it exits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import mmtools
from mmtools.adapters.search.python_engine import FOUND, NOTHING_FOUND, PATHSPEC_MISSING, PROBLEM

_START = (
    "import sys; sys.path += sys.argv[1:]; from mmtools.adapters.search.python_engine import main; sys.exit(main())"
)


def run(root: Path, *request: bytes, packages: tuple[str, ...] = ()) -> tuple[int, bytes, bytes]:
    home = os.path.dirname(os.path.dirname(str(mmtools.__file__)))
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _START, home, *packages],
        input=b"\0".join(request),
        cwd=root,
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_bytes(b"no\nHIT one\r\n")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c").write_bytes(b"\0HIT")
    (tmp_path / ".h").write_bytes(b"HIT")
    return tmp_path


def test_records(root: Path) -> None:
    code, out, complaints = run(root, b"grep", b".", b"", b"", b"HIT")
    sentence = b'./b/c: binary file matches (found "\\0" byte around offset 0)\n'
    assert (code, out, complaints) == (FOUND, b"./a.txt\x002\x001\0HIT one\r\n" + sentence, b"")
    assert run(root, b"grep", b"./.h", b"c", b"", b"hit") == (FOUND, b"./.h\x001\x001\0HIT\r\n", b"")
    assert run(root, b"grep", b".", b"", b"", b"absent") == (NOTHING_FOUND, b"", b"")


def test_paths(root: Path) -> None:
    assert run(root, b"files", b".", b"", b"", b"") == (FOUND, b"./a.txt\0./b/c\0", b"")
    assert run(root, b"files", b".", b"hi", b"", b"")[1] == b"./.h\0./a.txt\0./b/c\0"


def test_complaints(root: Path) -> None:
    code, out, complaints = run(root, b"grep", b".", b"", b"", b"a(")
    assert (code, out) == (PROBLEM, b"")
    assert complaints.startswith(b"rg: regex parse error:\nerror: ")
    code, _, complaints = run(root, b"grep", b"./gone", b"", b"", b"a")
    assert (code, complaints) == (PROBLEM, b"rg: ./gone: No such file or directory (os error 2)\n")


def test_a_directory_that_vanishes_or_a_missing_pathspec(root: Path) -> None:
    (root / ".gitignore").write_text("b*\n")
    assert run(root, b"files", b".", b"", b"", b"") == (PATHSPEC_MISSING, b"", b"")


def test_modules_of_the_searched_directory_are_not_run(root: Path) -> None:
    for name in ("re", "gc", "typing", "mmtools", "pathspec", "sitecustomize"):
        (root / f"{name}.py").write_text("open('PWNED', 'w')")
    assert run(root, b"files", b".", b"", b"", b"")[0] == FOUND
    assert not (root / "PWNED").exists()
