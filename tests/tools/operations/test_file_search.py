"""Where a search takes place, and why it does not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.local_files import LocalFiles
from mmtools.errors import ArgumentsRefused, ToolFailure
from mmtools.ports.files import Files
from mmtools.ports.search import BadGlob, BadPattern, Ended, EngineFailed, Found, PlaceMissing, SearchProblem
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.testing.search import MemorySearch
from mmtools.tools.operations.file_search import FileSearch, TreeSearch, Where, refuse_unsendable
from mmtools.tools.wording import search as wording
from mmtools.tools.wording.search import SearchTerms

FILES = MemoryFiles({"src/a.py": "", "b.py": ""})
TERMS = SearchTerms(tool="Find", pattern="what", path="in", hidden="all=yes", glob="only", offset="after")


def below(
    path: str, glob: str = "", *, files: Files = FILES, hidden: bool = False, call: StubCall | None = None
) -> TreeSearch:
    search = FileSearch(files=files, engine=MemorySearch({}))
    return search.below(Where(path=path, glob=glob, hidden=hidden), call or StubCall(), TERMS)


@pytest.mark.parametrize(
    ("path", "base", "words"),
    [
        ("", ".", "the working directory"),
        (".", ".", "the working directory"),
        ("/repo", ".", "the working directory"),
        ("src", "src", "src"),
        ("/repo/src/../src", "src", "src"),
        ("a b", "a b", '"a b"'),
    ],
)
def test_a_place_is_named_from_the_working_directory(path: str, base: str, words: str) -> None:
    search = below(path)
    assert (search.base, wording.place(search.base)) == (base, words)


def test_what_is_found_is_named_from_there_too() -> None:
    assert below("src").path("a.py") == "src/a.py"
    assert below("").path("src/a.py") == "src/a.py"
    assert below("b.py").path("") == "b.py"


def test_a_place_outside_is_asked_for_and_named_in_full() -> None:
    call = StubCall()
    search = below("../etc", files=MemoryFiles({"/etc/hosts": ""}, outside="ask"), call=call)
    assert (search.base, search.path("hosts")) == ("/etc", "/etc/hosts")
    assert [proposal.refusal for proposal in call.proposals] == ["[Find rejected by the user]"]
    assert [proposal.scope.key for proposal in call.proposals] == ["search:/etc"]


@pytest.mark.parametrize(
    ("path", "glob", "base", "rest"),
    [
        ("", "*.py", ".", "*.py"),
        ("", "src/*.py", ".", "src/*.py"),
        ("", "/repo/src/*.py", "src", "./*.py"),
        ("src", "/repo/src/*.py", "src", "./*.py"),
        ("", "/repo/**/*.py", ".", "**/*.py"),
        ("src", "/repo/src/sub/x?/*", "src/sub", "x?/*"),
    ],
)
def test_an_absolute_glob_says_where_it_begins(path: str, glob: str, base: str, rest: str) -> None:
    search = below(path, glob)
    assert (search.base, search.tree.glob) == (base, rest)
    assert search.tree.place.path == ("/repo" if base == "." else f"/repo/{base}")


@pytest.mark.parametrize(
    ("path", "glob"),
    [("", "/etc/*"), ("src", "/repo/*.py"), ("", "../*"), ("", "a/../*"), ("", "~/*"), ("", "/repository/*")],
)
def test_a_glob_does_not_lead_out_of_the_place(path: str, glob: str) -> None:
    with pytest.raises(ArgumentsRefused, match="is held against paths below"):
        below(path, glob)


@pytest.mark.parametrize(
    ("glob", "hidden"),
    [
        ("", False),
        ("*.py", False),
        ("./*.py", False),
        ("a/./b", False),
        ("a.b/c.d", False),
        ("{a,b}.c", False),
        (".env*", True),
        (".github/**", True),
        ("**/.github/*", True),
        ("{.a,b}", True),
        ("{a,.b}", True),
        ("\\.env", True),
        ("..x", True),
    ],
)
def test_a_hidden_name_that_is_written_out_is_searched(glob: str, *, hidden: bool) -> None:
    tree = below("src", glob).tree
    assert (tree.hidden, tree.ignored) == (hidden, False)
    everything = below("src", glob, hidden=True).tree
    assert (everything.hidden, everything.ignored) == (True, True)


def failure(problem: SearchProblem, search: TreeSearch, pattern: str = "f(") -> ToolFailure:
    with pytest.raises(ToolFailure) as told, search.problems_told(pattern=pattern, glob="{a"):
        raise problem
    return told.value


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (
            BadPattern("unclosed group"),
            "[Find: `f(` is not a regular expression: unclosed group]\n"
            'If it is meant letter for letter, send f\\( (in JSON: "f\\\\(")',
        ),
        (BadPattern(), "[Find: `f(` is not a regular expression]\nIf it is"),
        (BadGlob("a brace is open"), "[Find: `{a` is not a glob: a brace is open]"),
        (BadGlob(), "[Find: `{a` is not a glob: send names, *, **, ?, [abc] and {a,b}]"),
        (EngineFailed("no memory"), "[Find: the search broke down: no memory; try again"),
        (SearchProblem("odd"), "[Find: not searched: odd; change the arguments]"),
        (PlaceMissing("gone"), "src/none does not exist. Check the path"),
    ],
)
def test_every_problem_has_a_text_with_what_to_do(problem: SearchProblem, said: str) -> None:
    told = failure(problem, below("src/none"))
    assert told.text.startswith(said)
    assert isinstance(told, ArgumentsRefused) == isinstance(problem, BadPattern | BadGlob)


def test_a_place_that_is_no_directory_and_no_file_is_said_to_be_what_it_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "named pipe" in failure(PlaceMissing("odd"), below("pipe", files=LocalFiles(tmp_path))).text


def test_long_patterns_and_reasons_are_not_repeated_at_length() -> None:
    told = failure(BadPattern("x" * 10_000 + " at the end"), below(""), "(" * 100_000)
    assert len(told.text) < 1_000
    assert "at the end" in told.text


@given(st.text(max_size=5), st.text(max_size=5))
def test_only_texts_without_nul_and_halves_of_characters_are_sent(one: str, two: str) -> None:
    refuse_unsendable("Find", {"what": one.replace("\0", ""), "only": two.replace("\0", "")})
    for bad in ("\0", "\ud800", "\udcff"):
        with pytest.raises(ArgumentsRefused, match=rf"^\[Find: character {len(one.replace(chr(0), '')) + 1} of what "):
            refuse_unsendable("Find", {"what": one.replace("\0", "") + bad, "only": two})


def test_a_call_is_announced_with_its_place() -> None:
    search = FileSearch(files=FILES, engine=MemorySearch({}))
    assert search.headline("x", ".").text == search.headline("x", "").text == "x"
    assert search.headline("x", "src").text == "x in src"


def test_times_are_short() -> None:
    search = below("")
    assert search.told(["a"], [], Found(ended=Ended.TIME)).startswith("a\n[… stopped after 20 s:")
    brief = evolve(search, within=evolve(search.within, timeout_s=0.5))
    assert brief.told_too_late("x").startswith("[error: 0.5s timeout exceeded;")
