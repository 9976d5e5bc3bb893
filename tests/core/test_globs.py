"""Globs, held against a matcher so plain that it can be seen to be right, and against git."""

from __future__ import annotations

import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.globs import BadGlobReason, Glob, path_order, read_glob, split_glob
from tests.hypothesis_profiles import scaled

#: An alphabet in which patterns and paths meet often.
LETTERS = "ab."
NAMES = st.text(LETTERS, min_size=1, max_size=4).filter(lambda name: name not in (".", ".."))
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
ATOMS = st.sampled_from(["a", "b", ".", "*", "?", "[ab]", "[!a]", "[^b.]", "[a-b]", r"\a", r"\*", "**", "[]a]", "[*]"])
PIECES = st.lists(st.one_of(ATOMS, ATOMS, st.just("/"), st.just("/**/")), min_size=1, max_size=7).map("".join)
PATTERNS = st.recursive(
    PIECES,
    lambda inner: st.tuples(PIECES, st.lists(inner | st.just(""), min_size=2, max_size=3), PIECES | st.just("")).map(
        lambda parts: f"{parts[0]}{{{','.join(parts[1])}}}{parts[2]}"
    ),
    max_leaves=4,
)


def glob(pattern: str) -> Glob:
    found = read_glob(pattern)
    assert isinstance(found, Glob), found
    return found


def selected(found: Glob, paths: list[str]) -> list[str]:
    listing = "".join(f"./{path}\0" for path in paths).encode("utf-8", "surrogateescape")
    return [path.decode("utf-8", "surrogateescape").removeprefix("./") for path in found.select(listing)]


def reason(pattern: str) -> str:
    found = read_glob(pattern)
    assert isinstance(found, BadGlobReason), found
    return found.text


def expand(pattern: str) -> list[str]:
    """Write braces out, textually, the first pair first."""
    depth, start, commas, at = 0, -1, [], 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 1
        elif char == "[":
            at = pattern.index("]", at + (3 if pattern[at + 1] in "!^" else 2))
        elif char == "{":
            depth += 1
            if depth == 1:
                start = at
        elif char == "," and depth == 1:
            commas.append(at)
        elif char == "}":
            depth -= 1
            if not depth:
                marks = [start, *commas, at]
                inner = [pattern[low + 1 : high] for low, high in pairwise(marks)]
                return [each for one in inner for each in expand(pattern[:start] + one + pattern[at + 1 :])]
        at += 1
    return [pattern]


def holds(pattern: str, path: str) -> bool:
    anywhere = "/" not in pattern
    return any(_names_match(_names(each, anywhere=anywhere), path.split("/")) for each in expand(pattern) if each)


def _names(pattern: str, *, anywhere: bool) -> list[str]:
    names = pattern.split("/")
    if pattern and names[-1] in ("", "."):
        names[-1] = "**"
    return ["**"] * anywhere + [name for name in names if name not in ("", ".")]


def _names_match(patterns: list[str], names: list[str]) -> bool:
    if not patterns:
        return not names
    first, *rest = patterns
    if first != "**":
        return bool(names) and _name_matches(first, names[0]) and _names_match(rest, names[1:])
    if not rest:
        return bool(names)
    return any(_names_match(rest, names[start:]) for start in range(len(names) + 1))


def _name_matches(pattern: str, name: str) -> bool:
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(_name_matches(pattern[1:], name[start:]) for start in range(len(name) + 1))
    if not name:
        return False
    if pattern[0] == "?":
        return _name_matches(pattern[1:], name[1:])
    if pattern[0] == "\\":
        return pattern[1] == name[0] and _name_matches(pattern[2:], name[1:])
    if pattern[0] != "[":
        return pattern[0] == name[0] and _name_matches(pattern[1:], name[1:])
    negated = pattern[1] in "!^"
    close = pattern.index("]", 2 + negated)
    inside = pattern[1 + negated : close].replace("a-b", "ab")
    return ((name[0] in inside) is not negated) and _name_matches(pattern[close + 1 :], name[1:])


@given(pattern=PATTERNS, paths=st.lists(PATHS, min_size=5, max_size=25))
def test_a_glob_means_what_the_plain_matcher_says(pattern: str, paths: list[str]) -> None:
    found = read_glob(pattern)
    if isinstance(found, BadGlobReason):
        up = any(name in ("..", r"\.\.") for each in expand(pattern) for name in each.split("/"))
        nothing = not any(expand(pattern))
        assert up or nothing or pattern[0] == "/", found.text
        return
    for path in paths:
        assert found.matches(path) is holds(pattern, path), (pattern, path)
    chosen = [path for path in paths if holds(pattern, path)]
    assert sorted(selected(found, paths)) == sorted(chosen)
    assert all(path.startswith(f"{found.prefix}/") for path in chosen) or not found.prefix


