"""ripgrep and the Python engine answer alike, on any tree; and git agrees on which files there are."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from mmtools.adapters.python_search import PythonSearch
from mmtools.adapters.ripgrep_search import RipgrepSearch, find_ripgrep
from mmtools.call import Cancellation
from mmtools.ports.files import Place
from mmtools.ports.search import Ended, Found, Listed, Pattern, Search, Tree
from tests.adapters.searched_trees import Forest, forest, regex
from tests.hypothesis_profiles import scaled

pytestmark = pytest.mark.slow

#: A time limit that no search of these tests comes near to.
_AMPLE_S = 120.0
_MANY = 1_000_000


def ripgrep() -> RipgrepSearch:
    program = find_ripgrep()
    assert program, "these tests compare with ripgrep"
    return RipgrepSearch(program)


@contextmanager
def planted(forest: Forest) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory).resolve() / "r"
        root.mkdir()
        forest.plant(root)
        yield root


def listed(search: Search, tree: Tree) -> Listed:
    return search.files(tree, limit=_MANY, timeout_s=_AMPLE_S, cancellation=Cancellation())


def grepped(search: Search, tree: Tree, pattern: Pattern, *, skip: int = 0, limit: int = _MANY) -> Found:
    return search.grep(tree, pattern, skip=skip, limit=limit, timeout_s=_AMPLE_S, cancellation=Cancellation())


def choice(random: Random, root: Path) -> tuple[Tree, Pattern]:
    """What to search there: most often all of it."""
    directories = sorted(path for path, _, _ in os.walk(root))
    path = random.choice([str(root), str(root), str(root), random.choice(directories)])
    tree = Tree(
        place=Place(path, path),
        glob=random.choice([""] * 6 + ["*.py", "**/a", "t0/**", "t0/a/*", "{t0,t1}/**/*b*"]),
        hidden=random.random() < 0.4,
        ignored=random.random() < 0.15,
    )
    return tree, Pattern(regex=regex(random), ignore_case=random.random() < 0.3)


@given(st.integers(0, 2**40))
@settings(scaled(7), phases=[Phase.generate])
def test_both_engines_answer_alike(seed: int) -> None:
    random = Random(seed)
    with planted(forest(random, trees=16)) as root:
        tree, pattern = choice(random, root)
        one, other = ripgrep(), PythonSearch()
        assert listed(one, tree) == listed(other, tree)
        whole = grepped(one, tree, pattern)
        assert whole == grepped(other, tree, pattern)
        limit, skip = random.randint(1, 20), random.choice([0, 0, random.randint(0, 20)])
        cut = partial(grepped, tree=tree, pattern=pattern, limit=limit, skip=skip)
        assert cut(one) == cut(other)
        assert cut(one).matches == whole.matches[skip : skip + limit]


@given(st.integers(0, 2**40))
@settings(scaled(5), phases=[Phase.generate])
def test_pages_follow_one_another(seed: int) -> None:
    random = Random(seed)
    with planted(forest(random, trees=4)) as root:
        tree = Tree(place=Place(str(root), str(root)), hidden=True)
        whole = grepped(PythonSearch(), tree, Pattern(regex="o")).matches
        limit = random.randint(1, 5)
        skip = random.randint(0, len(whole) + 1)
        page = grepped(PythonSearch(), tree, Pattern(regex="o"), skip=skip, limit=limit)
        assert page.matches == whole[skip : skip + limit]
        assert page.ended is (Ended.LIMIT if len(whole) > skip + limit else Ended.ALL)


#: Where git and ripgrep read a line differently: braces, classes that a slash is in or is matched by, and what is
#: not UTF-8 or broken.
_RIPGREP_ONLY = re.compile(r"[{}\[\]\\]|\*\*\*|^!?/?$|[^ -~]")


@pytest.mark.needs("git")
@given(st.integers(0, 2**40))
@settings(scaled(5), phases=[Phase.generate])
def test_git_finds_the_same_files(seed: int) -> None:
    random = Random(seed)
    planned = forest(random, trees=4)
    files = {path: data for path, data in planned.files.items() if ".git" not in path.split("/")}
    for path in list(files):
        if os.path.basename(path) in (".ignore", ".rgignore"):
            del files[path]
        elif os.path.basename(path) == ".gitignore":
            lines = [
                line for line in files[path].decode("utf-8", "replace").split("\n") if not _RIPGREP_ONLY.search(line)
            ]
            files[path] = "\n".join(lines).encode()
    with planted(Forest(files)) as root:
        git = partial(subprocess.run, cwd=root, check=True, env={"PATH": os.environ["PATH"], "HOME": "/"})
        git(["git", "init", "-q"])
        with tempfile.TemporaryFile() as said:
            git(["git", "-c", "core.excludesFile=", "ls-files", "-z", "-co", "--exclude-standard"], stdout=said)
            said.seek(0)
            expected = sorted(os.fsdecode(path) for path in said.read().split(b"\0") if path)
        tree = Tree(place=Place(str(root), str(root)), hidden=True)
        assert sorted(listed(PythonSearch(), tree).paths) == expected
