"""Where a search takes place, and why it does not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.local_files import LocalFiles
from mmtools.errors import ArgumentsRefused, ToolFailure
from mmtools.ports.files import Files
from mmtools.ports.search import BadGlob, BadPattern, EngineFailed, PlaceMissing, SearchProblem
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.tools.wording import searched_places
from mmtools.tools.wording.searched_places import Searched

FILES = MemoryFiles({"src/a.py": "", "b.py": ""})


def place(path: str, files: Files = FILES) -> Searched:
    return searched_places.located(path, files, StubCall(), "grep")


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
    searched = place(path)
    assert (searched.base, searched.words) == (base, words)


def test_what_is_found_is_named_from_there_too() -> None:
    assert place("src").path("a.py") == "src/a.py"
    assert place("").path("src/a.py") == "src/a.py"
    assert place("b.py").path("") == "b.py"


def test_a_place_outside_is_asked_for_and_named_in_full() -> None:
    files = MemoryFiles({"/etc/hosts": ""}, outside="ask")
    call = StubCall()
    searched = searched_places.located("../etc", files, call, "grep")
    assert (searched.base, searched.path("hosts")) == ("/etc", "/etc/hosts")
    assert [proposal.refusal for proposal in call.proposals] == ["[grep rejected by the user]"]
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
    searched, narrower = searched_places.narrowed(place(path), glob)
    assert (searched.base, narrower) == (base, rest)
    assert searched.place.path == ("/repo" if base == "." else f"/repo/{base}")


@pytest.mark.parametrize(
    ("path", "glob"),
    [("", "/etc/*"), ("src", "/repo/*.py"), ("", "../*"), ("", "a/../*"), ("", "~/*"), ("", "/repository/*")],
)
def test_a_glob_does_not_lead_out_of_the_place(path: str, glob: str) -> None:
    with pytest.raises(ArgumentsRefused, match="is held against paths below"):
        searched_places.narrowed(place(path), glob)


@pytest.mark.parametrize(
    ("glob", "hidden"),
    [
        ("", False),
        ("*.py", False),
        ("./*.py", False),
        ("../x", False),
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
    tree = searched_places.tree(place("src"), glob, hidden=False)
    assert (tree.hidden, tree.ignored) == (hidden, False)
    everything = searched_places.tree(place("src"), glob, hidden=True)
    assert (everything.hidden, everything.ignored) == (True, True)


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (
            BadPattern("unclosed group"),
            "[grep: `f(` is not a regular expression: unclosed group]\n"
            'If it is meant letter for letter, send f\\( (in JSON: "f\\\\(")',
        ),
        (BadPattern(), "[grep: `f(` is not a regular expression]\nIf it is"),
        (BadGlob("a brace is open"), "[grep: `{a` is not a glob: a brace is open]"),
        (BadGlob(), "[grep: `{a` is not a glob: send names, *, **, ?, [abc] and {a,b}]"),
        (EngineFailed("no memory"), "[grep: the search broke down: no memory; try again"),
        (SearchProblem("odd"), "[grep: not searched: odd; change the arguments]"),
        (PlaceMissing("gone"), "src/none does not exist. Check the path"),
    ],
)
def test_every_problem_has_a_text_with_what_to_do(problem: SearchProblem, said: str) -> None:
    failure = searched_places.problem(problem, place("src/none"), pattern="f(", glob="{a")
    assert isinstance(failure, ToolFailure)
    assert failure.text.startswith(said)


def test_a_place_that_is_no_directory_and_no_file_is_said_to_be_what_it_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    searched = place("pipe", LocalFiles(tmp_path))
    assert "named pipe" in searched_places.problem(PlaceMissing("odd"), searched).text


def test_long_patterns_and_reasons_are_not_repeated_at_length() -> None:
    failure = searched_places.problem(BadPattern("x" * 10_000 + " at the end"), place(""), pattern="(" * 100_000)
    assert len(failure.text) < 1_000
    assert "at the end" in failure.text


@given(st.text(max_size=5), st.text(max_size=5))
def test_only_texts_without_nul_and_halves_of_characters_are_sent(one: str, two: str) -> None:
    searched_places.refuse_unsendable("grep", pattern=one.replace("\0", ""), glob=two.replace("\0", ""))
    for bad in ("\0", "\ud800", "\udcff"):
        with pytest.raises(
            ArgumentsRefused, match=rf"^\[grep: character {len(one.replace(chr(0), '')) + 1} of pattern "
        ):
            searched_places.refuse_unsendable("grep", pattern=one.replace("\0", "") + bad, glob=two)