@given(pattern=PATTERNS, paths=st.lists(PATHS, min_size=5, max_size=15), root=st.sampled_from(["", "/", "/b/", "a/"]))
def test_a_split_glob_means_the_same(pattern: str, paths: list[str], root: str) -> None:
    whole = read_glob(pattern) if not root.startswith("/") else read_glob(f".{root}{pattern}")
    directory, rest = split_glob(root + pattern if root else pattern)
    below = read_glob(rest)
    if isinstance(whole, BadGlobReason) or isinstance(below, BadGlobReason) or root == "a/":
        return
    start = "".join(f"{name}/" for name in directory.split("/") if name not in ("", "."))
    for path in paths:
        split = path.startswith(start) and below.matches(path.removeprefix(start))
        assert whole.matches(path) is split, (root, pattern, path, directory, rest)


@pytest.mark.needs("git")
@scaled(25)
@given(patterns=st.lists(PIECES, min_size=8, max_size=8), paths=st.sets(PATHS, min_size=5, max_size=12))
def test_git_reads_it_alike(patterns: list[str], paths: set[str], git_index: Path) -> None:
    """What braces, `./` and patterns without a slash mean is ours alone; git reads `**` inside a name alike."""
    inner = {"/".join(path.split("/")[:depth]) for path in paths for depth in range(1, path.count("/") + 1)}
    files = sorted(paths - inner)
    lines = "".join(f"100644 {'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'}\t{path}\0" for path in files)
    subprocess.run(["git", "read-tree", "--empty"], cwd=git_index, check=True)
    subprocess.run(["git", "update-index", "-z", "--index-info"], cwd=git_index, input=lines.encode(), check=True)
    for pattern in patterns:
        found = read_glob(pattern)
        odd = "//" in pattern or "." in pattern.split("/") or pattern[-1] == "/" or "/" not in pattern
        if odd or isinstance(found, BadGlobReason):
            continue
        told = subprocess.run(
            ["git", "ls-files", "-z", "--", f":(glob){pattern}"], cwd=git_index, capture_output=True, check=True
        )
        chosen = told.stdout.decode().split("\0")[:-1]
        # A pathspec without wildcards also means everything below a directory of that name.
        plain = not set(pattern) & set("*?[\\")
        ours = [path for path in files if any(map(found.matches, _with_directories(path) if plain else [path]))]
        assert chosen == sorted(ours), pattern


def _with_directories(path: str) -> list[str]:
    names = path.split("/")
    return ["/".join(names[:depth]) for depth in range(1, len(names) + 1)]


@pytest.fixture(scope="module")
def git_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("index")
    subprocess.run(["git", "init", "-q"], cwd=directory, check=True)
    return directory


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("**/*.{ts,tsx}", ["a.ts", "src/b.tsx", "x/y/c.ts"], ["a.js", "ts", "src/d.tsxx"]),
        ("**/a.ts", ["a.ts", "x/a.ts"], ["ba.ts"]),
        ("src/**", ["src/a", "src/b/c"], ["src", "a/src/b"]),
        ("src/", ["src/a", "src/b/c"], ["src", "a/src/b"]),
        ("./src/*.ts", ["src/c.ts"], ["src/a/c.ts", "c.ts"]),
        ("src/.", ["src/a", "src/b/c"], ["src", "a/src/b"]),
        (".", ["a", "b/c"], []),
        ("{,x}", ["x", "y/x"], ["y"]),
        ("./*.ts", ["c.ts"], ["src/c.ts"]),
        ("*.ts", ["c.ts", "src/c.ts", ".ts"], ["c.tsx"]),
        ("src/{b,c}.{ts,tsx}", ["src/b.tsx", "src/c.ts"], ["src/bc.ts"]),
        ("{a,b}/c", ["a/c", "b/c"], ["x/a/c"]),
        ("{src/*.ts,*.md}", ["src/a.ts", "r.md"], ["src/r.md", "x/src/a.ts"]),
        ("n/*deep research*.md", ["n/deep research.md"], ["n/deep/research.md"]),
        ("n/[{]rule[}]*.md", ["n/{rule} x.md"], ["n/rule x.md"]),
        (r"n/\{rule\}*", ["n/{rule} x.md"], ["n/rule x.md"]),
        ("n/{rule}*", ["n/{rule} x.md"], ["n/rule x.md"]),
        ("{}", ["{}"], [""]),
        ("x{,.bak}", ["x", "x.bak"], ["x."]),
        ("a{b,{c,d{e,f}}}", ["ab", "ac", "ade", "a/adf"], ["ad"]),
        ("[[]id]/*", ["[id]/page.tsx"], ["i/page.tsx"]),
        (r"\[id\]/*", ["[id]/page.tsx"], ["i/page.tsx"]),
        ("[]-]", ["]", "-"], ["["]),
        ("[a-]", ["a", "-"], ["b"]),
        ("[!/]b", ["ab"], ["b", "a/b/c"]),
        ("a[/]b", [], ["a/b"]),
        ("a[+-0]b", ["a.b"], ["a/b"]),
        ("a?b", ["aéb", "a😀b", "a\udcffb", "a\nb"], ["a/b", "ab"]),
        ("*\n*", ["x\ny", "d/\n"], ["xy"]),
        ("a**b", ["ab", "axb", "d/ab"], ["a/b"]),
        ("***", ["a"], []),
        ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb"]),
        ("**", ["a", "a/b"], []),
        ("a,b", ["a,b"], ["a"]),
        (r"a\,{b\,c,d}", ["a,b,c", "a,d"], ["a,c"]),
        (r"\!a", ["!a"], ["a"]),
        ("a$", ["a$"], ["a"]),
        ("a\\\n", ["a\n"], ["a"]),
        (" a ", [" a "], ["a"]),
        ("*\udca9", ["a\udca9"], ["é"]),
        ("*\udcc3\udca9", [], ["é"]),
        ("*é", ["é", "\udcc3é"], ["\udca9"]),
        ("{" + ",".join(f"*.{number}" for number in range(40)) + "}", ["a.7", "b/x.39"], ["a.40", "a", "7"]),
        ("{*.py,*.y,*y,a/*.c}", ["x.py", "y", "a/b.c"], ["b.c", "a/b/b.c", "x"]),
        ("{**,*.py}", ["x"], []),
        (".*", [".env", "x/.env"], ["env"]),
    ],
)
def test_examples(pattern: str, matching: list[str], others: list[str]) -> None:
    found = glob(pattern)
    assert [path for path in matching if not found.matches(path)] == []
    assert [path for path in others if found.matches(path)] == []
    assert sorted(selected(found, matching + others)) == sorted(matching)


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("", "empty"),
        ("a\0", "NUL"),
        ("a\ud800", "lone surrogate"),
        ("[ab", r"`[` is not closed"),
        ("[]", r"`[` is not closed"),
        ("[a\\", r"`[` is not closed"),
        ("[b-a]", "backwards"),
        ("[[:alpha:]]", "[:alpha:]"),
        ("{a,b", "`{` is not closed"),
        ("{a,{b}", "`{` is not closed"),
        ("a}", "`}` has no `{`"),
        ("a\\", "nothing follows"),
        ("{1..9}", "not counted out"),
        ("/etc/*", "starts with `/`"),
        ("!*.py", "exclude"),
        ("../*.py", "leads up"),
        ("a/../b", "leads up"),
        ("{a,..}/b", "leads up"),
        ("{,}", "no name"),
        ("{a,b}" * 9, "more than 256 patterns"),
        ("{" + "a," * 300 + "}", "more than 256 patterns"),
        ("{" * 33 + "}" * 33, "32 deep"),
        ("{" * 100_000, "longer than"),
        ("{" * 19_000, "32 deep"),
        ("x" * 20_001, "longer than 20000"),
        ("{a,b}" * 7 + "x" * 2_000, "more than 20000 characters"),
    ],
)
def test_what_cannot_be_read_has_a_reason(pattern: str, words: str) -> None:
    assert words in reason(pattern)


@given(st.text(st.sampled_from("ab*?[]{},!^-\\/.\0\n\udcff")) | st.text())
def test_reading_ends_for_any_text(pattern: str) -> None:
    found = read_glob(pattern)
    if isinstance(found, BadGlobReason):
        assert found.text
    else:
        found.matches("a/b/c")
    split_glob(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "*a" * 60 + "b",
        "**/a/" * 60 + "b",
        "**/*a*a*a*/" * 20 + "b",
        "{*a,*b}*" * 8 + "c",
        "*" * 5_000 + "b",
        "[ab]*" * 100 + "c",
        "**/" * 1_000 + "b",
    ],
)
@pytest.mark.parametrize("path", ["a" * 250, "/".join(["a"] * 1_000), "/".join(["a" * 40] * 90)])
def test_no_pattern_takes_long(pattern: str, path: str) -> None:
    """What backtracks would take years."""
    assert not glob(pattern).matches(path + "/x")


@given(st.lists(st.lists(st.binary(min_size=1, max_size=3).filter(lambda name: not set(name) & {0, 47}), min_size=1)))
def test_paths_sort_by_their_names(paths: list[list[bytes]]) -> None:
    assert sorted(map(b"/".join, paths), key=path_order) == list(map(b"/".join, sorted(paths)))


@pytest.mark.parametrize(
    ("pattern", "directory", "rest"),
    [
        ("/home/me/app/[id]/*.py", "/home/me/app", "[id]/*.py"),
        ("/home/me/*.py", "/home/me", "./*.py"),
        ("/*.py", "/", "./*.py"),
        ("/home/me/a b.py", "/home/me", "./a b.py"),
        (r"/a\[b/c*", "/a[b", "./c*"),
        ("/a/{b/c,d}/e", "/a", "./{b/c,d}/e"),
        ("a/{a/,}", "a", "./{a/,}"),
        ("src/**/x", "src", "**/x"),
        ("*.py", "", "*.py"),
    ],
)
def test_the_plain_start_of_a_pattern_is_a_directory(pattern: str, directory: str, rest: str) -> None:
    assert split_glob(pattern) == (directory, rest)
